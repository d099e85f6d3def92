import ChatModel
import Hummingbird
import Operations

/// The pages for people. Each works without JavaScript, and each state of a page is an address.
struct PageRoutes {
    let site: Site

    func add(to router: Router<ServeContext>) {
        let side = SideRooms(site: site)
        add("/", to: router) { visit, _ in try await RoomsPage(visit: visit).response() }
        add("/room/{account}/{room}", to: router) { visit, context in
            try await RoomPage(visit: visit, key: Self.room(context), side: side).response()
        }
        add("/room/{account}/{room}/calendar", to: router) { visit, context in
            try await CalendarPage(visit: visit, key: Self.room(context), side: side).response()
        }
        add("/account/{account}", to: router) { visit, context in
            try await MergedPage(visit: visit, account: PageVisit.part("account", context), side: side).response()
        }
        add("/merged", to: router) { visit, _ in
            try await MergedPage(visit: visit, account: nil, side: side).response()
        }
        add("/search", to: router) { visit, _ in try await SearchPage(visit: visit).response() }
        add("/message/{account}/{message}", to: router) { visit, context in
            try await MessagePage(
                visit: visit, account: PageVisit.part("account", context), id: PageVisit.part("message", context)
            ).response()
        }
        add("/help", to: router) { visit, _ in visit.respond(HelpPage.html) }
    }

    private func add(
        _ path: String, to router: Router<ServeContext>,
        _ answer: @escaping @Sendable (PageVisit, ServeContext) async throws -> Response
    ) {
        router.get(RouterPath(path)) { request, context in
            try await site.answer(context.known()) {
                try await answer(try await PageVisit(request, context, site: site), context)
            }
        }
    }

    /// Returns the room that a path names.
    ///
    /// - Throws: ``Problem`` for a text that is not a number.
    private static func room(_ context: ServeContext) throws -> RoomKey {
        guard let number = Int64(try PageVisit.part("room", context)) else { throw Problem.notFound }
        return RoomKey(account: try PageVisit.part("account", context), id: number)
    }
}
