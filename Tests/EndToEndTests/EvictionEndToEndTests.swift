import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct EvictionEndToEndTests {
    private func imported(_ scrollback: Program, accounts: [String]) async throws {
        let log = "2020-01-02.log"
        try scrollback.write("[03:41] <alice> 서버가 죽었다\n[03:42] <bob> again\n", to: log)
        for account in accounts {
            let result = try await scrollback("import", "energymech", log, "-a", account, "--room", "#example")
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test func `an account is compressed and restored by hand, and expands when it is read`()
        async throws
    {
        let scrollback = try Program()
        try await imported(scrollback, accounts: ["old", "older"])
        let evicted = try await scrollback("archive", "compress", "old", "--level", "19")
        #expect(evicted.status == 0 && evicted.errors.contains("old: ") && evicted.errors.contains(": compressed "))
        let listed = try await scrollback("accounts", "--format", "csv").output
        #expect(listed.contains(",cold,") && listed.contains(",hot,"))
        let found = try await scrollback("search", "서버", "--count")
        #expect(found.output == "1\n")
        #expect(found.errors.contains("skipped 'old' (compressed); add --cold to include it\n"), "\(found.errors)")
        let page = try await scrollback("search", "서버", "--format", "json").output
        let leftOut = #"[{"account": "old", "reason": "cold", "detail": "account 'old' is compressed"}]"#
        #expect(page.hasSuffix("\"left_out\": \(leftOut), \"day\": null}\n"), "\(page)")
        for (command, key) in [
            ("rooms", "rooms"), ("users", "users"), ("gaps", "gaps"), ("unread", "rooms"), ("status", "accounts"),
        ] {
            let list = try await scrollback(command, "--format", "json").output
            #expect(
                list.hasPrefix("{\"\(key)\": [") && list.hasSuffix("\"left_out\": \(leftOut)}\n"), "\(command): \(list)"
            )
        }
        let count = try await scrollback("search", "서버", "--count", "--format", "json").output
        #expect(
            count == "{\"counts\": [{\"account\": null, \"name\": null, \"count\": 1}], \"left_out\": \(leftOut)}\n")
        #expect(try await scrollback("search", "서버", "-a", "old", "--count").output == "1\n")
        #expect(try await scrollback("search", "서버", "--count").output == "2\n")
        #expect(try await scrollback("archive", "compress", "old").status == 0)
        #expect(try await scrollback("archive", "check").status == 0)
        #expect(try await scrollback("archive", "restore", "old").status == 0)
        #expect(try await scrollback("history", "old/#example", "--format", "jsonl").output.contains("서버가 죽었다"))
        let unknown = try await scrollback("archive", "compress", "nobody")
        #expect(unknown.status == 1 && unknown.errors.contains("no account \"nobody\" in "))
        #expect(try await scrollback("archive", "compress").status == 64)
        let over = try await scrollback("archive", "compress", "--over")
        #expect(over.status == 0 && over.errors.contains("uncompressed"), "\(over.errors)")
    }

    @Test func `all accounts are compressed and restored at once`() async throws {
        let scrollback = try Program()
        try await imported(scrollback, accounts: ["old", "older"])
        #expect(try await scrollback("archive", "compress", "older").status == 0)
        let compressed = try await scrollback("archive", "compress", "--all", "--format", "jsonl")
        #expect(compressed.status == 0 && compressed.output.split(separator: "\n").count == 1, "\(compressed)")
        let restored = try await scrollback("archive", "restore", "--all", "--format", "jsonl")
        #expect(restored.status == 0 && restored.output.split(separator: "\n").count == 2, "\(restored)")
        #expect(try await scrollback("search", "서버", "--count").output == "2\n")
        for command in ["compress", "restore"] {
            #expect(try await scrollback("archive", command).status == 64)
            #expect(try await scrollback("archive", command, "--all", "old").status == 64)
        }
    }

    @Test func `commands over only compressed accounts say what they skipped`() async throws {
        let scrollback = try Program()
        try await imported(scrollback, accounts: ["old", "older"])
        #expect(try await scrollback("archive", "compress", "old", "older").status == 0)
        let note = "scrollback: skipped 2 compressed accounts ('old', 'older'); add --cold to include them\n"
        for (command, status) in [
            (["search", "서버"], 1), (["search", "서버", "--count"], 1), (["history", "--all"], 1), (["rooms"], 0),
            (["users"], 0), (["stats"], 0), (["gaps"], 0), (["unread"], 0), (["status"], 0), (["attachments"], 0),
        ] as [([String], Int32)] {
            let run = try await scrollback.start(arguments: command).result()
            #expect(run.status == status && run.errors.contains(note), "\(command): \(run)")
            #expect(!run.errors.contains("fills an archive"), "\(command): \(run.errors)")
            let cold = try await scrollback.start(arguments: command + ["--cold"]).result()
            #expect(cold.status == 0 && !cold.errors.contains("skipped"), "\(command): \(cold)")
        }
        let rooms = try await scrollback("rooms", "--format", "json").output
        #expect(rooms.hasPrefix(#"{"rooms": [], "left_out": [{"account": "old", "reason": "cold""#), "\(rooms)")
        let room = try await scrollback("history", "#example")
        #expect(room.status != 0 && room.errors.contains("a skipped account may have it"), "\(room)")
    }

    @Test func `maintenance commands print each account's result and the totals`() async throws {
        let scrollback = try Program()
        try await imported(scrollback, accounts: ["일", "old"])
        let compressed = try await scrollback("archive", "compress", "일", "nobody", "old", "--format", "json")
        #expect(compressed.status == 1 && compressed.errors.contains("[unknown-account]"), "\(compressed.errors)")
        #expect(
            compressed.output.contains(#""account": "nobody", "state": "failed", "folder": null, "messages": null"#))
        #expect(
            compressed.output.contains(#""totals": {"accounts": 3, "failed": 1, "messages": 4, "rooms": 2, "bytes": "#))
        let restored = try await scrollback("archive", "restore", "일", "old", "--format", "jsonl")
        #expect(restored.output.matches(of: /"state": "done"/).count == 2 && restored.errors.isEmpty)
        let indexed = try await scrollback("archive", "reindex", "--format", "csv").output
        #expect(indexed.contains("old,unchanged,,,,,,,,0,,"), "\(indexed)")
        let copied = try await scrollback("backup", "--all", "copies", "--format", "json")
        #expect(copied.status == 0 && copied.output.contains(#""totals": {"accounts": 2, "failed": 0, "messages": 4"#))
        #expect(copied.output.contains("copies/accounts/") && copied.output.hasSuffix("\"left_out\": []}\n"))
        let checked = try await scrollback("backup", "verify", "copies", "--format", "json")
        #expect(checked.status == 0 && checked.output.hasPrefix("{\"accounts\": [{"), "\(checked.output)")
        #expect(try await scrollback("export", "-a", "old", "-o", "out", "--format", "text").status == 0)
        let export = try await scrollback("backup", "verify", "out", "--format", "json").output
        #expect(export.hasPrefix(#"{"exports": [{"folder": "out", "state": "fine", "format": "text""#), "\(export)")
        for words in [[], ["--execute"]] {
            let room = try await scrollback.start(arguments: ["archive", "erase", "old/#example"] + words).result()
            #expect(
                room.errors == """
                    scrollback: "old/#example" is a room, not an account; to see what the room has: \
                    scrollback archive erase old --room '#example' [unknown-account]\n
                    """)
            #expect(room.status == 1)
        }
        let planned = try await scrollback("archive", "erase", "old", "--format", "json").output
        #expect(planned.contains(#""state": "planned""#) && planned.contains(#""files": 0"#))
        let erased = try await scrollback("archive", "erase", "old", "--execute", "--format", "jsonl").output
        #expect(erased.hasPrefix(#"{"account": "old", "state": "done""#))
        let back = try await scrollback("backup", "restore", "copies", "--format", "json")
        #expect(
            back.status == 1 && back.output.contains(#""error": "backup""#) && back.output.contains(#""failed": 1"#))
    }

    @Test func `reading commands leave compressed accounts compressed`() async throws {
        let scrollback = try Program()
        try await imported(scrollback, accounts: ["old", "older"])
        try scrollback.write(
            """
            [retention]
            max_age = "1h"

            [[account]]
            name = "classroom"
            network = "streamchat"
            server = "tcp://127.0.0.1:1"
            nick = "archiver"
            """, to: "scrollback.toml")
        #expect(try await scrollback("archive", "compress", "old", "older").status == 0)
        for command in [
            ["export", "--all", "-o", "out"], ["export", "--append", "-o", "out"], ["backup", "verify", "out"],
            ["export", "-a", "old", "-o", "one"], ["export", "-a", "old", "--format", "text", "-o", "-"],
            ["retention", "plan"], ["retention", "forget", "--user", "alice"],
        ] {
            let result = try await scrollback.start(arguments: command).result()
            #expect(result.status == 0, "\(command): \(result.errors)")
            let listed = try await scrollback("accounts", "--format", "csv").output
            #expect(listed.matches(of: /,cold,/).count == 2, "\(command): \(listed)")
        }
        let indexed = try await scrollback("archive", "reindex")
        #expect(indexed.status == 0)
        #expect(
            indexed.errors == """
                scrollback: skipped 2 compressed accounts ('old', 'older'); to include them: \
                scrollback archive restore ACCOUNT\n
                """)
        #expect(try await scrollback("archive", "reindex", "old").errors.hasPrefix("old: the index is complete"))
        #expect(try await scrollback("accounts", "--format", "csv").output.matches(of: /,cold,/).count == 1)
    }

    @Test func `check finds a missing or damaged catalog, and checks accounts without it`() async throws {
        let scrollback = try Program()
        try await imported(scrollback, accounts: ["old", "other"])
        #expect(try await scrollback("archive", "compress", "old").status == 0)
        #expect(try await scrollback("backup", "--all", "copies").status == 0)
        unlink(scrollback.home + "/copies/catalog.sqlite")
        let verified = try await scrollback("backup", "verify", "copies")
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
        #expect(!FileManager.default.fileExists(atPath: scrollback.home + "/copies/catalog.sqlite"))

        try "garbage".write(toFile: scrollback.data + "/catalog.sqlite", atomically: false, encoding: .utf8)
        let remedy = "; stop the listener, then rebuild the catalog: scrollback accounts --rebuild [corrupt]\n"
        let checked = try await scrollback("archive", "check")
        #expect(checked.status == 2)
        #expect(checked.output.contains("old: fine (") && checked.output.contains("other: fine ("), "\(checked.output)")
        let rooms = try await scrollback("rooms")
        for errors in [checked.errors, rooms.errors] {
            #expect(errors.contains("/catalog.sqlite is damaged") && errors.hasSuffix(remedy), "\(errors)")
        }
        #expect(try await scrollback("accounts", "--rebuild").status == 0)
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `a listener compresses accounts over the limits, except its own`() async throws {
        let scrollback = try Program()
        try await imported(scrollback, accounts: ["old", "older"])
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let text = try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
        try scrollback.write("hot_accounts = 2\n" + text, to: "scrollback.toml")
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        let states = try await eventually("one account is compressed") { () -> String? in
            let listed = try await scrollback("accounts", "--format", "csv").output
            return listed.contains(",cold,") ? listed : nil
        }
        let rows = states.split(separator: "\r\n").dropFirst()
        // Either: listing them has each open for an instant.
        let cold = rows.filter { $0.contains(",cold,") }
        #expect(cold.count == 1 && cold[0].hasPrefix("old"), "\(states)")
        let status = try await scrollback("status", "--format", "csv", "--cold")
        let accounts = status.output.split(separator: "\r\n").dropFirst().compactMap { $0.split(separator: ",").first }
        #expect(accounts == ["a1", "old", "older"], "those of the listener first: \(status.errors)")
        #expect(try await scrollback("status").errors.contains("(compressed); add --cold to include it\n"))
        let over = try await scrollback("archive", "compress", "--over")
        #expect(over.status == 0 && over.errors.contains(" uncompressed\n"), "\(over.errors)")
        #expect(try await scrollback("archive", "compress", "a1").errors.contains("a1' is in use by process"))
        #expect(try await listener.stop().status == 0)
    }
}
