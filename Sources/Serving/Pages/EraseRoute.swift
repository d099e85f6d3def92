import Archive
import ChatModel
import Hummingbird
import Operations
import Options
import Reading
import Rendering
import Settings

/// Erases a room for the owner, who has confirmed it on the ``ErasePage``: through the listener or in the account's file, as
/// the command does.
struct EraseRoute {
    let site: Site

    /// The field by which the form says that the owner has read what goes.
    static let confirmation = Parameter("confirm", .flag, "Erase the room.")

    /// The limit of a body in bytes.
    private static let bodyLimit = 4096
    /// The time after which a page shows how far the work is. Proxies end requests that take a minute.
    private static let longest = Duration.seconds(20)

    func add(to router: Router<ServeContext>) {
        router.post("/room/{account}/{room}/erase") { request, context in
            let visit = try await site.answer(context.known()) { try PageVisit(request, context, site: site) }
            guard visit.mayErase, let archive = site.source.folder,
                let room = Int64(try PageVisit.part("room", context))
            else { throw Problem.notFound }
            let key = RoomKey(account: try PageVisit.part("account", context), id: room)
            let body = try await site.body(of: request, upTo: Self.bodyLimit, from: visit.visitor)
            let parameters = try OperationParameters(
                Query.items(String(buffer: body)), known: [Self.confirmation])
            guard parameters.has(Self.confirmation.name) else {
                throw UsageError("the request has no confirm=1; press the button of the page that asks")
            }
            return try await erase(key, in: archive, visit)
        }
    }

    private func erase(_ key: RoomKey, in archive: Archive, _ visit: PageVisit) async throws -> Response {
        let identity = try await site.read(as: visit.visitor) { reading in
            // A room that does not exist is an error before the file is opened for writing.
            _ = try reading.retention.erasingPlan(of: key)
            return try reading.accounts().first { $0.name == key.account }
        }
        guard let identity else { throw Problem.notFound }
        let writing = StoreWriting(archive: archive, account: identity)
        let done = try await writing.erase(room: key.id, of: identity.name, until: .now + Self.longest)
        try await writing.close()
        guard done.next != nil else { return Response.redirect(to: HTMLAddress.local("/")) }
        let rest = try await site.read(as: visit.visitor) { try $0.retention.erasingPlan(of: key) }
        return visit.respond(ErasePage(visit: visit, key: key).html(rest, erased: done.messages))
    }
}
