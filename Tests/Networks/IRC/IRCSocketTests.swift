import Archive
import ChatModel
import IRC
import Reading
import Sessions
import TestSupport
import Testing

/// The listener, an archive, and a server of the test's words on a real socket.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct IRCSocketTests {
    @Test(.disabled(if: QuickCheck.isRunning))
    func `messages are stored, a lost connection is a gap, and the listener reconnects`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            do {
                let socket = try await server.registered()
                try socket.line(":alice!a@h PRIVMSG #example :안녕")
                try await all.holds("#example alice: 안녕")
            }
            let socket = try await server.registered()
            try socket.line(":alice!a@h PRIVMSG #example :다시")
            try await all.holds("#example alice: 다시")
            let gaps = try await all.gapReasons(in: "#example")
            #expect(gaps == ["closed"] || gaps == ["lost"])
        }
        #expect(
            try await all.said() == [
                "#example join archiver", "#example alice: 안녕", "#example join archiver", "#example alice: 다시",
            ])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a connection that ends at any step is reopened`() async throws {
        let steps = [
            "", ":irc.example CAP * LS :server-time\r\n", ":irc.example 001 archiver :Welcome\r\n",
            ":irc.example 376 archiver :End\r\n", ":archiver!a@h JOIN #example\r\n", ":alice!a@h PRIV",
        ]
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            for count in 1...steps.count {
                let socket = try await server.accept()
                try await socket.waitFor("USER ")
                for step in steps.prefix(count) { try socket.send(step) }
            }
            let socket = try await server.registered()
            try socket.line(":alice!a@h PRIVMSG #example :through")
            try await all.holds("#example alice: through")
        }
        #expect(try await all.said().filter { $0.contains("alice") } == ["#example alice: through"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a stop sends QUIT, reads what arrives before the end, and is not an error`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        let socket = try await all.listening(port: server.port) {
            let socket = try await server.registered()
            try socket.line(":alice!a@h PRIVMSG #example :last words")
            try await all.holds("#example alice: last words")
            return socket
        }
        #expect(socket.text.hasSuffix("QUIT\r\n"))
        #expect(try await all.gapReasons(in: "#example") == ["stopped"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a ping is answered before any other line, in any number of lines`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            let socket = try await server.registered()
            let lines = (0..<5000).map { ":alice!a@h PRIVMSG #example :\($0)\r\n" }.joined()
            try socket.send(lines + "PING :a token\r\n")
            try await socket.waitFor("PONG :a token\r\n")
            try await all.holds("#example alice: 4999")
        }
        let numbers = try await all.said().filter { $0.hasPrefix("#example alice: ") }
        #expect(numbers == (0..<5000).map { "#example alice: \($0)" })
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `configuration changes apply while connected`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            let socket = try await server.registered()
            all.configure { $0.rooms = ["#other"] }
            try await socket.waitFor("PART #example\r\nJOIN #other\r\n")
            try socket.line(":archiver!a@h PART #example\r\n:archiver!a@h JOIN #other")
            try socket.line(":alice!a@h PRIVMSG #other :here")
            try await all.holds("#other alice: here")
            #expect(try await all.gapStates("#example") == ["ended"])
            #expect(try await all.gapStates("#other").isEmpty)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a reopened connection joins the current rooms`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            do {
                let socket = try await server.registered()
                all.configure { $0.rooms = ["#other"] }
                try await socket.waitFor("PART #example\r\nJOIN #other\r\n")
            }
            let socket = try await server.registered(in: "#other")
            try socket.line(":alice!a@h PRIVMSG #other :here")
            try await all.holds("#other alice: here")
            #expect(!socket.text.contains("#example"))
            #expect(try await all.gapStates("#example") == ["lost", "ended"])
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a room that the next configuration lacks has no gap from then on`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            let socket = try await server.registered()
            try socket.line(":alice!a@h PRIVMSG #example :here")
            try await all.holds("#example alice: here")
        }
        #expect(try await all.gapStates("#example") == ["current"])
        try await all.listening(port: server.port, rooms: ["#other"]) {
            let socket = try await server.registered(in: "#other")
            try socket.line(":alice!a@h PRIVMSG #other :here")
            try await all.holds("#other alice: here")
        }
        #expect(try await all.gapStates("#example") == ["lost", "ended"])
        try await all.listening(port: server.port) {
            let socket = try await server.registered()
            try socket.line(":alice!a@h PRIVMSG #example :again")
            try await all.holds("#example alice: again")
        }
        #expect(try await all.gapStates("#example") == ["lost", "current"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a flood larger than the buffer is stored completely and in order`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            $0.bufferBytes = 65_536
        } _: {
            let socket = try await server.registered()
            let body = String(repeating: "가", count: 100)
            for start in stride(from: 0, to: 10_000, by: 100) {
                let lines = (start..<(start + 100)).map { ":alice!a@h PRIVMSG #example :\($0) \(body)\r\n" }
                try socket.send(lines.joined())
            }
            try await all.holds("#example alice: 9999 \(body)")
        }
        let numbers = try await all.messages().compactMap { $0.body?.prefix { $0 != " " } }
        #expect(numbers == (0..<10_000).map { "\($0)" })
    }

    @Test func `a nick in use is replaced by another`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            $0.alternatives = ["archivist"]
        } _: {
            let socket = try await server.accept()
            try await socket.waitFor("USER ")
            try socket.line(":irc.example CAP * LS :\r\n:irc.example 433 * archiver :Nickname is in use")
            try await socket.waitFor("NICK archivist\r\n")
            try socket.line(":irc.example 001 archivist :Welcome\r\n:irc.example 422 archivist :No MOTD")
            try await socket.waitFor("JOIN #example\r\n")
            try socket.line(":archivist!a@h JOIN #example\r\n:alice!a@h PRIVMSG #example :hello")
            try await all.holds("#example alice: hello")
        }
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            (":irc.example 465 * :You are banned", "banned"),
            ("ERROR :Closing link (Throttled: too fast)", "limits connections"),
            (":irc.example 433 * archiver :in use", "did not complete the login within"),
        ])
    func `a server's refusal is reported in its own text, and retried`(line: String, says: String)
        async throws
    {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            $0.bannedPause = .milliseconds(1)
            // Where the server answers, it may take a busy machine longer.
            if says.contains("within") { $0.registrationTimeout = .milliseconds(300) }
        } _: {
            var sockets: [ChatSocket] = []
            for _ in 0..<2 {
                let socket = try await server.accept()
                try await socket.waitFor("USER ")
                try socket.line(line)
                sockets.append(socket)
            }
            defer { withExtendedLifetime(sockets) {} }
            await all.reported { $0.state == .waiting && $0.lastError?.contains(says) == true && $0.nextTry != nil }
        }
        #expect(try all.archive.reading().rooms().isEmpty)
    }

    @Test func `SASL precedes the registration, and a wrong password waits for a person`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        let secrets = Watched(IRCSecrets(password: "wrong"))
        try await all.listening(port: server.port) {
            $0.authentication = .plain(user: "minsu")
            $0.secrets = secrets.value
            $0.currentSecrets = { secrets.value }
            $0.loginAttempts = 1
        } _: {
            for (answer, isRight) in [("AG1pbnN1AHdyb25n", false), ("AG1pbnN1AOu5hOuwgA==", true)] {
                let socket = try await server.accept()
                try await socket.waitFor("USER ")
                try socket.line(":irc.example CAP * LS :sasl=PLAIN")
                try await socket.waitFor("CAP REQ sasl\r\n")
                try socket.line(":irc.example CAP * ACK :sasl")
                try await socket.waitFor("AUTHENTICATE PLAIN\r\n")
                try socket.line("AUTHENTICATE +")
                try await socket.waitFor("AUTHENTICATE \(answer)\r\n")
                guard isRight else {
                    try socket.line(":irc.example 904 * :SASL authentication failed")
                    await all.reported { $0.state == .needsLogin && $0.lastError?.contains("904") == true }
                    #expect(!socket.text.contains("CAP END"))
                    secrets.change { $0.password = "비밀" }
                    continue
                }
                try socket.line(":irc.example 903 archiver :ok")
                try await socket.waitFor("CAP END\r\n")
                try socket.line(":irc.example 001 archiver :Welcome\r\n:irc.example 376 archiver :End")
                try await socket.waitFor("JOIN #example\r\n")
                try socket.line(":archiver!a@h JOIN #example\r\n:alice!a@h PRIVMSG #example :in")
                try await all.holds("#example alice: in")
            }
        }
    }

    @Test func `a kick is a gap in its room until the room is joined again`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            let socket = try await server.registered()
            try socket.line(":alice!a@h KICK #example archiver :나가")
            try await all.holds("#example kick alice: archiver: 나가")
            try await socket.waitFor("JOIN #example\r\n" + "JOIN #example\r\n")
            try socket.line(":irc.example 474 archiver #example :Cannot join (+b)")
            try await all.isTroubled("#example", .banned, "Cannot join (+b)")
            let status = try all.archive.reading().status().first
            #expect(status?.lastError == "#example is not joined: Cannot join (+b)")
            try await eventually("it asks once more") {
                socket.text.split(separator: "JOIN #example").count > 3 ? true : nil
            }
            try socket.line(":archiver!a@h JOIN #example\r\n:alice!a@h PRIVMSG #example :back")
            try await all.holds("#example alice: back")
            #expect(try await all.gapReasons(in: "#example") == ["left"])
            #expect(try all.archive.reading().rooms().allSatisfy { $0.trouble == nil })
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a silent server is disconnected, and the gap begins at its last sign of life`() async throws {
        let (server, all) = (try RawServer(), try IRCArchiving())
        try await all.listening(port: server.port) {
            // Long enough for a busy machine to register and join first.
            $0.pingInterval = .seconds(1)
            $0.pingTimeout = .seconds(1)
        } _: {
            let socket = try await server.registered()
            try await socket.waitFor("PING scrollback\r\n")
            let again = try await server.registered()
            try await eventually("the silence is a gap") {
                try await all.gapReasons(in: "#example").contains("silent") ? true : nil
            }
            _ = again
        }
    }
}
