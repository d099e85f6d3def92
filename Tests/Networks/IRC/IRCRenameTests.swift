import ChatModel
import IRCWire
import TestSupport
import Testing

/// Messages show the names of their moment, though a server's times are no finer than a millisecond.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct IRCRenameTests {
    /// Said in one millisecond.
    private let lines = [
        ":bob!b@h PRIVMSG #example :one", ":bob!b@h PRIVMSG #example :two", ":bob!b@h PRIVMSG #example :three",
        ":bob!b@h NICK robert", ":robert!b@h PRIVMSG #example :four",
    ]
    private let shown = [
        "#example bob: one", "#example bob: two", "#example bob: three", "#example rename bob: robert",
        "#example robert: four",
    ]

    @Test(.disabled(if: QuickCheck.isRunning))
    func `messages in the millisecond of a NICK or RENAME show the names of their moment`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        let time = "@time=\(Timestamp(microseconds: Timestamp.now().microseconds / 1000 * 1000))"
        let more = [
            ":irc.example RENAME #example #talk :why", ":robert!b@h PRIVMSG #talk :five",
            ":robert!b@h PRIVMSG #talk :six",
        ]
        try await all.listening(port: server.port) {
            let socket = try await server.registered()
            try socket.line("\(time) :bob!b@h JOIN #example")
            for line in lines + more { try socket.line("\(time) \(line)") }
            try await all.holds("#talk robert: six")
        }
        let said = try await all.said().filter { !$0.contains(" join ") }
        #expect(said == shown + ["#example system *: #talk", "#talk robert: five", "#talk robert: six"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `conversation gaps close at the welcome, even when the partner's nick changed hands`()
        async throws
    {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            let socket = try await server.registered()
            for line in [
                ":r1!a@h JOIN #example", ":r1!a@h PRIVMSG archiver :one", ":r1!a@h NICK r1_",
                ":r1_!a@h PRIVMSG archiver :two", ":r1_!a@h QUIT", ":r1!b@h JOIN #example", ":r1!b@h NICK r1_",
                ":r1_!b@h PRIVMSG #example :three",
            ] {
                try socket.line(line)
            }
            try await all.holds("#example r1_: three")
        }
        try await all.listening(port: server.port) {
            let socket = try await server.registered()
            try socket.line(":r1_!b@h PRIVMSG #example :four")
            try await all.holds("#example r1_: four")
            for room in ["r1", "r1_"] {
                #expect(try await all.gaps(in: room).map { $0.to == nil } == [false], "\(room)")
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [true, false])
    func `a history page shows the names of the moment within the millisecond of a NICK`(isKnown: Bool)
        async throws
    {
        let (server, all) = (try RawServer(), try IRCArchiving())
        let now = Timestamp.now().microseconds / 1000 * 1000
        let (before, time) = (
            Timestamp(microseconds: now - 5_000_000), Timestamp(microseconds: now - 1_000_000)
        )
        try await all.listening(port: server.port) {
            let socket = try await server.registered()
            if isKnown { try socket.line("@time=\(before) :bob!b@h PRIVMSG #example :zero") }
            try socket.line("BATCH +1 chathistory #example")
            for line in lines { try socket.line("@batch=1;time=\(time) \(line)") }
            try socket.line("BATCH -1")
            try socket.line(":robert!b@h PRIVMSG #example :five")
            try await all.holds("#example robert: five")
        }
        let said = try await all.said().filter { !$0.contains(" join ") }
        #expect(said == (isKnown ? ["#example bob: zero"] : []) + shown + ["#example robert: five"])
    }
}
