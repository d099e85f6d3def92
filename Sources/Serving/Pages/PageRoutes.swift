import ChatModel
import Hummingbird
import Operations
import Reading
import Rendering

/// The pages for people. Each works without JavaScript, and each state of a page is an address.
struct PageRoutes {
    let site: Site

    func add(to router: Router<ServeContext>) {
        let side = SideRooms(site: site)
        addPage("/", to: router) { visit, _ in try RoomsPage(visit: visit).response() }
        addRoom("", to: router) { visit, key in try RoomPage(visit: visit, key: key, side: side).response() }
        addRoom("/calendar", to: router) { visit, key in
            try CalendarPage(visit: visit, key: key, side: side).response()
        }
        addRoom("/erase", to: router) { visit, key in try ErasePage(visit: visit, key: key).response() }
        addRoom("/download", to: router) { visit, key in try RoomDownload(visit: visit, key: key).response() }
        addPage("/search/download", to: router) { visit, _ in try SearchDownload(visit: visit).response() }
        addPage("/account/{account}", to: router) { visit, context in
            try MergedPage(visit: visit, account: PageVisit.part("account", context), side: side).response()
        }
        addPage("/merged", to: router) { visit, _ in
            try MergedPage(visit: visit, account: nil, side: side).response()
        }
        addPage("/search", to: router) { visit, _ in try SearchPage(visit: visit).response() }
        addPage("/message/{account}/{message}", to: router) { visit, context in
            try MessagePage(
                visit: visit, account: PageVisit.part("account", context), id: PageVisit.part("message", context)
            ).response()
        }
        addPage("/help", to: router) { visit, _ in visit.respond(HelpPage.html) }
    }

    private func addPage(
        _ path: String, to router: Router<ServeContext>,
        _ answer: @escaping @Sendable (PageVisit, ServeContext) throws -> Response
    ) {
        router.get(RouterPath(path)) { request, context in
            try await site.answer(context.known()) {
                try answer(PageVisit(request, context, site: site), context)
            }
        }
    }

    /// Adds a page of a room. An address with the room's name, which people can write, leads to the one with its number.
    private func addRoom(
        _ end: String, to router: Router<ServeContext>,
        _ page: @escaping @Sendable (PageVisit, RoomKey) throws -> Response
    ) {
        addPage("/room/{account}/{room}" + end, to: router) { visit, context in
            let (account, room) = (try PageVisit.part("account", context), try PageVisit.part("room", context))
            let found: RoomKey
            if let number = Int64(room) {
                let key = RoomKey(account: account, id: number)
                do {
                    return try page(visit, key)
                } catch let problem as Problem where problem.status == .notFound {
                    // A room that was merged leads to the one that has its messages.
                    guard let other = try site.readInPlace(as: visit.visitor, { try $0.merging.roomTakingUp(key) })
                    else {
                        throw problem
                    }
                    found = other
                }
            } else {
                found = try site.readInPlace(as: visit.visitor) { reading in
                    try RoomResolver.room(room, accounts: [account], in: reading).key
                }
            }
            let query = visit.request.uri.query.map { "?\($0)" } ?? ""
            guard let address = LocalAddress(HTMLAddress.room(found.account, found.id) + end + query) else {
                throw Problem.notFound
            }
            return Response.redirect(to: address.text)
        }
    }
}
