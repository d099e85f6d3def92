import ChatModel
import TestSupport
import Testing

/// The topics that stand when the account joins a room.
struct IRCTopicTests {
    private static let join = ":archiver!a@host JOIN #example"
    private static let plans = ":irc.example 332 archiver #example :plans"
    private static let origin = ":irc.example 333 archiver #example alice!a@host 1700000000"
    private static let pong = ":irc.example PONG irc.example :scrollback"
    private static let end = ":irc.example 366 archiver #example :End of NAMES"

    private func text(_ lines: [String]) -> IRCSessionText {
        var text = IRCSessionText()
        text.receive(bytes: Array(lines.map { $0 + "\r\n" }.joined().utf8))
        return text
    }

    @Test(
        arguments: [
            ([join, plans, origin, end], ["#example alice 1700000000: plans"]),
            (
                [join, plans, ":irc.example 333 archiver #example alice 1700000000", end],
                ["#example alice 1700000000: plans"]
            ),
            ([join, plans, end], ["#example * -: plans"]),
            ([join, plans, ":bob!b@host PRIVMSG #example :hi", origin, end], ["#example * -: plans"]),
            ([join, plans, ":irc.example 333 archiver #other alice 1700000000", end], ["#example * -: plans"]),
            ([join, plans, ":irc.example 333 archiver #example alice soon", end], ["#example alice -: plans"]),
            (
                [join, plans, ":irc.example 333 archiver #example alice 9223372036854775807", end],
                ["#example alice -: plans"]
            ),
            ([join, plans, ":irc.example 333 archiver #example", end], ["#example * -: plans"]),
            ([join, end, pong], ["#example * -: "]),
            ([join, end, end], ["#example * -: "]),
            ([join, ":irc.example 331 archiver #example :No topic is set", end], ["#example * -: "]),
            ([join, ":irc.example 332 archiver #other :elsewhere", end, pong], ["#example * -: "]),
            ([join, ":alice!a@host TOPIC #example :live", end, pong], []),
            ([plans, origin, end, pong], []),
            ([join, origin, ":alice!a@host PRIVMSG #example :hi"], []),
            ([join, end, plans, origin, pong], ["#example alice 1700000000: plans"]),
        ] as [([String], [String])])
    func `a topic after our join is reported once, with its setter and time`(lines: [String], topics: [String]) {
        #expect(text(lines).topics == topics)
    }

    @Test func `each join of a room reports its topic`() {
        let kick = ":bob!b@host KICK #example archiver :out"
        let lines = [Self.join, Self.plans, Self.origin, Self.end, kick, Self.join, Self.end, kick, Self.end]
        #expect(text(lines).topics == ["#example alice 1700000000: plans", "#example * -: "])
    }

    @Test func `a topic keeps its lines, its bytes and our own name`() throws {
        let lines = [
            Self.join, Self.plans, ":irc.example 333 archiver #example Archiver!a@host 1700000000", Self.end,
        ]
        guard case .message(let message, _) = try #require(text(lines).events.first(where: Self.isTopic)) else {
            throw CancellationError()
        }
        #expect(message.sender?.isSelf == true && message.kind == .topic && message.sourceTime == nil)
        #expect(message.raw == Array("\(lines[1])\n\(lines[2])".utf8))
    }

    private static func isTopic(_ event: ChatEvent) -> Bool {
        if case .message(_, .standing) = event { true } else { false }
    }

    @Test func `topic lines in history are not a standing topic`() {
        let lines = [
            Self.join, Self.plans, Self.origin, Self.end, "BATCH +1 chathistory #example",
            "@batch=1;msgid=1 :alice!a@host TOPIC #example :old", "BATCH -1",
        ]
        let session = text(lines)
        #expect(session.topics == ["#example alice 1700000000: plans"])
        #expect(session.messageTexts.last == "#example topic alice: old" && session.areReplays.last == true)
    }

    @Test func `topics are the same wherever the lines are split`() {
        let lines = [
            Self.join, ":irc.example 332 archiver #example :오늘의 주제", Self.origin,
            ":irc.example 353 archiver = #example :archiver alice", Self.end, ":alice!a@host PRIVMSG #example :안녕",
        ]
        let bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
        for cut in 1..<bytes.count {
            var text = IRCSessionText()
            text.receive(bytes: Array(bytes[..<cut]))
            text.receive(bytes: Array(bytes[cut...]))
            #expect(text.topics == ["#example alice 1700000000: 오늘의 주제"], "\(cut)")
            #expect(
                text.messageTexts.suffix(2) == ["#example join archiver", "#example message alice: 안녕"], "\(cut)")
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a topic and its removal are stored once, even over later connections`() async throws {
        let server = try RawServer()
        let all = try IRCArchiving()
        try await all.listening(port: server.port) {
            for (number, topic) in ["plans", "plans", "other", "", ""].enumerated() {
                let socket = try await server.registered(in: nil)
                try await socket.waitFor("JOIN #example\r\n")
                try socket.line(Self.join)
                if !topic.isEmpty {
                    try socket.line(":irc.example 332 archiver #example :\(topic)\r\n\(Self.origin)")
                }
                try socket.line("\(Self.end)\r\n:alice!a@host PRIVMSG #example :\(number)")
                try await all.holds("#example alice: \(number)")
            }
        }
        let topics = try await all.messages().filter { $0.kind == .topic }
        #expect(
            topics.map { "\($0.sender?.name ?? "*"): \($0.body ?? "")" } == ["alice: plans", "alice: other", "*: "])
        #expect(topics.allSatisfy { $0.flags.contains(.standing) })
        #expect(topics.first?.sourceTime == Timestamp(microseconds: 1_700_000_000_000_000))
    }
}
