import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct SearchEndToEndTests {
    @Test func `a search without hits fails if an account is unreadable, not if it is compressed`() async throws {
        let scrollback = try Program()
        for name in ["one", "two"] {
            try scrollback.write("[11:59] <alice> \(name)\n", to: "#a.2026-11-21.log")
            let imported = try await scrollback("import", "energymech", "#a.2026-11-21.log", "-a", name)
            #expect(imported.status == 0, "\(imported.errors)")
        }
        #expect(try await scrollback("archive", "compress", "two").status == 0)
        #expect(try await scrollback("search", "two").status == 1)
        #expect(try await scrollback("archive", "restore", "two").status == 0)
        let accounts = scrollback.data + "/accounts"
        let file = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: accounts).first {
                $0.hasPrefix("two-") && $0.hasSuffix(".sqlite")
            })
        try Data(repeating: 7, count: 8192).write(to: URL(filePath: accounts + "/" + file))
        for command in [
            ["search", "two"], ["search", "two", "-n", "all"], ["search", "two", "--count"],
            ["history", "--all", "--before", "2020"],
        ] {
            let nothing = try await scrollback.start(arguments: command).result()
            #expect(nothing.status == 2, "\(command) \(nothing)")
            #expect(nothing.errors.contains("scrollback: skipped 'two': "), "\(command) \(nothing)")
        }
        let found = try await scrollback("search", "one")
        #expect(found.status == 0 && found.errors.contains("scrollback: skipped 'two': "), "\(found)")
    }

    @Test(arguments: [true, false])
    func `hits between two times are shown from the first towards the second, page by page`(isForward: Bool)
        async throws
    {
        let scrollback = try Program()
        let lines = (1...9).map { "[0\($0):00] <alice> 기차 \($0)\n" }
        try scrollback.write(lines.joined(), to: "#a.2026-11-21.log")
        let imported = try await scrollback(
            "import", "energymech", "#a.2026-11-21.log", "-a", "old", "--timezone", "UTC")
        #expect(imported.status == 0, "\(imported.errors)")
        let (first, last) = ("2026-11-21 02:00", "2026-11-21 08:00")
        let times = isForward ? [first, last] : [last, first]
        let options = ["--utc", "-n", "2"]
        func numbers(_ arguments: [String]) async throws -> (found: String, next: String) {
            let page = try await scrollback.start(arguments: ["search", "기차"] + arguments + options).result()
            #expect(page.status == 0, "\(page.errors)")
            return (page.output.matches(of: /기차 (\d)/).map { String($0.1) }.joined(), page.errors)
        }
        let page = try await numbers(["--between"] + times)
        #expect(page.found == (isForward ? "23" : "67"))
        let cursor = try #require(
            isForward
                ? page.next.firstMatch(of: /--after (\S+Z) --before '2026-11-21 08:00' --sort oldest/)?.1
                : page.next.firstMatch(of: /--before (\S+Z) --after '2026-11-21 02:00'/)?.1, "\(page.next)")
        let beside =
            isForward
            ? ["--after", String(cursor), "--before", last, "--sort", "oldest"]
            : ["--before", String(cursor), "--after", first]
        #expect(try await numbers(beside).found == "45")
        let count = try await scrollback.start(arguments: ["search", "--count", "--utc", "--between"] + times + ["기차"])
            .result()
        #expect(count.output == "6\n", "\(count.errors)")
        let all = try await scrollback.start(
            arguments: ["search", "기차", "-n", "all", "--utc", "--format", "jsonl", "--between"] + times
        ).result()
        let order = all.output.matches(of: /"기차 (\d)"/).map { String($0.1) }.joined()
        #expect(order == (isForward ? "234567" : "765432"), "\(all.output)")
    }

    @Test func `live messages are found in every language`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        let said = ["우리 서버가 느려요", "the server is down", "東京タワーが見える", "server 서버 both"]
        for text in said { try await alice.say(text, as: "alice") }
        try await eventually("stored") { scrollback.acknowledged.count == said.count ? true : nil }

        func found(_ arguments: String...) async throws -> [String] {
            let result = try await scrollback.start(arguments: ["search", "--format", "json"] + arguments).result()
            #expect(result.status < 2, "\(result.errors)")
            return try JSONDecoder().decode(JSONPage.self, from: Data(result.output.utf8)).messages.compactMap(\.body)
        }
        #expect(try await found("서버") == [said[0], said[3]])
        #expect(try await found("느") == [said[0]])
        #expect(try await found("タワー") == [said[2]])
        #expect(try await found("server", "-서버") == [said[1]], "a negated word needs no --")
        #expect(try await found("-서버", "from:alice", "server") == [said[1]])
        #expect(try await found("-i", "SERVER") == [said[1], said[3]])
        #expect(try await scrollback("search", "-i", "-c", "server").output == "2\n")
        let combined = try await scrollback("search", "server", "-ri")
        #expect(combined.output.contains("the server is down"))
        #expect(combined.errors.hasPrefix("scrollback: -ri excludes the word \"ri\"; write options separately: -i -c"))
        for room in ["a1/lobby", "LOBBY", "1", "a1/1"] {
            #expect(try await found("server", "in:\(room)") == [said[1], said[3]], "\(room)")
        }
        #expect(try await found("server OR 東京 on:today").count == 3)
        #expect(try await found("server before:2020").isEmpty)

        let text = try await scrollback("search", "server", "-n", "1", "--color", "always")
        #expect(text.output.contains("\u{1B}[1;33mserver\u{1B}[0m 서버 both"))
        let id = scrollback.acknowledged[3]
        #expect(text.errors == "older: scrollback search server --before \(id) -n 1 --color always\n")
        let older = try await scrollback("search", "server", "--before", id, "-n", "1")
        #expect(older.output.contains("the server is down"))
        #expect(older.errors.contains("newer: scrollback search server --after \(scrollback.acknowledged[1]) -n 1\n"))

        #expect(try await scrollback("search", "server", "--count").output == "2\n")
        let people = try await scrollback("search", "server", "--by", "user", "--format", "csv")
        #expect(people.output == "account,name,count\r\na1,alice,2\r\n")

        let around = try await scrollback("search", "東京", "-C1", "--utc")
        let marks = around.output.split(separator: "\n").map { $0.split(separator: " ").dropFirst(2).first }
        #expect(marks == ["-", ">", "-"], "\(around.output)")
        #expect(try await found("--regex", #"[서る]\w*$"#) == [said[2]])
        #expect(try await found("server", "--regex", "(?i)^SERVER") == [said[3]])
        #expect(try await found("\"the SERVER\"") == [said[1]])
        #expect(try await found("\"the server\"", "--exact-letters") == [said[1]])
        #expect(try await scrollback("search", "\"the server\"", "--exact-letters", "--count").output == "1\n")
        #expect(try await found("server", "--sort", "relevance", "-n", "1").count == 1)
        #expect(try await scrollback("search", "--regex", "er", "--count").output == "2\n")

        let nothing = try await scrollback("search", "?!", "nowhere")
        #expect(nothing.status == 1 && nothing.output.isEmpty)
        #expect(nothing.errors.contains("ignored ?! (punctuation can't be searched)"))
        #expect(nothing.errors.contains("nothing found in \(scrollback.data)"))

        for (words, reason) in [
            (["server", "from:nobody"], "no messages from anyone named \"nobody\"\n"),
            (["server", "東京"], "there are matches without server\nthere are matches without 東京\n"),
            (["server", "before:2020"], "there are matches outside that time range\n"),
            (["server", "--regex", "x{7}"], "there are matches without the regular expression\n"),
            (["\"the SERVER\"", "--exact-letters"], "there are matches in other spellings\n"),
        ] {
            let result = try await scrollback.start(arguments: ["search"] + words).result()
            #expect(result.status == 1)
            #expect(result.errors.hasSuffix("nothing found in \(scrollback.data)\n" + reason), "\(result.errors)")
            let count = try await scrollback.start(arguments: ["search", "-c"] + words).result()
            #expect(count.output == "0\n" && count.status == 1 && count.errors.hasSuffix(reason), "\(count)")
        }

        // As grep.
        for (words, status) in [
            (["search", "서버"], Int32(0)), (["search", "nothing"], 1), (["search", "nothing", "--count"], 1),
            (["search", "서버", "--count"], 0), (["search", "서버", "after:soon"], 2), (["history", "a1/lobby"], 0),
            (["history", "a1/lobby", "--after", "now"], 1), (["history", "loby"], 2),
            (["search", "server", "in:nowhere"], 2),
            (["history", "a1/lobby", "--after", "soon"], 2), (["tail", "loby"], 1), (["tail", "--frm"], 64),
        ] {
            #expect(try await scrollback.start(arguments: words).result().status == status, "\(words)")
        }
        let empty = try await scrollback("search", "?!")
        #expect(empty.status == 2 && empty.errors.contains("no searchable word"))

        let anew = try await scrollback("archive", "reindex", "--rebuild")
        #expect(anew.status == 0 && anew.errors == "a1: the index is complete, 4 messages added\n")
        #expect(try await found("서버").count == 2)
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback("archive", "reindex").errors == "a1: the index is complete, 0 messages added\n")
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test(arguments: [
        (["--formt", "x"], "formt"), (["x", "--before", "soon"], "[bad-time]"), ([], "<word>"),
        (["--regex", "a(b"], "missing closing parenthesis after \"a(b\""),
        (["x", "-C", "500"], "'-C <n>': use 0 to 100"),
        (["--regex", "x", "--timeout", "0"], "1 to 86400"),
        (["--regex", "x", "--sort", "relevance"], "ranks words"),
        (["from:x", "--sort", "relevance"], "--sort relevance"), (["-v", "grub"], "put - before the word: -test"),
        (["grub", "-E"], "use --regex PATTERN"), (["-l", "grub"], "--by room"), (["grub", "-o"], "--count"),
        (["grub", "-z"], "unknown option '-z'; to exclude the word \"z\", put -- before it: -- -z"),
        (["-i", "--regex", "x"], "begin the pattern with (?i)"),
        (["maße", "--exact-letters"], "needs a phrase in quotes, which a shell removes"),
        (["--regex", "a", "--regex", "b"], "--regex is given 2 times"),
        (["--regex", "a(" + String(repeating: "b", count: 4000)], "bbb…\": missing closing parenthesis after \"…bbb"),
        (["--regex", String(repeating: "a", count: 120_000)], "aaa…\": longer than 4096 bytes; without --regex"),
        (["has:" + String(repeating: "a", count: 4000)], "aaa…; known: has:"),
        (["\"maße\"", "--exact-letters", "--sort", "relevance"], "in any spelling"),
    ])
    func `wrong usage is reported, and a word with two dashes is an option`(arguments: [String], reason: String)
        async throws
    {
        let result = try await Program().start(arguments: ["search"] + arguments).result()
        #expect(result.status == 2)
        #expect(result.errors.contains(reason), "\(result.errors)")
    }
}
