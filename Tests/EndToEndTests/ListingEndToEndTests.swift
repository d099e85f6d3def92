import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ListingEndToEndTests {
    private let scrollback: Program

    init() throws {
        scrollback = try Program()
    }

    private func importLog(_ account: String, room: String = "#example", _ more: String...) async throws {
        try scrollback.write("[03:41] <alice> 서버가 죽었다\n[03:42] <bob> again\n", to: "2020-01-02.log")
        let words = ["import", "energymech", "2020-01-02.log", "-a", account, "--room", room] + more
        let result = try await scrollback.start(arguments: words).result()
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func `an imported log is neither unread nor a gap, unless requested`() async throws {
        try await importLog("old")
        let unread = try await scrollback("unread")
        #expect(unread.output.isEmpty && unread.errors.hasPrefix("no unread messages"), "\(unread.errors)")
        let gaps = try await scrollback("gaps")
        #expect(gaps.output.isEmpty)
        #expect(gaps.errors.hasSuffix("1 imported span not listed; to list them, add --imported\n"), "\(gaps.errors)")
        #expect(try await scrollback("gaps", "--imported").output.contains("imported"))
        #expect(try await scrollback("gaps", "--imported", "--format", "json").output.contains(#""state": "imported""#))
        #expect(try await scrollback("gaps", "--format", "json").output == "{\"gaps\": [], \"left_out\": []}\n")
        try await importLog("old", room: "#다른", "--unread")
        let other = try await scrollback("unread", "-a", "old").output
        #expect(other.contains("old/#다른") && !other.contains("#example"), "\(other)")
    }

    @Test func `rooms, an account or everything are marked as read, with a summary`() async throws {
        for account in ["일", "second"] {
            for room in ["#a", "#b"] { try await importLog(account, room: room, "--unread") }
        }
        let rooms = try await scrollback("mark-read", "일/#a", "second/#b")
        #expect(rooms.errors == "일/#a: all read\nsecond/#b: all read\nmarked 2 rooms: 4 messages read\n")
        let account = try await scrollback("mark-read", "-a", "second")
        #expect(account.errors == "second/#a: all read\n")
        #expect(try await scrollback("mark-read", "--all").errors == "일/#b: all read\n")
        #expect(try await scrollback("mark-read", "--all").errors.hasPrefix("no unread messages in"))
        let earlier = try await scrollback("mark-read", "-a", "second", "--to", "1990-01-01")
        #expect(
            earlier.errors == "second/#a: 2 unread\nsecond/#b: 2 unread\nmarked 2 rooms: 4 messages unread\n",
            "\(earlier.errors)")
        #expect(try await scrollback("mark-read", "-a", "second").status == 0)
        #expect(try await scrollback("mark-read", "-a", "none").errors.contains("[unknown-account]"))
        #expect(try await scrollback("mark-read", "--all", "#a").status == 64)
        #expect(try await scrollback("mark-read").status == 64)
    }

    @Test func `rooms and users are sorted, filtered and counted`() async throws {
        try await importLog("old")
        try scrollback.write("[03:43] <bob> more\n", to: "2020-01-03.log")
        let more = try await scrollback("import", "energymech", "2020-01-03.log", "-a", "new", "--room", "#later")
        #expect(more.status == 0)
        func names(_ words: String...) async throws -> [String] {
            try await scrollback.start(arguments: ["rooms", "--format", "jsonl"] + words).result().output
                .matches(of: /"name": "([^"]+)"/).map { String($0.1) }
        }
        #expect(try await names() == ["#later", "#example"])
        #expect(try await names("--sort", "messages") == ["#example", "#later"])
        #expect(try await names("--sort", "last") == ["#later", "#example"])
        #expect(try await names("-a", "old", "--kind", "channel") == ["#example"])
        #expect(try await scrollback("rooms", "--kind", "direct").errors.hasPrefix("no rooms of kind direct in"))
        let json = try await scrollback("rooms", "-a", "old", "--format", "json").output
        let end = #""last_sender": "bob", "last_body": "again", "encrypted": 0, "topic": null, "description": null, "#
        #expect(json.contains(end), "\(json)")
        let users = try await scrollback("users", "--sort", "messages", "-a", "old", "--format", "csv").output
        #expect(users.contains("alice") && users.contains(",1,,\r\n"), "\(users)")
        #expect(try await scrollback("users", "old/#example").output.contains("MESSAGES"))
    }

    @Test func `imported chats are groups or direct rooms, as their exports show`() async throws {
        let lines = "2026. 11. 21. 오후 1:01, 민수 : 안녕\n2026. 11. 21. 오후 1:02, 나 : 응\n"
        let files = [
            ("Talk_1.txt", "kakaotalk", "민수님과 카카오톡 대화-1.txt\n저장한 날짜 : 2026. 11. 22. 오후 11:01\n\n" + lines),
            ("Talk_2.txt", "kakaotalk", "가족 (4명)과 카카오톡 대화-1.txt\n저장한 날짜 : 2026. 11. 22. 오후 11:01\n\n" + lines),
            ("WhatsApp Chat with Alice.txt", "whatsapp", "21/11/2026, 06:23 - Alice: hi\n21/11/2026, 06:24 - me: ho\n"),
            ("WhatsApp Chat with Trip.txt", "whatsapp", "21/11/2026, 06:23 - Alice: hi\n21/11/2026, 06:24 - me: ho\n"),
            (
                "[LINE]Hana.txt", "line",
                "[LINE] Chat history with Hana\n\n2026/11/21(土)\n12:08\tHana\thi\n12:09\tme\tho\n"
            ),
        ]
        for (name, format, text) in files {
            try scrollback.write(text, to: name)
            let run = try await scrollback("import", format, name, "-a", format)
            #expect(run.status == 0, "\(run.errors)")
        }
        for (kind, rooms) in [("direct", ["민수", "Alice", "Hana"]), ("group", ["가족", "Trip"])] {
            let listed = try await scrollback("rooms", "--kind", kind, "--format", "jsonl").output
            #expect(Set(listed.matches(of: /"name": "([^"]+)"/).map { String($0.1) }) == Set(rooms), "\(listed)")
            #expect(listed.contains(#""kind": "\#(kind)""#), "\(listed)")
            let lines = try await scrollback("rooms", "--kind", kind).output.split(separator: "\n")
            #expect(lines.dropFirst().allSatisfy { $0.contains("  \(kind)  ") } && lines.count > 2, "\(lines)")
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: scrollback.home + "/" + path, encoding: .utf8)
    }

    @Test func `an updated export follows a room that a later import makes direct`() async throws {
        let lines = ["21/10/2026, 06:23 - Alice: hi\n", "21/11/2026, 06:24 - me: ho\n"]
        for count in 1...2 {
            try scrollback.write(lines.prefix(count).joined(), to: "WhatsApp Chat with Alice.txt")
            let run = try await scrollback("import", "whatsapp", "WhatsApp Chat with Alice.txt", "-a", "wa")
            #expect(run.status == 0, "\(run.errors)")
            let words = ["export", "-o", "updated"] + (count == 1 ? ["-a", "wa"] : ["--append"])
            #expect(try await scrollback.start(arguments: words).result().status == 0)
        }
        #expect(try await scrollback("export", "-a", "wa", "-o", "new").status == 0)
        for month in ["2026-10", "2026-11"] {
            let (updated, new) = try (
                text("updated/Alice/\(month).jsonl"), text("new/Alice/\(month).jsonl")
            )
            #expect(updated == new && new.contains(#""room_kind": "direct""#), "\(updated)")
        }
    }

    @Test func `an account that is no longer configured is marked, except imported ones`() async throws {
        try await importLog("log")
        try await StoredRoom.store([StoredRoom.Said(name: "민수", text: "안녕")], as: "gone", for: scrollback)
        let before = try await scrollback("status", "--format", "json").output
        #expect(!before.contains(#""configured": false"#))
        try scrollback.configure(ports: 1)
        let status = try await scrollback("status").output.split(separator: "\n")
        #expect(status.contains { $0.hasPrefix("gone") && $0.contains("not configured") }, "\(status)")
        #expect(
            status.contains { $0.hasPrefix("log ") && $0.contains("imported") && !$0.contains("offline") }, "\(status)")
        let json = try await scrollback("status", "--format", "json").output
        #expect(json.matches(of: /"configured": false/).count == 1 && json.contains(#""configured": null"#))
        #expect(json.matches(of: /"network": "log", "state": "imported"/).count == 1, "\(json)")
        let gaps = try await scrollback("gaps", "-a", "gone")
        #expect(gaps.output.contains("not configured"), "\(gaps.output)")
        #expect(try await scrollback("gaps", "--format", "jsonl").output.contains(#""configured": false"#))
        let earlier = try await scrollback("gaps", "-a", "gone", "--before", "1990")
        #expect(earlier.output.isEmpty && earlier.errors.hasPrefix("no gaps in"), "\(earlier)")
        #expect(try await scrollback("gaps", "-a", "gone", "--since", "1990").output == gaps.output)
    }

    @Test func `status --check prints a line for each trouble, or one line that all is well`() async throws {
        let empty = try await scrollback("status", "--check")
        #expect(empty.status == 1 && empty.output == "CRITICAL: no listener runs and no account is configured\n")
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let none = try await scrollback("status", "--check")
        #expect(none.status == 1 && none.output == "CRITICAL: no listener runs for 1 configured account\n", "\(none)")
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        try await alice.say("안녕", as: "alice")
        try await eventually("the account is connected") {
            try await scrollback("status", "--check").output == "OK: 1 account connected\n" ? true : nil
        }
        #expect(try await scrollback("status", "--check").status == 0)
        let broken = scrollback.data + "/accounts/broken-000000"
        try FileManager.default.createDirectory(atPath: broken, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: broken + "/1.sqlite"))
        let unreadable = try await scrollback("status", "--check")
        #expect(
            unreadable.status == 1 && unreadable.output.hasPrefix("CRITICAL: ")
                && unreadable.output.contains("broken-000000/1.sqlite is not a Scrollback account file\n"),
            "\(unreadable)")
        try FileManager.default.removeItem(atPath: broken)
        #expect(try await server.run.stop(SIGTERM).status == 0)
        try await eventually("the trouble is listed") {
            let check = try await scrollback("status", "--check")
            return check.status == 1 && check.output.hasPrefix("CRITICAL: a1: not connected since ") ? true : nil
        }
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback("status", "--check", "--format", "json").status == 64)
    }

    @Test func `every reading command works in a folder without write permission`() async throws {
        try await importLog("old")
        try await importLog("일")
        #expect(try await scrollback("archive", "compress", "일").status == 0)
        let accounts = scrollback.data + "/accounts"
        for folder in try FileManager.default.contentsOfDirectory(atPath: accounts) {
            for file in ["lock", "writer"] { unlink("\(accounts)/\(folder)/\(file)") }
        }
        unlink(scrollback.data + "/catalog.sqlite")
        let paths =
            [scrollback.data, accounts]
            + (try FileManager.default.contentsOfDirectory(atPath: accounts)).map { "\(accounts)/\($0)" }
        for path in paths { chmod(path, 0o500) }
        defer { for path in paths { chmod(path, 0o700) } }
        for words in [
            ["accounts"], ["rooms"], ["users"], ["gaps"], ["unread"], ["status"], ["history", "old/#example"],
        ] {
            let result = try await scrollback.start(arguments: words).result()
            #expect(result.status == 0, "\(words): \(result.errors)")
        }
        let cold = try await scrollback("history", "일/#example", "--cold")
        #expect(cold.status == 0 && cold.output.contains("서버가 죽었다"), "\(cold.errors)")
    }
}
