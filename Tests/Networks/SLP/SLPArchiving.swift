import Archive
import ChatModel
import NIOPosix
import Reading
import SLP
import SLPWire
import ScriptedSessions
import Sessions
import TestSupport
import Writing

/// The workspace service of the tests, and an archive that a listener fills from it.
final class SLPArchiving: Sendable {
    /// What stands once in a room.
    struct ServiceMessage: Decodable, Hashable, Comparable, CustomStringConvertible {
        /// A channel's name, or whom a direct room is with.
        var room: String
        var id: String
        var content: String?

        static func < (a: ServiceMessage, b: ServiceMessage) -> Bool { (a.room, a.id) < (b.room, b.id) }

        var description: String { "\(room) \(id) \(content ?? "-")" }
    }

    let service: SLPService
    /// Of the account, while the listener runs.
    let writer = Watched<AccountWriter?>(nil)
    private let running = Watched<(SLPListenerConfiguration, AsyncStream<ListenerInput>.Continuation)?>(nil)
    private let listened: ListenedArchive
    var archive: Archive { listened.archive }
    var reports: Watched<[ListenerReport]> { listened.reports }

    private init(_ service: SLPService) throws {
        self.service = service
        listened = try ListenedArchive(account: "work", network: "slp")
    }

    /// - Parameter arguments: Of `slp_server.py`.
    static func start(_ generation: SLPGeneration = .two, _ arguments: [String] = []) async throws -> SLPArchiving {
        try SLPArchiving(try await .start(generation, arguments))
    }

    /// Runs the listener beside `body`, stops it after that, and checks the archive.
    ///
    /// - Parameter change: Of a configuration that looks at everything again after an hour, and tries again at once.
    func listening<Result>(
        _ change: (inout SLPListenerConfiguration) -> Void = { _ in }, _ body: () async throws -> Result
    ) async throws -> Result {
        var configuration = SLPListenerConfiguration(
            service: try service.configuration,
            socket: SocketIOConfiguration(host: "127.0.0.1", port: service.port, isSecure: false))
        configuration.checkInterval = .seconds(3600)
        configuration.signOfLifeInterval = .milliseconds(50)
        configuration.backoff = Backoff.Limits(first: .milliseconds(1), longest: .milliseconds(20))
        change(&configuration)
        return try await listened.listening(by: { writer, tools in
            self.writer.change { $0 = writer }
            return SLPListener(
                configuration, attachments: writer, group: .singletonMultiThreadedEventLoopGroup, tools: tools)
        }) { [configuration] inputs in
            running.change { $0 = (configuration, inputs) }
            return try await body()
        }
    }

    /// Tells the listener to go by something else.
    func configure(_ change: (inout SLPListenerConfiguration) -> Void) {
        guard var now = running.value else { return }
        change(&now.0)
        running.change { [now] in $0 = now }
        now.1.yield(.configure(now.0))
    }

    /// As a channel's, `{"room":ID…}`.
    func say(_ content: String, in room: SLPRoomAddress, _ more: String = "") async throws {
        try await service.order("say", #"{"room":"\#(room.id)","content":"\#(content)"\#(more)}"#)
    }

    /// Channels of 30 messages each, in one workspace.
    func rooms(_ count: Int) async throws -> [SLPRoomAddress] {
        var rooms: [SLPRoomAddress] = []
        for number in 0..<count {
            let workspace = rooms.first?.workspace
            rooms.append(try await service.channel("room \(number)", #","chats":30"#, in: workspace))
        }
        return rooms
    }

    /// Returns when the archive has what the service has, each once and nothing else, and knows that nothing is missing.
    func isComplete(_ why: String = "the archive is complete") async throws {
        try await holdsAll(why)
        var found: [Gap] = []
        try await eventually("\(why), and has no gap", state: { "\(found)" }) {
            found = try await gaps()
            return found.isEmpty ? true : nil
        }
    }

    /// Returns when the archive has what the service has, each once and nothing else.
    func holdsAll(_ why: String = "the archive has it all") async throws {
        var state = ""
        var expected = 0
        try await eventually(why, state: { state }) { () -> Bool? in
            // To compare them all each time would take what the listener needs.
            let count = try archive.reading().rooms().reduce(0) { $0 + Int($1.messages) }
            guard count >= expected else {
                state = "\(count) of \(expected). Last: \(String(describing: reports.value.last))."
                return nil
            }
            let said = try await self.serviceMessages()
            expected = said.count
            let difference = try await stored().difference(from: said)
            guard !difference.isEmpty else { return true }
            let missing = difference.removals.map(\.said)
            let surplus = difference.insertions.map(\.said)
            state = """
                Missing \(missing.count): \(missing.prefix(3)); too many \(surplus.count): \(surplus.prefix(3)). \
                Gaps: \(try await gaps()). Last: \(String(describing: reports.value.last)).
                """
            return nil
        }
    }

    /// What the service has, in order.
    private func serviceMessages() async throws -> [ServiceMessage] {
        let said: [ServiceMessage] = try await service.state(of: "said")
        return said.sorted()
    }

    /// What the archive has, in order.
    func stored() async throws -> [ServiceMessage] {
        try await messages().map { ServiceMessage(room: $0.room, id: $0.remoteID ?? "", content: $0.body) }.sorted()
    }

    /// In order of time.
    func messages(names: MessageQuery.Names = .now) async throws -> [Message] {
        try listened.messages(names: names)
    }

    func gaps() async throws -> [Gap] { try listened.gaps() }

    /// Returns when the archive has a message that says this.
    @discardableResult
    func holds(_ body: String) async throws -> Message {
        try await eventually("\(body) is stored") { try await messages().last { $0.body == body } }
    }

    /// Calls for history that the service has got, without what comes before their cursor.
    func historyCalls() async throws -> [String] {
        try await service.state().calls.filter { $0.contains("/chats?") }
    }

    /// Returns when the listener has reported this.
    func reported(_ isMet: @escaping @Sendable (ListenerReport) -> Bool) async {
        await listened.reported(isMet)
    }

    /// Returns when the rooms are heard.
    func waitUntilLive(_ rooms: SLPRoomAddress...) async throws {
        try await service.server.comesTo("rooms are heard") { state in
            rooms.allSatisfy { state.namespaces[$0.namespace] == 1 }
        }
    }
}

extension CollectionDifference.Change {
    fileprivate var said: ChangeElement {
        switch self {
        case .insert(_, let element, _), .remove(_, let element, _): element
        }
    }
}

extension SLPRoomAddress {
    var id: String {
        switch self {
        case .channel(_, let id, _), .direct(_, let id, _): id
        }
    }

    var namespace: String {
        switch self {
        case .channel(_, let id, _): "/ws-channel-\(id)"
        case .direct(_, let id, _): "/ws-dm-\(id)"
        }
    }
}
