import Accounts
import ChatModel
import Files
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import Options
import Reading
import Rendering
import ServiceLifecycle

/// The change feed: as JSON lines up to its end, or as server-sent events without an end.
struct ChangeRoute {
    let site: Site

    static let path = APIRoutes.root + "/changes"

    static let parameters = [
        Parameter("account", .text, "The account."),
        Parameter("after", .text, "EPOCH:SEQ: continue after a change's position."),
        Parameter("room", .text, "Only changes of this room and its messages."),
        Parameter.names,
    ]

    /// The time after which a comment shows that the connection is alive.
    private static let pulse = Duration.seconds(15)

    private struct Follower: Sendable {
        var visitor: Visitor
        var account: String
        var room: Int64?
        var position: FeedPosition
    }

    func add(to router: Router<ServeContext>) {
        router.get(RouterPath(Self.path)) { request, context in try await answer(request, context) }
        APIRoutes.refuseOthers(than: .get, at: RouterPath(Self.path), router)
    }

    private func answer(_ request: Request, _ context: ServeContext) async throws -> Response {
        let visitor = try context.known()
        let parameters = try OperationParameters(Query.items(request.uri.query), known: Self.parameters)
        let account = try await account(parameters.text("account"), visitor)
        let isStream = request.headers[.accept]?.contains("text/event-stream") ?? false
        let given = isStream ? request.headers[.lastEventID] ?? parameters.text("after") : parameters.text("after")
        let position = try given.map(FeedPosition.init(parameter:))
        let name = parameters.text("room")
        let room = try await site.read(as: visitor) { reading in
            try position?.check(for: account, in: reading)
            return if let name {
                try RoomResolver.room(name, accounts: [account], in: reading).id
            } else {
                nil as Int64?
            }
        }
        // A compressed account does not change, and a stream would keep its copy open.
        if isStream, try await site.read(as: visitor, { try $0.isCompressed(account) }) {
            throw ArchiveError.compressed(account)
        }
        guard isStream else { return lines(account, after: position, room: room, parameters, visitor) }
        return try await events(account, after: position, room: room, visitor)
    }

    /// Returns the account: the named one, or the only one.
    private func account(_ name: String?, _ visitor: Visitor) async throws -> String {
        let known = try await site.read(as: visitor) { try $0.accounts().map(\.name) }
        guard let name = name ?? (known.count == 1 ? known[0] : nil) else {
            throw UsageError(
                "--account is missing; the accounts are: \(known.map(Sanitizer.line).joined(separator: ", "))")
        }
        // A token for some rooms sees no feed, which has the whole account.
        guard known.contains(name), visitor.access.seesAll(of: name) else {
            throw OperationError(.unknownAccount, "no account \"\(Sanitizer.line(name))\"", hint: nil)
        }
        return name
    }

    // MARK: JSON lines

    private func lines(
        _ account: String, after position: FeedPosition?, room: Int64?, _ parameters: OperationParameters,
        _ visitor: Visitor
    ) -> Response {
        let names: MessageQuery.Names = parameters.choice("names") ?? .then
        let text = FeedText(format: .jsonl, style: .plain, zone: .gmt)
        let body = ResponseBody { writer in
            var place = position
            while !Task.isShuttingDownGracefully,
                let changes = try await next(in: account, after: place, names: names, visitor), let last = changes.last
            {
                let wanted = changes.filter { $0.kind == .reset || room == nil || $0.room == room }
                try await writer.write(text.render(wanted).output, countedBy: site.unsent, of: visitor.share)
                place = last.position
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "application/x-ndjson"], body: body)
    }

    // MARK: Events

    private func events(
        _ account: String, after given: FeedPosition?, room: Int64?, _ visitor: Visitor
    ) async throws -> Response {
        let (hub, follower) = try await site.read(as: visitor) { reading in
            let hub = try site.feeds.hub(of: account, reading)
            var position = given
            if position == nil { position = try reading.feeds.end(of: account) }
            return (
                hub,
                Follower(
                    visitor: visitor, account: account, room: room,
                    position: position ?? FeedPosition(epoch: "", seq: 0))
            )
        }
        let body = ResponseBody { writer in
            try await write(follower, hub, to: &writer)
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no"],
            body: body)
    }

    /// Writes events until the server stops, the follower disconnects, or its token expires.
    @concurrent private func write(
        _ start: Follower, _ hub: FeedHub, to writer: inout any ResponseBodyWriter
    ) async throws {
        var follower = start
        // Begins to wait before it reads, so that it misses no change in between.
        let signals = hub.signals()
        // Sends the position before the first event, so that the client knows it even if the connection ends before
        // that.
        try await writer.write(ByteBuffer(string: "retry: 1000\nid: \(follower.position)\n\n"))
        try await writeNew(&follower, hub, to: &writer)
        for await signal in signals {
            if case .token(let token, _) = follower.visitor, !site.tokens.isValid(token) { return }
            switch signal {
            case .news: try await writeNew(&follower, hub, to: &writer)
            case .pulse: try await writer.write(ByteBuffer(string: ": \n\n"))
            }
        }
    }

    @concurrent private func writeNew(
        _ follower: inout Follower, _ hub: FeedHub, to writer: inout any ResponseBodyWriter
    ) async throws {
        while true {
            let events: [FeedHub.Event]
            switch hub.step(after: follower.position) {
            case .end: return
            case .events(let found): events = found
            case .behind:
                let changes = try await next(in: follower.account, after: follower.position, follower.visitor)
                events = (changes ?? []).map(FeedHub.Event.init)
            }
            guard let last = events.last else { return }
            let wanted = events.filter { event in
                event.kind == .reset || follower.room == nil || follower.room == event.room
            }
            var text = wanted.map { "id: \($0.position)\nevent: \($0.kind.rawValue)\ndata: \($0.json)\n\n" }.joined()
            // A block without data is not an event, but the client continues from its id.
            if wanted.last?.position != last.position { text += "id: \(last.position)\n\n" }
            // A follower whose stream ends here connects again, and continues after its position.
            try await writer.write(text, countedBy: site.unsent, of: follower.visitor.share)
            follower.position = last.position
        }
    }

    /// Reads the next changes from the archive; nil at the feed's end.
    private func next(
        in account: String, after position: FeedPosition?, names: MessageQuery.Names = .then, _ visitor: Visitor
    ) async throws -> [FeedChange]? {
        try await site.read(as: visitor) { reading in
            var feed = reading.feeds.changes(of: [account], after: position, names: names)
            return try feed.next()
        }
    }
}
