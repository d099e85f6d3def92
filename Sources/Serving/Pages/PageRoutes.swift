import ChatModel
import Hummingbird
import Operations
import Rendering

/// The pages for people.
struct PageRoutes {
    let site: Site

    func add(to router: Router<ServeContext>) {
        router.get("/") { request, context in
            let visitor = try context.known()
            let rooms = try await site.read(as: visitor) { try await RoomsOperation(accounts: []).rooms(in: $0).rooms }
            let items = rooms.map { "<li>\(HTMLText.name($0.name))</li>\n" }.joined()
            return Answer.response(
                PageFrame.page(title: "Rooms", body: "<main><ul>\(items)</ul></main>\n"),
                type: "text/html; charset=utf-8", to: request)
        }
    }
}
