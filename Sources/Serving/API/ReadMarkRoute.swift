import Archive
import ChatModel
import Files
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Operations
import Options
import Reading
import Rendering
import Settings

/// Marks rooms as read: for the owner through the listener or in the account's file, as the command does; for a token
/// with marks of its own, there.
struct ReadMarkRoute {
    let site: Site

    static let path = APIRoutes.root + "/read-marks"

    /// The limit of a body in bytes.
    private static let bodyLimit = 64 * 1024

    /// The parameter with which a form asks to be sent on to a page.
    private static let back = Parameter("back", .text, "The address of the page to show next.")

    func add(to router: Router<ServeContext>) {
        router.post(RouterPath(Self.path)) { request, context in try await answer(request, context) }
        APIRoutes.refuseOthers(than: .post, at: RouterPath(Self.path), router)
    }

    private func answer(_ request: Request, _ context: ServeContext) async throws -> Response {
        let visitor = try context.known()
        guard visitor.mayWrite || visitor.hasOwnMarks else { throw Problem.notFound }
        let parameters = try await parameters(of: request, from: visitor)
        let selection = try ReadMarkSelection(parameters)
        let zone: Zone = parameters.has("utc") ? .gmt : .current
        let through = try selection.through(zone: zone)
        var shown = visitor
        let marked: [UnreadRoom]
        if case .token(let token, _?) = visitor {
            marked = try await markOwn(selection, through: through, of: token, as: visitor)
            shown = .token(token, marks: site.marks.marks(of: token))
        } else {
            marked = try await markOwners(selection, through: through, as: visitor)
        }
        if let back = parameters.text(Self.back.name).flatMap(LocalAddress.init) {
            return Response.redirect(to: back.text)
        }
        let rooms = try await site.read(as: shown) { reading in
            var rooms: [UnreadRoom] = []
            for room in marked { rooms += try reading.unread(account: room.account, room: room.roomID) }
            return rooms
        }
        let listing = UnreadRoom.listing(time: LocalTime(zone: zone))
        return Answer.response(
            listing.render(rooms, leftOut: [], format: .json), type: "application/json", to: request,
            headers: [.cacheControl: "no-store"])
    }

    /// Returns the marked rooms.
    private func markOwners(
        _ selection: ReadMarkSelection, through: MessageID?, as visitor: Visitor
    ) async throws -> [UnreadRoom] {
        guard let archive = site.source.folder else { throw ArchiveError.needsFiles }
        let (marked, identities) = try await site.read(as: visitor) { reading in
            (try selection.selected(in: reading), try reading.accounts())
        }
        for identity in identities {
            let numbers = marked.filter { $0.account == identity.name }.map(\.roomID)
            guard !numbers.isEmpty else { continue }
            try await site.marks.owners.run {
                let writing = StoreWriting(archive: archive, account: identity)
                try await writing.perform(.markRead(account: identity.name, rooms: numbers, through: through))
                try await writing.close()
            }
        }
        return marked
    }

    /// Returns the marked rooms.
    private func markOwn(
        _ selection: ReadMarkSelection, through: MessageID?, of token: AccessToken, as visitor: Visitor
    ) async throws -> [UnreadRoom] {
        let now = Timestamp.now()
        let found = try await site.read(as: visitor) { reading in
            var found: [(room: UnreadRoom, account: ReaderMarks.Account, mark: ReaderMarks.Mark)] = []
            for room in try selection.selected(in: reading) {
                guard let (account, mark) = try reading.mark(room.key, through: through, at: now) else {
                    continue
                }
                found.append((room, account, mark))
            }
            return found
        }
        try await site.marks.change(of: token) { marks in
            for (room, account, mark) in found { marks.marks[account, default: [:]][room.roomID] = mark }
        }
        return found.map(\.room)
    }

    /// Reads the parameters of the body: a form, or a JSON object with strings, lists of strings and booleans.
    private func parameters(of request: Request, from visitor: Visitor) async throws -> OperationParameters {
        let body = try await site.body(of: request, upTo: Self.bodyLimit, from: visitor)
        let text = String(buffer: body)
        let isJSON = request.headers[.contentType]?.hasPrefix("application/json") ?? false
        let items = isJSON ? try Self.items(json: text) : try Query.items(text)
        return try OperationParameters(
            items, known: ReadMarkSelection.parameters + Parameter.everywhere + [Self.back])
    }

    private static func items(json text: String) throws -> [(name: String, value: String)] {
        let object: [String: JSONText]
        do {
            object = try JSONDecoder().decode([String: JSONText].self, from: Data(text.utf8))
        } catch {
            throw UsageError("the body is not an object of JSON such as {\"room\": [\"demo/lobby\"]}")
        }
        return object.sorted { $0.key < $1.key }.flatMap { name, value in value.texts.map { (name, $0) } }
    }
}

/// A string, several strings, or a boolean.
private struct JSONText: Decodable {
    let texts: [String]

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let isOn = try? value.decode(Bool.self) {
            texts = [isOn ? "1" : "0"]
        } else if let text = try? value.decode(String.self) {
            texts = [text]
        } else {
            texts = try value.decode([String].self)
        }
    }
}
