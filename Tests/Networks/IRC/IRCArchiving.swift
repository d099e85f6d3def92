import Archive
import ChatModel
import IRC
import NIOPosix
import Reading
import ScriptedSessions
import Sessions
import Synchronization
import TestSupport
import Writing

/// An archive that a listener fills from a server on a real socket.
final class IRCArchiving: Sendable {
    private let listened: ListenedArchive
    var archive: Archive { listened.archive }
    var reports: Watched<[ListenerReport]> { listened.reports }
    private let listener = Mutex<IRCListener?>(nil)
    private let inputSender = Mutex<AsyncStream<ListenerInput>.Continuation?>(nil)
    private let configuration = Mutex<IRCConfiguration?>(nil)

    /// What stands before the writer.
    private let sink: @Sendable (AccountWriter) -> any EventSink

    init(through sink: @escaping @Sendable (AccountWriter) -> any EventSink = { $0 }) throws {
        self.sink = sink
        listened = try ListenedArchive(account: "chat", network: "irc")
    }

    /// Runs the listener beside `body`, stops it after that, and checks the archive.
    func listening<Result>(
        port: Int, rooms: [String] = ["#example"], tls: TLSOptions? = nil, transport: IRCTransport = .plain,
        clock: any Clock<Duration> = ContinuousClock(),
        _ change: (inout IRCConfiguration) -> Void = { _ in }, _ body: () async throws -> Result
    ) async throws -> Result {
        var configuration = IRCConfiguration(
            host: tls == nil ? "127.0.0.1" : "localhost", port: port, nick: "archiver", rooms: rooms)
        configuration.signOfLifeInterval = .milliseconds(50)
        configuration.backoff = Backoff.Limits(first: .milliseconds(1), longest: .milliseconds(20))
        configuration.rejoin = Backoff.Limits(first: .milliseconds(1), longest: .milliseconds(20))
        configuration.throttledPause = .milliseconds(1)
        configuration.loginCheckInterval = .milliseconds(10)
        change(&configuration)
        self.configuration.withLock { [configuration] in $0 = configuration }
        return try await listened.listening(
            clock: clock, through: sink,
            by: { _, tools in
                let listener = IRCListener(
                    configuration, connector: TCPConnector(group: .singletonMultiThreadedEventLoopGroup, tls: tls),
                    transport: transport, tools: tools)
                self.listener.withLock { $0 = listener }
                return listener
            }
        ) { inputs in
            inputSender.withLock { $0 = inputs }
            return try await body()
        }
    }

    /// Has the listener ask for the history of a channel, or of all rooms, again.
    func backfill(_ room: String?, after: Timestamp? = nil) -> BackfillAnswer? {
        listener.withLock { $0 }?.backfill(
            room.map { RoomReference(key: $0, name: $0, kind: .channel) }, after: after)
    }

    /// Tells the listener to go by something else.
    func configure(_ change: (inout IRCConfiguration) -> Void) {
        let configuration = configuration.withLock { configuration in
            if var changed = configuration {
                change(&changed)
                configuration = changed
            }
            return configuration
        }
        if let configuration { _ = inputSender.withLock { $0 }?.yield(.configure(configuration)) }
    }

    /// `#example alice: hello`, in order of time.
    func said() async throws -> [String] {
        try await messages().map { message in
            let kind = message.kind == .message ? "" : "\(message.kind.rawValue) "
            return "\(message.room) \(kind)\(message.sender?.name ?? "*")" + (message.body.map { ": \($0)" } ?? "")
        }
    }

    func messages() async throws -> [Message] {
        try listened.messages()
    }

    func holds(_ line: String) async throws {
        var found: [String] = []
        try await eventually("\"\(line)\" is stored", state: { "\(found.suffix(20))" }) {
            found = try await said()
            return found.contains(line) ? true : nil
        }
    }

    func gaps(in room: String) async throws -> [Gap] {
        try listened.gaps().filter { $0.room == room }
    }

    /// Reasons of the gaps of a room, in order.
    func gapReasons(in room: String) async throws -> [String] {
        try await gaps(in: room).map { $0.reason ?? "-" }
    }

    func isTroubled(_ room: String, _ reason: RoomTrouble.Reason, _ words: String) async throws {
        var found: RoomTrouble?
        try await eventually("\(room) is told to be \(reason)", state: { "\(String(describing: found))" }) {
            found = try archive.reading().rooms().first { $0.name == room }?.trouble
            return found?.reason == reason && found?.detail == words ? true : nil
        }
    }

    func gapStates(_ room: String) async throws -> [String] {
        try await gaps(in: room).map(\.state.rawValue)
    }

    func reported(_ isMet: @escaping @Sendable (ListenerReport) -> Bool) async {
        await listened.reported(isMet)
    }
}

extension RawServer {
    /// A connection that has been registered and has joined, if it does.
    func registered(as nick: String = "archiver", in room: String? = "#example") async throws -> ChatSocket {
        let socket = try await accept()
        try await socket.waitFor("USER ")
        try socket.send(
            ":irc.example CAP * LS :\r\n:irc.example 001 \(nick) :Welcome\r\n"
                + ":irc.example 005 \(nick) CASEMAPPING=rfc1459 CHANTYPES=# :are supported\r\n"
                + ":irc.example 376 \(nick) :End of MOTD\r\n")
        if let room {
            try await socket.waitFor("JOIN \(room)\r\n")
            try socket.send(":\(nick)!a@host JOIN \(room)\r\n:irc.example 366 \(nick) \(room) :End\r\n")
        }
        return socket
    }
}

extension ChatSocket {
    func line(_ text: String) throws {
        try send(text + "\r\n")
    }
}
