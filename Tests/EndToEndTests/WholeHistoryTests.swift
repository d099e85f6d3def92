import Foundation
import TestSupport
import Testing

/// `-n all`, and text for pipes.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct WholeHistoryTests {
    private static let count = 2500

    private func stored() async throws -> Program {
        var program = try Program()
        program.environment["TZ"] = "Asia/Seoul"
        try await StoredRoom.store(
            (1...Self.count).map { .init(name: $0.isMultiple(of: 2) ? "alice" : "민수", text: "word \($0)\n둘째 줄") },
            for: program)
        return program
    }

    private func bodies(_ jsonl: String) -> [String] {
        jsonl.split(separator: "\n").compactMap { $0.firstMatch(of: /"body": "word (\d+)/).map { String($0.1) } }
    }

    private var all: [String] { (1...Self.count).map(String.init) }

    @Test func `a whole room is shown in every format, once, the oldest messages first`() async throws {
        let scrollback = try await stored()
        let text = try await scrollback("history", "lobby", "-n", "all")
        #expect(text.status == 0 && text.errors.isEmpty, "\(text.errors)")
        let lines = text.output.split(separator: "\n")
        #expect(lines.count == Self.count + 1)
        #expect(lines[0] == "2026-11-21 09:00:01  민수  word 1 ⏎ 둘째 줄")
        #expect(
            lines.dropLast().allSatisfy { $0.wholeMatch(of: /2026-11-21 \d\d:\d\d:\d\d  \S+  word \d+ ⏎ 둘째 줄/) != nil })
        #expect(lines.last?.contains("  -- gap 2026-11-21 ") == true)
        #expect(bodies(try await scrollback("history", "lobby", "-n", "all", "--format", "jsonl").output) == all)
        #expect(bodies(try await scrollback("tail", "-n", "all", "--format", "jsonl").output) == all)
        let csv = try await scrollback("history", "--all", "-n", "all", "--format", "csv").output
        #expect(csv.split(separator: "\r\n").count == Self.count + 1)
        let named = try await scrollback("history", "--all", "-a", "demo", "-n", "all", "--format", "csv")
        #expect(named.output == csv && named.status == 0)
        #expect(try await scrollback("history", "--all", "-a", "none").errors.contains("no account \"none\""))
        let json = try await scrollback("history", "lobby", "-n", "all", "--format", "json").output
        let page = try JSONDecoder().decode(JSONPage.self, from: Data(json.utf8))
        #expect(page.messages.count == Self.count)
    }

    @Test func `a day in the local zone is shown with the nearest days that have messages`() async throws {
        let scrollback = try await stored()
        let day = try await scrollback("history", "lobby", "--day", "2026-11-21", "-n", "2")
        #expect(day.status == 0 && day.output.hasPrefix("2026-11-21 09:00:01  민수  word 1 "))
        let next = try #require(day.errors.firstMatch(of: /newer: scrollback (.*)\n/)?.1)
        #expect(next.hasSuffix("--before 2026-11-22 -n 2") && !day.errors.contains("day:"))
        let page = try await scrollback.start(arguments: next.split(separator: " ").map(String.init)).result()
        #expect(page.output.contains("word 3 ") && page.output.contains("word 4 "))
        let all = try await scrollback("history", "lobby", "--day", "2026-11-21", "-n", "all", "--format", "jsonl")
        #expect(bodies(all.output) == self.all && all.errors.split(separator: "\n").count == 1)
        let empty = try await scrollback("history", "--all", "--day", "2026-11-23", "--format", "json")
        #expect(
            empty.status == 1 && empty.output.hasPrefix(#"{"messages": [], "older": null, "newer": null, "gaps": ["#))
        #expect(
            empty.output.hasSuffix(
                #"""
                "day": {"day": "2026-11-23", "previous": "2026-11-21", "next": null, \#
                "from": "2026-11-22T15:00:00.000000Z", "to": "2026-11-23T15:00:00.000000Z"}}

                """#))
        let later = try await scrollback("history", "lobby", "--day", "2026-11-20", "--utc")
        #expect(
            later.status == 1
                && later.errors.hasPrefix("next day: scrollback history demo/lobby --day 2026-11-21 --utc\n"))
    }

    @Test(arguments: [3, 1300])
    func `a thread is shown completely or page by page`(count: Int) async throws {
        let scrollback = try Program()
        func time(_ number: Int) -> String { "2026-11-21T06:23:11.\(String(100_000 + number))Z" }
        try scrollback.write(
            (1...count).map { number in
                #"{"id": "\#(time(number))", "room": "가", "kind": "message", "sender": {"name": "민수"}, "body": "답 \#(number)", "#
                    + #""remote_id": "m\#(number)", "reply_to_remote_id": "m\#(number - 1)"}"# + "\n"
            }.joined(), to: "talk.jsonl")
        let imported = try await scrollback("import", "jsonl", "talk.jsonl", "-a", "old")
        #expect(imported.status == 0, "\(imported.errors)")
        let ids = try await scrollback("history", "--all", "-n", "all", "--ids").output.split(separator: "\n").map {
            String($0.prefix(27))
        }
        let shown = try await scrollback("show", ids[1], "--thread", "-n", "2")
        #expect(shown.status == 0 && shown.output.hasSuffix("답 2\n"), "\(shown.errors)")
        #expect(shown.errors.contains("is not archived (remote id m0)\n"))
        #expect(shown.errors.hasSuffix("newer: scrollback show \(ids[1]) --after \(ids[1]) --thread -n 2\n"))
        let part = try await scrollback(
            "show", ids[1], "--thread", "-n", "1", "--after", ids[0], "--before", "2026-11-22")
        #expect(part.output.hasSuffix("답 2\n") && part.output.split(separator: "\n").count == 1)
        #expect(
            part.errors.hasSuffix(
                "newer: scrollback show \(ids[1]) --after \(ids[1]) --before 2026-11-22 --thread -n 1\n"))
        let json = try await scrollback("show", ids[1], "--thread", "-n", "all", "--format", "json").output
        let end = #""root": null, "root_remote_id": "m0", "root_state": "missing", "count": \#(count), "cut": false}"#
        #expect(json.hasSuffix(end + "\n") && json.components(separatedBy: "\"body\": \"답 ").count == count + 1)
        let lines = try await scrollback("show", ids[2], "--thread", "-n", "all", "--format", "jsonl")
        #expect(lines.output.split(separator: "\n").count == count)
        let unknown = try await scrollback("show", "2020-11-21T06:23:11.123456Z", "--thread", "-n", "2")
        #expect(unknown.status == 1 && unknown.errors.contains("[unknown-message]"))
    }

    @Test func `all attachments are listed once, the oldest first`() async throws {
        let scrollback = try Program()
        let count = 1100
        let names = (0..<count).map { "IMG-20261121-WA\($0).jpg" }
        try scrollback.write(
            names.map { "21/11/2026, 06:23 - 민수: \($0) (file attached)\n" }.joined(), to: "WhatsApp Chat with 가족.txt")
        let imported = try await scrollback("import", "WhatsApp Chat with 가족.txt", "-a", "wa")
        #expect(imported.status == 0, "\(imported.errors)")
        let listed = try await scrollback("attachments", "-n", "all", "--format", "csv")
        let rows = listed.output.split(separator: "\r\n").dropFirst()
        #expect(rows.map { row in names.first { row.contains($0) } } == names)
        #expect(listed.errors.isEmpty, "no cursor is left")
        #expect(try await scrollback("attachments", "-n", "0").errors.contains("use 1 to 1000, or all"))
    }

    @Test func `following after a time shows all messages since then`() async throws {
        let scrollback = try await stored()
        let after = "2026-11-21T00:20:00.000000Z"
        let ended = try await scrollback("history", "lobby", "--after", after, "-n", "all")
        #expect(ended.output.split(separator: "\n").count == Self.count - 1200 + 1)
        let run = try scrollback.start("history", "lobby", "--after", after, "-f")
        try await eventually("the last message") { run.output.contains("word \(Self.count) ") ? true : nil }
        let followed = try await eventually("the gap", state: { run.output }) {
            run.output.split(separator: "\n").count > Self.count - 1200 ? run.output : nil
        }
        func messages(_ text: String) -> [Substring] { text.split(separator: "\n").filter { !$0.contains("-- gap") } }
        #expect(messages(followed) == messages(ended.output))
        #expect(messages(ended.output).first?.contains("word 1201 ") == true)
        let before = try await scrollback("history", "lobby", "--before", after, "-n", "all", "--format", "jsonl")
        #expect(bodies(before.output) == (1...1199).map(String.init))
        let tail = try scrollback.start("tail", "lobby", "-n", "all", "-f", "--format", "jsonl")
        try await eventually("all of it") { bodies(tail.output).count >= Self.count ? true : nil }
        #expect(bodies(tail.output) == all)
    }

    @Test func `all hits are in the order of --sort`() async throws {
        let scrollback = try await stored()
        let search = ["search", "word", "-n", "all", "--format", "jsonl"]
        let newest = try await scrollback.start(arguments: search).result()
        #expect(newest.status == 0 && bodies(newest.output) == all.reversed())
        let oldest = try await scrollback.start(arguments: search + ["--sort", "oldest"]).result()
        #expect(bodies(oldest.output) == all)
        let regex = try await scrollback.start(arguments: search + ["--regex", "7\n"]).result()
        #expect(bodies(regex.output) == all.filter { $0.hasSuffix("7") }.reversed())
        let part = try await scrollback.start(arguments: search + ["--after", "2026-11-21T00:20:00.500000Z"]).result()
        #expect(bodies(part.output) == all.dropFirst(1200).reversed())
        let json = try await scrollback("search", "from:민수", "-n", "all", "--format", "json").output
        #expect(try JSONDecoder().decode(JSONPage.self, from: Data(json.utf8)).messages.count == Self.count / 2)
        let none = try await scrollback("search", "nothing", "-n", "all", "--format", "json")
        #expect(none.status == 1 && none.output.hasPrefix(#"{"messages": [], "older": null"#))
        #expect(none.errors.contains("nothing found in"))
    }

    @Test func `closing the output early ends a stream quietly`() async throws {
        let scrollback = try await stored()
        for arguments in [["history", "lobby", "-n", "all"], ["export", "-o", "-", "--format", "text"]] {
            let result = try await scrollback.start(
                arguments: arguments, shell: #""$@" | head -1; exit ${PIPESTATUS[0]}"#
            ).result()
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            #expect(result.output.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: [
        (["history", "lobby", "-n", "every"], "use 1 to 1000, or all"), (["tail", "-n", "1001"], "1 to 1000, or all"),
        (["history", "lobby", "--around", "2026", "-n", "all"], "replace -n all with a number"),
        (["search", "x", "-n", "all", "-C", "2"], "remove -A, -B and -C"),
        (["search", "x", "-n", "all", "--sort", "relevance"], "at most 1000 hits"),
        (["export", "-o", "-", "--append"], "remove --append"),
    ])
    func `options that don't go with -n all are refused with the reason`(arguments: [String], reason: String)
        async throws
    {
        let result = try await Program().start(arguments: arguments).result()
        #expect(result.status != 0 && result.output.isEmpty && result.errors.contains(reason), "\(result.errors)")
    }

    @Test(arguments: ["text", "jsonl", "csv", "markdown"])
    func `an export to stdout is the months' files in order`(format: String) async throws {
        let scrollback = try await stored()
        let stream = try await scrollback("export", "-o", "-", "--format", format, "--room", "lobby")
        #expect(stream.status == 0 && stream.errors.isEmpty, "\(stream.errors)")
        #expect(try await scrollback("export", "-o", "out", "--format", format).status == 0)
        let found = try #require(FileManager.default.enumerator(atPath: scrollback.home + "/out"))
        let months = found.compactMap { $0 as? String }.filter { $0.contains("/2026-11.") }
        #expect(months.count == 1)
        let file = FileManager.default.contents(atPath: scrollback.home + "/out/" + (months.first ?? ""))
        #expect(file == Data(stream.output.utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scrollback.home).sorted() == ["data", "out"])
    }

    @Test func `imported JSON lines keep rooms, people and coverage`() async throws {
        let scrollback = try await stored()
        let html = try await scrollback("export", "-o", "-", "--format", "html")
        #expect(html.status == 1 && html.errors.contains("html can't be written to stdout"), "\(html.errors)")
        let stream = try await scrollback("export", "-o", "-")
        try scrollback.write(stream.output, to: "all.jsonl")
        let copy = scrollback.home + "/copy"
        let imported = try await scrollback("import", "jsonl", "all.jsonl", "-a", "demo", "--data", copy)
        #expect(imported.status == 0, "\(imported.errors)")
        let arguments = ["history", "demo/lobby", "-n", "all", "--format", "jsonl"]
        let (old, new) = (
            try await scrollback.start(arguments: arguments).result().output,
            try await scrollback.start(arguments: arguments + ["--data", copy]).result().output
        )
        #expect(bodies(new) == all && bodies(old) == all)
        #expect(try await scrollback("gaps", "--data", copy).output.contains("demo/lobby"))
    }

    @Test func `messages are counted by any unit, with or without a query`() async throws {
        let scrollback = try await stored()
        let days = try await scrollback("search", "--by", "day")
        #expect(days.status == 0 && days.output == "DAY         MESSAGES\n2026-11-21      2500\n", "\(days.errors)")
        let hits = try await scrollback("search", "둘째", "--by", "weekday", "--format", "json")
        #expect(
            hits.output == #"{"counts": [{"account": null, "name": "Saturday", "count": 2500}], "left_out": []}"# + "\n"
        )
        let users = try await scrollback("search", "--by", "user", "-n", "1")
        #expect(users.output == "USER        MESSAGES\ndemo/alice      1250\n")
        #expect(try await scrollback("search", "--count", "from:민수").output == "1250\n")
        #expect(
            try await scrollback("search", "--by", "hour", "--utc", "--format", "csv").output.hasSuffix(
                ",00,2500\r\n"))
        let table = try await scrollback("search", "--by", "hour,user", "--utc")
        #expect(
            table.output == """
                HOUR   alice  민수  MESSAGES
                00      1250  1250      2500
                (all)   1250  1250      2500

                """, "\(table.output)")
        let crossed = try await scrollback("search", "--by", "user,hour", "--utc", "--format", "csv", "-n", "1")
        #expect(crossed.output == "account,user,hour,count\r\ndemo,alice,00,1250\r\n")
        let people = try await scrollback("search", "from:민수", "--by", "weekday,user,hour", "--utc", "--format", "json")
        #expect(
            people.output == #"{"counts": [{"account": "demo", "weekday": "Saturday", "user": "민수", "hour": "00", "#
                + #""count": 1250}], "left_out": []}"# + "\n")
        let stats = try await scrollback("stats", "lobby", "--after", "2026-11-21T00:20:00.000000Z")
        #expect(stats.status == 0 && stats.output.hasPrefix("messages  1,300\npeople    2\n"), "\(stats.errors)")
        #expect(stats.output.contains("\nHOURS    0     6     12    18\n"))
        let empty = try Program()
        let none = try await empty("stats", "--format", "json")
        #expect(none.status == 0 && none.errors.contains("no accounts in"))
        #expect(none.output.hasPrefix(#"{"messages": 0, "people": 0, "first_message": null"#))
    }
}
