import Foundation
import TestSupport
import Testing

/// Commands that look at an archive, beside the listener that writes it.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ArchiveInspectionTests {
    @Test func `accounts are listed with the process that writes them, until it ends`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        try await alice.say("hi", as: "alice")
        try await eventually("it is stored") { scrollback.acknowledged.count == 1 ? true : nil }

        let written = try await scrollback("accounts")
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.output.contains("process \(listener.id) ("))
        _ = try await listener.stop()
        let machine = try await scrollback("accounts", "--format", "jsonl").output
        #expect(
            machine.hasPrefix(#"{"account": "a1", "network": "streamchat", "folder": "\#(scrollback.data)/accounts/"#))
        #expect(machine.contains(#""messages": 1, "rooms": 1, "#))
        #expect(machine.contains("\"writer\": null, \"state\": \"hot\", \"cold_bytes\": null, \"used_at\": \"20"))
        #expect(machine.hasSuffix("\"in_use\": false}\n"))
    }

    @Test func `the order of use is written once for all accounts of a command, and not repeated`()
        async throws
    {
        let scrollback = try Program()
        try scrollback.write("2026-11-21 10:00:00\talice\thi\n", to: "log")
        for account in ["one", "two", "three"] {
            #expect(try await scrollback("import", "weechat", "log", "-a", account, "--room", "#a").status == 0)
        }
        /// The number of transactions, which SQLite counts in the file's header.
        func changes(_ command: String...) async throws -> UInt32 {
            #expect(try await scrollback.start(arguments: command).result().status == 0)
            let header = try Data(contentsOf: URL(filePath: scrollback.data + "/catalog.sqlite")).dropFirst(24).prefix(
                4)
            return header.reduce(0) { $0 << 8 | UInt32($1) }
        }
        let before = try await changes("history", "one/#a")
        #expect(try await changes("search", "hi") == before + 1)
        #expect(try await changes("search", "hi") == before + 1)
        #expect(try await changes("history", "three/#a") == before + 2)
        #expect(try await changes("history", "three/#a") == before + 2)
        // Following ends by a signal.
        let following = try scrollback.start("tail", "one/#a", "-f")
        try await eventually("it follows") { following.output.contains("hi") ? true : nil }
        _ = try await following.stop(SIGKILL)
        #expect(try await changes("accounts") == before + 3)
    }

    @Test(arguments: ["d", "가", "d/", "./d"])
    func `a data folder's name can have one character`(folder: String) async throws {
        let scrollback = try Program()
        try scrollback.write("2026-11-21 10:00:00\talice\thi\n", to: "log")
        let imported = try await scrollback("import", "weechat", "log", "-a", "o", "--room", "#a", "--data", folder)
        #expect(imported.status == 0, "\(imported.errors)")
        for command in [
            ["export", "-o", "x"], ["backup", "o", "b"], ["archive", "compress", "o"], ["search", "hi", "--cold"],
        ] {
            let result = try await scrollback.start(arguments: command + ["--data", folder]).result()
            #expect(result.status == 0, "\(command) \(result.errors)")
        }
    }

    @Test func `users are listed by room, by account and in total while they talk`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port, server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener()
        let minsu = try await ChatSocket.joined("민수", port: server.port)
        try await minsu.say("안녕", as: "민수")
        for account in ["a1", "a2"] {
            try await eventually("\(account) knows 민수", state: { listener.errors }) { () -> Bool? in
                let users = try await scrollback("users", "-a", account, "--format", "jsonl")
                return users.output.contains(#""account": "\#(account)", "name": "민수", "#) ? true : nil
            }
        }
        let member = try await scrollback("users", "a1/lobby", "--format", "jsonl").output
        #expect(member.contains(#""name": "민수""#))
        #expect(member.contains(#""room": "lobby", "joined_at": "20"#))
        let everybody = try await scrollback("users").output
        #expect(everybody.contains("ACCOUNT  USER"))
        #expect(everybody.contains("a1       민수") && everybody.contains("a2       민수"))
        let unknown = try await scrollback("users", "loby")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("did you mean \"lobby\"?"))
        withExtendedLifetime(alice) {}
        _ = try await listener.stop()
    }

    @Test func `show prints a message with its payload, beside its listener`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port, server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener()
        for word in ["one", "두 번째"] { try await alice.say(word, as: "alice") }
        let messages = try await eventually("it is stored", state: { listener.errors }) { () -> [JSONMessage]? in
            let messages = try await scrollback.messages(in: "a1/lobby")
            return messages.contains { $0.body == "두 번째" } ? messages : nil
        }
        let id = try #require(messages.last?.id)
        let text = try await scrollback("show", id, "-a", "a1")
        #expect(text.status == 0, "\(text.errors)")
        #expect(text.output.contains("\nraw          18 bytes: alice::두 번째\\u{0}\n"))
        #expect(text.output.contains(" to now\n"))
        let machine = try await scrollback("show", id, "-a", "a1", "--format", "json").output
        #expect(
            machine.contains(
                #""raw": {"bytes": 18, "text": "alice::두 번째\u0000", "base64": "YWxpY2U6OuuRkCDrsojsp7gA"}"#))
        #expect(machine.contains(#""coverage": {"state": "covered", "from": "20"#))

        let unknown = try await scrollback("show", "2001-01-01T00:00:00.000000Z")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("no message 2001-01-01T00:00:00.000000Z in "))
        #expect(unknown.errors.contains("nearest after: scrollback show 20"))
        let wrong = try await scrollback("show", "yesterday")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("is not a message id"))
        _ = try await listener.stop()
    }

    @Test func `an archive is checked while it is written, and a problem gives status 2`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port, server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener()
        try await Traffic(alice).run {
            for _ in 0..<5 {
                let fine = try await scrollback("archive", "check")
                #expect(fine.status == 0, "\(fine.output)\(fine.errors)")
                #expect(fine.output.matches(of: /(?m)^a[12]: fine \([0-9,]+ messages?, [0-9]+ checks\)$/).count == 2)
                #expect(fine.errors.isEmpty)
            }
        }
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback("archive", "check").status == 0)

        let folder = try #require(
            try FileManager.default.contentsOfDirectory(atPath: scrollback.data + "/accounts").first {
                $0.hasPrefix("a2-")
            })
        let file = "\(scrollback.data)/accounts/\(folder)/1.sqlite"
        #expect(truncate(file, 100) == 0)
        let wrong = try await scrollback("archive", "check")
        #expect(wrong.status == 2)
        #expect(wrong.output.contains("a1: fine ("))
        #expect(wrong.output.contains("/accounts/\(folder): wrong ("))
        #expect(wrong.output.contains("what to do: first stop the listener and copy"))
        #expect(try await scrollback("archive", "check", "a1").status == 0)
        let machine = try await scrollback("archive", "check", "a2", "--format", "json")
        #expect(machine.status == 2)
        #expect(machine.output.contains(#""state": "wrong""#))
        let unknown = try await scrollback("archive", "check", "a3")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("no account \"a3\" in"))
    }

    @Test(.enabled(if: geteuid() != 0, "root may read anything"))
    func `an unreadable account can't be checked, which gives status 1`() async throws {
        let scrollback = try Program()
        let folder = scrollback.data + "/accounts/a1-000000"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: folder)
        let result = try await scrollback("archive", "check")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        #expect(result.status == 1)
        #expect(result.output.contains("not checked"))
    }
}
