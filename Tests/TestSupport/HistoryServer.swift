import ChatModel
import IRCWire
import NIOCore
import Synchronization

/// A server with CHATHISTORY (IRCv3 draft/chathistory) and its faults, of two kinds, on a socket.
///
/// Its clock is this machine's, plus the time that a test adds, so that an outage of an hour takes no time.
package final class HistoryServer: Sendable {
    struct State {
        var said: [Said] = []
        /// The messages in the history.
        var history: [Said] = []
        var faults = Faults()
        var aheadMilliseconds: Int64 = 0
        var isDown = false
        /// True for a bouncer that is not connected to the network.
        var isOffline = false
        var requests: [String] = []
        var requestCount = 0
        var joined: Set<String> = []
        var joinedAt: Int64 = 0
        var registeredAt: Int64 = 0
        var registered = false
        var writer: NIOAsyncChannelOutboundWriter<ByteBuffer>?
        var close: (@Sendable () -> Void)?
        var connections = 0
    }

    package let kind: Kind
    let limit: Int
    /// True for a bouncer (soju), which is in #example on its own, and whose history has its joins.
    private let isBouncer: Bool
    let state = Mutex(State())

    /// - Parameter limit: The limit of messages in a page.
    package init(_ kind: Kind, limit: Int = 10, isBouncer: Bool = false) {
        (self.kind, self.limit, self.isBouncer) = (kind, limit, isBouncer)
    }

    package var said: [Said] { state.withLock { $0.said } }
    package var requests: [String] { state.withLock { $0.requests } }
    package var connections: Int { state.withLock { $0.connections } }
    package var isJoined: Bool { state.withLock { !$0.joined.isEmpty } }

    package func fails(_ change: (inout Faults) -> Void) {
        state.withLock { change(&$0.faults) }
    }

    package func run(_ body: (Int) async throws -> Void) async throws {
        try await LoopbackServer.run(
            serve: { _, inbound, outbound in try await self.serve(inbound, outbound) },
            body: { server in try await body(server.port) })
    }

    /// The server's clock, in milliseconds since 1970.
    package var now: Int64 { state.withLock { Self.now($0) } }

    static func now(_ state: State) -> Int64 { Timestamp.now().microseconds / 1000 + state.aheadMilliseconds }

    /// Ends the connection and accepts none until the server is up again, after this time by its clock. Messages of
    /// `body` are sent meanwhile.
    package func isAway(for seconds: Int64, _ body: (HistoryServer) async throws -> Void = { _ in }) async throws {
        let close = state.withLock { state in
            state.isDown = true
            return state.close
        }
        close?()
        while state.withLock({ $0.writer != nil }) { await Task.yield() }
        // Adds half of the time before and half after, so that `body` runs in the middle.
        state.withLock { $0.aheadMilliseconds += seconds * 500 }
        try await body(self)
        state.withLock { state in
            state.aheadMilliseconds += seconds * 500
            state.isDown = false
        }
    }

    /// Disconnects a bouncer from its network for this time. Nobody receives the messages of `body`. The client stays
    /// connected, and gets soju's notices.
    ///
    /// - Parameters:
    ///   - says: True if the bouncer's service sends a notice about the loss.
    ///   - millisecond: The milliseconds in the time of the account's JOIN; nil if any will do.
    package func losesNetwork(
        for seconds: Int64, says: Bool = true, joinsAt millisecond: Int64? = nil,
        _ body: (HistoryServer) async throws -> Void = { _ in }
    ) async throws {
        state.withLock { $0.isOffline = true }
        if says { try await tells("disconnected from example: EOF") }
        state.withLock { $0.aheadMilliseconds += seconds * 500 }
        try await body(self)
        state.withLock { state in
            state.aheadMilliseconds += seconds * 500
            state.isOffline = false
        }
        if says { try await tells("connected to example") }
        let join = millisecond.map { millisecond in
            state.withLock { state in
                let now = Self.now(state)
                let wait = (millisecond - now % 1000 + 1000) % 1000
                state.aheadMilliseconds += wait
                return now + wait
            }
        }
        try await joinsAgain(at: join)
    }

    /// Ends a bouncer and the client's connection. Nobody receives the messages of `body`.
    package func isKilled(for seconds: Int64, _ body: (HistoryServer) async throws -> Void = { _ in }) async throws {
        try await isAway(for: seconds) { server in
            state.withLock { $0.isOffline = true }
            try await body(server)
            state.withLock { $0.isOffline = false }
        }
        try await joinsAgain()
    }

    /// Adds the account's own JOIN to the history, and sends it to a connected client.
    private func joinsAgain(at time: Int64? = nil) async throws {
        let (line, writer) = state.withLock { state in
            var join = Self.note("", "#example", "archiver", time, true, &state)
            join.isJoin = true
            state.said[join.number] = join
            state.history[state.history.count - 1] = join
            return (self.line(join), state.registered ? state.writer : nil)
        }
        try await writer?.write(ByteBuffer(string: line))
    }

    private func tells(_ text: String) async throws {
        try await state.withLock { $0.writer }?.write(
            ByteBuffer(string: ":BouncerServ!BouncerServ@BouncerServ NOTICE archiver :\(text)\r\n"))
    }

    /// Sends a message in a room, or to the archiver if `room` is `archiver`.
    ///
    /// - Parameters:
    ///   - time: The time by the server's clock; nil for the present time, which no other message has.
    ///   - isKept: True to keep the message in the history.
    package func say(
        _ text: String, in room: String = "#example", by nick: String = "alice", at time: Int64? = nil,
        isKept: Bool = true
    ) async throws {
        let (line, writer) = state.withLock { state in
            let said = Self.note(text, room, nick, time, isKept, &state)
            return (said.wasHeard ? self.line(said) : nil, state.writer)
        }
        // A connection that a fault ends meanwhile does not get the message.
        if let line { try? await writer?.write(ByteBuffer(string: line)) }
    }

    private static func note(
        _ text: String, _ room: String, _ nick: String, _ time: Int64?, _ isKept: Bool, _ state: inout State
    ) -> Said {
        let isHeard = state.registered && (state.joined.contains(room) || !room.hasPrefix("#"))
        let said = Said(
            number: state.said.count, room: room, nick: nick, text: text,
            milliseconds: time ?? max(now(state), (state.said.last?.milliseconds ?? 0) + 1),
            wasHeard: isHeard && state.writer != nil && !state.isOffline)
        state.said.append(said)
        if isKept, !state.isOffline { state.history.append(said) }
        return said
    }

    /// Removes all messages from before this time from the history.
    package func forgets(before milliseconds: Int64) {
        state.withLock { state in state.history.removeAll { $0.milliseconds < milliseconds } }
    }

    /// Restores all messages that were ever sent to the history.
    package func remembersAll() {
        state.withLock { $0.history = $0.said.filter { !$0.isJoin } }
    }

    func line(_ said: Said, batch: String? = nil) -> String {
        var tags = ["time=\(Self.time(said.milliseconds))"]
        if kind == .ids { tags.append("msgid=m\(said.number)") }
        if let batch { tags.append("batch=\(batch)") }
        if said.isJoin { return "@\(tags.joined(separator: ";")) :archiver!a@host JOIN \(said.room)\r\n" }
        return "@\(tags.joined(separator: ";")) :\(said.nick)!u@host PRIVMSG \(said.room) :\(said.text)\r\n"
    }

    static func time(_ milliseconds: Int64) -> String {
        String(decoding: ServerTime.text(milliseconds: milliseconds), as: UTF8.self)
    }

    // MARK: - A connection

    private func serve(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        guard !state.withLock({ $0.isDown }) else { return }
        let closing = AsyncStream<Void>.makeStream()
        state.withLock { state in
            state.writer = outbound
            state.connections += 1
            state.close = { closing.continuation.finish() }
        }
        defer {
            state.withLock { state in
                (state.writer, state.close, state.registered) = (nil, nil, false)
                state.joined = []
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in closing.stream {} }
            group.addTask {
                var splitter = LineSplitter()
                for try await bytes in inbound {
                    for case .line(let line) in splitter.splitLines(Array(bytes.readableBytesView)) {
                        guard let message = try? IRCMessage(line: line) else { continue }
                        guard try await self.answer(message, outbound) else { return }
                    }
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Answers a message. Returns false if the connection ends.
    private func answer(
        _ message: IRCMessage, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws -> Bool {
        func send(_ lines: String...) async throws {
            try await outbound.write(ByteBuffer(string: lines.map { $0 + "\r\n" }.joined()))
        }
        let text = message.params.map { String(decoding: $0, as: UTF8.self) }
        let stamp = "@time=\(Self.time(now)) "
        switch message.verb {
        case "CAP" where text.first == "LS":
            try await send(
                ":irc.example CAP * LS :message-tags server-time batch echo-message labeled-response "
                    + "draft/chathistory draft/event-playback standard-replies")
        case "CAP" where text.first == "REQ": try await send(":irc.example CAP * ACK :\(text.last ?? "")")
        case "CAP" where text.first == "END":
            let types = kind == .ids ? "msgid,timestamp" : "timestamp"
            try await send(
                "\(stamp):irc.example 001 archiver :Welcome",
                "\(stamp):irc.example 005 archiver CASEMAPPING=ascii CHANTYPES=# CHATHISTORY=\(limit) "
                    + "MSGREFTYPES=\(types)\(isBouncer ? " BOUNCER_NETID=1" : "") :are supported",
                "\(stamp):irc.example 376 archiver :End of MOTD")
            state.withLock { ($0.registered, $0.registeredAt) = (true, Self.now($0)) }
            if isBouncer { return try await answer(IRCMessage("JOIN", "#example"), outbound) }
        case "JOIN" where isBouncer && isJoined: break
        case "JOIN":
            for room in text[0].split(separator: ",").map(String.init) {
                let line = state.withLock { state in
                    state.joined.insert(room)
                    state.joinedAt = Self.now(state)
                    return "@time=\(Self.time(Self.now(state))) :archiver!a@host JOIN \(room)"
                }
                try await send(line, ":irc.example 366 archiver \(room) :End")
            }
        case "PING": try await send("\(stamp):irc.example PONG irc.example :\(text.last ?? "")")
        case "QUIT": return false
        case "CHATHISTORY": return try await history(message, text, outbound)
        default: break
        }
        return true
    }
}
