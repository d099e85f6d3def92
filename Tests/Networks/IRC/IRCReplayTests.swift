import ChatModel
import IRCWire
import TestSupport
import Testing

@testable import IRC

/// What is told again of what was said before.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct IRCReplayTests {
    private func time(_ seconds: Int64, _ milliseconds: Int64 = 0) -> String {
        IRCSessionText.epoch.advanced(byMicroseconds: (seconds * 1000 + milliseconds) * 1000).description
    }

    private func joined() -> IRCSessionText {
        var text = IRCSessionText()
        text.receive("@time=\(time(5)) :archiver!a@host JOIN #example")
        text.forget()
        return text
    }

    @Test func `lines from before our join are a replay, up to the first live one`() {
        var text = joined()
        text.receive(
            "@time=\(time(-7200)) :alice!a@host PRIVMSG #example :ㅋㅋ",
            "@time=\(time(-7200)) :alice!a@host PRIVMSG #example :ㅋㅋ",
            "@time=\(time(-60));msgid=x :carol!c@host JOIN #example",
            "@time=\(time(6)) :alice!a@host PRIVMSG #example :now",
            "@time=\(time(-7200)) :alice!a@host PRIVMSG #example :ㅋㅋ")
        #expect(text.messageTexts.suffix(2) == ["#example message alice: now", "#example message alice: ㅋㅋ"])
        #expect(text.areReplays == [true, true, true, false, true])
        #expect(text.replays.map(\.occurrence.inSecond) == [1, 2, 1, 1])
        #expect(text.liveChanges.isEmpty)
    }

    /// A whole second is exact: one message of a thousand has that time by chance, and servers that cut the times of a
    /// replay cut them downwards.
    @Test func `a message from before our join, in the same second, is a replay`() {
        var text = IRCSessionText()
        text.receive("@time=\(time(5, 194)) :archiver!a@host JOIN #example")
        text.forget()
        text.receive(
            "@time=\(time(5)) :alice!a@host JOIN #example", "@time=\(time(5)) :alice!a@host PRIVMSG #example :ㅋㅋ",
            "@time=\(time(5, 193)) :alice!a@host PRIVMSG #example :ㅋㅋ",
            "@time=\(time(5, 194)) :alice!a@host PRIVMSG #example :now",
            "@time=\(time(6)) :alice!a@host PRIVMSG #example :ㅋㅋ")
        #expect(text.areReplays == [true, true, true, false, false])
        #expect(text.liveChanges.isEmpty)
    }

    /// Our JOIN has znc's clock, and other lines have the network's.
    @Test func `a join or part with a time a little before our join changes the members`() {
        var text = joined()
        text.receive(
            ":irc.example 353 archiver = #example :archiver alice", ":irc.example 366 archiver #example :End",
            "@time=\(time(4, 940)) :carol!c@host JOIN #example", "@time=\(time(4, 950)) :alice!a@host PART #example",
            ":carol!c@host QUIT :bye", ":alice!a@host QUIT :bye")
        #expect(
            text.messageTexts == ["#example join carol", "#example leave alice", "#example leave carol: bye"])
        #expect(text.areReplays == [true, true, false])
    }

    @Test(arguments: [(-5000, true), (-5001, false)] as [(Int64, Bool)])
    func `a join more than ten seconds before ours is a replay`(milliseconds: Int64, isMember: Bool) {
        var text = joined()
        text.receive("@time=\(time(0, milliseconds)) :carol!c@host JOIN #example")
        let members = text.session.receiver.presence.membership.members(of: Array("#example".utf8))
        #expect(members.contains(Array("carol".utf8)) == isMember)
        #expect(text.messageTexts == ["#example join carol"] && text.areReplays == [true])
    }

    @Test func `a message in the second of our join is live if the server cuts times to seconds`() {
        var text = joined()
        text.receive("@time=\(time(5)) :alice!a@host PRIVMSG #example :now")
        #expect(text.areReplays == [false])
    }

    @Test func `each batch is its own replay, and a nested batch belongs to its outer one`() {
        var text = joined()
        let line = "time=\(time(-60)) :alice!a@host PRIVMSG #example :ㅋㅋ"
        text.receive(
            ":irc.example BATCH +1 chathistory #example", "@batch=1;\(line)", "@batch=1 BATCH +2 chathistory #example",
            "@batch=2;\(line)", "BATCH -2", ":irc.example BATCH -1", ":irc.example BATCH +3 chathistory #example",
            "@batch=3;\(line)", ":irc.example BATCH -3")
        #expect(text.replays.map(\.occurrence.inSecond) == [1, 2, 1])
        #expect(text.session.receiver.replays.batch == nil)
    }

    @Test func `the most exact time of a replay decides its resolution`() {
        var text = joined()
        text.receive(
            "BATCH +1 chathistory #example", "@batch=1;time=\(time(-60)) :alice!a@host PRIVMSG #example :1",
            "@batch=1;time=\(time(-59)) :alice!a@host PRIVMSG #example :2", "BATCH -1",
            "BATCH +2 chathistory #example", "@batch=2;time=\(time(-60)) :alice!a@host PRIVMSG #example :1",
            "@batch=2;time=\(time(-59, 7)) :alice!a@host PRIVMSG #example :2", "BATCH -2")
        #expect(text.replays.map(\.resolution) == [.second, .second, .microsecond, .microsecond])
    }

    @Test func `a replayed message without id and time is ignored`() {
        var text = joined()
        text.receive(
            "BATCH +1 chathistory #example", "@batch=1 :alice!a@host PRIVMSG #example :when?",
            "@batch=1;msgid=x :alice!a@host PRIVMSG #example :this one", "BATCH -1")
        #expect(text.messageTexts == ["#example message alice: this one"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `messages of a server that restarts its ids are stored`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            for run in 1...2 {
                let socket = try await server.registered()
                for line in 0..<3 { try socket.line("@msgid=\(line) :alice!a@h PRIVMSG #example :\(run) \(line)") }
                try await all.holds("#example alice: \(run) 2")
            }
        }
        let said = try await all.said().filter { $0.contains("alice") }
        #expect(said == ["1 0", "1 1", "1 2", "2 0", "2 1", "2 2"].map { "#example alice: \($0)" })
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `many replays in many rooms need no more memory than one`() {
        var text = joined()
        for number in 0..<1000 {
            text.receive("@time=\(time(-7200)) :alice\(number)!a@host PRIVMSG archiver :hi")
        }
        #expect(text.session.receiver.replays.bare?.room == "alice999")
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [true, false])
    func `playback at each connection is stored once, with or without a batch`(hasBatch: Bool)
        async throws
    {
        let (server, all) = (try RawServer(), try IRCArchiving())
        let start = Timestamp(microseconds: 1_790_000_000_000_000)
        func tag(_ milliseconds: Int64) -> String {
            "time=\(start.advanced(byMicroseconds: milliseconds * 1000))"
        }
        /// ㅋㅋ twice in a second, and by somebody who has another nick by then.
        var lines = [
            "\(tag(100)) :alice!a@h PRIVMSG #example :ㅋㅋ", "\(tag(700)) :alice!a@h PRIVMSG #example :ㅋㅋ",
            "\(tag(800)) :bob!b@h PRIVMSG #example :before", "\(tag(900)) :bob!b@h NICK bobby",
            "\(tag(1000)) :bobby!b@h PRIVMSG #example :after",
        ]
        try await all.listening(port: server.port) {
            do {
                let socket = try await server.registered(joinedAt: tag(0))
                try socket.line("@\(tag(50)) :bob!b@h JOIN #example")
                for line in lines { try socket.line("@" + line) }
                try await all.holds("#example bobby: after")
            }
            for round in 1...3 {
                let missed = "\(tag(Int64(round) * 10_000)) :alice!a@h PRIVMSG #example :missed"
                lines += [missed, missed]
                let socket = try await server.registered(joinedAt: tag(Int64(round) * 10_000 + 5000))
                let told = lines.filter { !$0.contains(" NICK ") }
                if hasBatch { try socket.line("BATCH +r chathistory #example") }
                for line in told { try socket.line((hasBatch ? "@batch=r;" : "@") + line) }
                if hasBatch { try socket.line("BATCH -r") }
                try socket.line("@\(tag(Int64(round) * 10_000 + 6000)) :alice!a@h PRIVMSG #example :live \(round)")
                try await all.holds("#example alice: live \(round)")
            }
        }
        let said = try await all.messages().filter { $0.kind == .message }
        #expect(
            said.map { "\($0.sender?.name ?? ""): \($0.body ?? "")" } == [
                "alice: ㅋㅋ", "alice: ㅋㅋ", "bob: before", "bobby: after", "alice: missed", "alice: missed",
                "alice: live 1", "alice: missed", "alice: missed", "alice: live 2", "alice: missed", "alice: missed",
                "alice: live 3",
            ])
        #expect(said.filter { $0.flags.contains(.replayed) }.map(\.body) == Array(repeating: "missed", count: 6))
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [true, false])
    func `a live join by a slow clock is stored once, even when played again`(hasBatch: Bool) async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        let start = Timestamp(microseconds: 1_790_000_000_000_000)
        func tag(_ milliseconds: Int64) -> String {
            "time=\(start.advanced(byMicroseconds: milliseconds * 1000))"
        }
        try await all.listening(port: server.port) {
            for round in 1...2 {
                let socket = try await server.registered(joinedAt: tag(Int64(round) * 5000))
                let isInBatch = hasBatch && round == 2
                if isInBatch { try socket.line("BATCH +r chathistory #example") }
                try socket.line((isInBatch ? "@batch=r;" : "@") + "\(tag(4940)) :carol!c@h JOIN #example")
                if isInBatch { try socket.line("BATCH -r") }
                try socket.line("@\(tag(Int64(round) * 5000 + 1000)) :alice!a@h PRIVMSG #example :live \(round)")
                try await all.holds("#example alice: live \(round)")
            }
        }
        let joins = try await all.messages().filter { $0.kind == .join && $0.sender?.name == "carol" }
        #expect(joins.count == 1)
    }
}

extension RawServer {
    /// A connection that has been registered with times, and has joined #example by then.
    fileprivate func registered(joinedAt tag: String) async throws -> ChatSocket {
        let socket = try await accept()
        try await socket.waitFor("USER ")
        try socket.line(":irc.example CAP * LS :server-time batch")
        try await socket.waitFor("CAP REQ ")
        try socket.line(
            ":irc.example CAP * ACK :batch server-time\r\n:irc.example 001 archiver :Welcome\r\n"
                + ":irc.example 376 archiver :End of MOTD")
        try await socket.waitFor("JOIN #example\r\n")
        try socket.line("@\(tag) :archiver!a@h JOIN #example\r\n:irc.example 366 archiver #example :End")
        return socket
    }
}
