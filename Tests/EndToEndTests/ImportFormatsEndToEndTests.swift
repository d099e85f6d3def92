import Foundation
import LogFormats
import TestSupport
import Testing

/// `scrollback import` of every kind of log and export, as people have them.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ImportFormatsEndToEndTests {
    private func summary(_ result: Run.Result) -> String {
        result.errors.split(separator: "\n").first { $0.hasPrefix("read ") }.map(String.init) ?? result.errors
    }

    private func told(_ message: JSONMessage) -> String {
        let words = [String(message.id.dropFirst(8)), message.kind, message.sender?.name].compactMap(\.self)
        return words.joined(separator: " ") + (message.body.map { ": \($0)" } ?? "")
    }

    @Test(arguments: ImportSample.all)
    func `each format is recognised, imported once, and continued as the log grows`(sample: ImportSample) async throws {
        let scrollback = try Program()
        try sample.write(to: scrollback, isLater: false)
        let arguments = sample.arguments(account: "old")
        let expected = "read \(sample.read): \(sample.messages.count) new messages, 0 already stored, 0 invalid"
        let planned = try await scrollback.start(arguments: arguments + ["--dry-run"]).result()
        #expect(summary(planned) == expected + "; dry run, nothing stored")
        let first = try await scrollback.start(arguments: arguments).result()
        #expect(first.status == 0 && first.output.isEmpty)
        #expect(summary(first) == expected)
        #expect(first.errors.contains(": \(sample.format)\n") || sample.words?.first == sample.format)
        #expect(!first.errors.contains("skipped"))
        let room = "old/\(sample.room)"
        #expect(try await scrollback.messages(in: room).map(told) == sample.messages)

        let rows = try AccountRows(scrollback, account: "old").all
        let again = try await scrollback.start(arguments: arguments).result()
        #expect(
            summary(again) == "read \(sample.read): 0 new messages, \(sample.messages.count) already stored, 0 invalid")
        #expect(try AccountRows(scrollback, account: "old").all == rows)

        try sample.write(to: scrollback, isLater: true)
        let rest = ": 1 new message, \(sample.messages.count) already stored, 0 invalid"
        let grown = try await scrollback.start(arguments: arguments + ["--dry-run"]).result()
        #expect(summary(grown).hasSuffix(rest + "; dry run, nothing stored"), "\(grown.errors)")
        #expect(summary(try await scrollback.start(arguments: arguments).result()).hasSuffix(rest))
        #expect(try await scrollback.messages(in: room).map(told) == sample.messages + [sample.last])
        #expect(try await scrollback("archive", "check").status == 0)
        let gaps = try await scrollback("gaps", room, "--imported").output
        #expect(gaps.contains("imported log: not known to be complete"), "\(gaps)")
    }

    @Test func `every format has a sample, here or in the folder of samples`() {
        let sampled = Set(ImportSample.all.map(\.format)).union(FormatSample.all.map(\.format))
        #expect(sampled == Set(KnownLogFormats.all.map { $0.name }))
    }

    @Test func `a clock that goes back keeps the file's order and repeats nothing`() async throws {
        let scrollback = try Program()
        try scrollback.write(
            "--- Log opened Sat Nov 21 10:05:00 2026\n10:05 < a> x\n10:03 < b> y\n10:06 < a> z\n", to: "#example.log")
        let first = try await scrollback("import", "#example.log", "-a", "old")
        #expect(summary(first) == "read 4 lines: 3 new messages, 0 already stored, 0 invalid")
        #expect(first.errors.contains("assumed:\n  #example.log: lines with an earlier time"))
        let rows = try AccountRows(scrollback, account: "old").all
        let again = try await scrollback("import", "#example.log", "-a", "old")
        #expect(summary(again) == "read 4 lines: 0 new messages, 3 already stored, 0 invalid")
        #expect(try AccountRows(scrollback, account: "old").all == rows)
        #expect(try await scrollback.said(in: "old/#example") == ["a: x", "b: y", "a: z"])
    }

    /// A Discord export of three messages.
    private func discord(pins: Set<Int>, at time: String) -> String {
        let messages = (0..<3).map { number in
            """
            {"id": "10\(number)", "type": "Default", "timestamp": "2026-11-21T06:23:1\(number)+00:00",
             "isPinned": \(pins.contains(number)), "content": "m\(number)", "author": {"id": "7", "name": "alice"}}
            """
        }
        return """
            {"guild": {"id": "1"}, "channel": {"id": "20", "type": "GuildTextChat", "name": "example"},
             "exportedAt": "\(time)", "messages": [\(messages.joined(separator: ","))]}
            """
    }

    @Test func `a flag marks pinned messages, which a later export changes and our export keeps`()
        async throws
    {
        let (scrollback, copy) = (try Program(), try Program())
        func pinned(_ program: Program) async throws -> [String] {
            let lines = try await program("history", "old/example", "--format", "jsonl").output.split(separator: "\n")
            return lines.filter { $0.contains(#""flags": ["pinned"]"#) }.map { line in
                line.contains("\"m0\"") ? "m0" : line.contains("\"m1\"") ? "m1" : "m2"
            }
        }
        try scrollback.write(discord(pins: [0], at: "2026-11-22T00:00:00+00:00"), to: "a.json")
        _ = try await scrollback("import", "a.json", "-a", "old")
        #expect(try await pinned(scrollback) == ["m0"])
        let shown = try await scrollback("show", "2026-11-21T06:23:10.000000Z").output
        #expect(shown.contains("pinned: pinned in its room"), "\(shown)")
        try scrollback.write(discord(pins: [1, 2], at: "2026-11-22T01:00:00+00:00"), to: "a.json")
        for counts in ["3 changed", "3 already stored"] {
            let result = try await scrollback("import", "a.json", "-a", "old")
            #expect(summary(result).contains(counts), "\(result.errors)")
        }
        #expect(try await pinned(scrollback) == ["m1", "m2"])
        #expect(try await scrollback("export", "-o", copy.home + "/out").status == 0)
        _ = try await copy("import", "out", "-a", "old")
        #expect(try await pinned(copy) == ["m1", "m2"])
        for program in [scrollback, copy] { #expect(try await program("archive", "check").status == 0) }
    }

    @Test func `a room's own logs don't repeat live messages`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        for text in ["hi", "안녕", "hi"] { try await alice.say(text, as: "alice") }
        try await eventually("all is stored", state: { scrollback.acknowledged.joined(separator: " ") }) {
            try await scrollback.said(in: "a1/lobby").count == 3 ? true : nil
        }
        let heard = try await scrollback.messages(in: "a1/lobby").filter { $0.kind == "message" }
        // 2026-11-21T06:23:11.123456Z
        let lines = heard.map { (time: $0.id.dropFirst(11).prefix(8), text: "alice> \($0.body ?? "")") }
        let day = heard.first.map { String($0.id.prefix(10)) } ?? ""
        let irssi = lines.map { "\(day) \($0.time.prefix(5)) < \($0.text)\n" }.joined()
        let znc = lines.map { "[\($0.time)] <\($0.text)\n" }.joined()
        let rows = lines.map { "\(day) \($0.time),\"alice\",\"\($0.text.dropFirst(7))\"\n" }.joined()
        let line = lines.map {
            "\(day.replacing("-", with: "/")) \($0.time.prefix(5))\talice\t\($0.text.dropFirst(7))\n"
        }
        let phone = lines.map {
            "\(day.replacing("-", with: ". ")). \($0.time.prefix(5)), alice : \($0.text.dropFirst(7))\n"
        }
        try scrollback.write("Date,User,Message\n" + rows, to: "kakaotalk.csv")
        try scrollback.write(phone.joined(), to: "kakaotalk.txt")
        try scrollback.write(line.joined(), to: "line.txt")
        try scrollback.write(irssi, to: "irssi.log")
        try scrollback.write(znc, to: "lobby_\(day).log")
        for arguments in [
            ["irssi", "irssi.log"], ["znc", "lobby_\(day).log"], ["kakaotalk", "kakaotalk.txt"], ["line", "line.txt"],
        ] {
            let result = try await scrollback.start(
                arguments: ["import"] + arguments + ["-a", "a1", "--room", "lobby"]
            ).result()
            #expect(summary(result) == "read 3 lines: 0 new messages, 3 already stored, 0 invalid", "\(arguments)")
        }
        let objects = lines.map {
            "{\"ts\": \"\(day) \($0.time)\", \"who\": \"alice\", \"text\": \"\($0.text.dropFirst(7))\"}\n"
        }
        try scrollback.write(objects.joined(), to: "lobby.jsonl")
        for (words, unit) in [
            (["csv", "kakaotalk.csv", "--columns", "time=Date,sender=User,text=Message"], "messages"),
            (["jsonl", "lobby.jsonl", "--columns", "time=ts,sender=who,text=text"], "lines"),
        ] {
            let result = try await scrollback.start(
                arguments: ["import"] + words + ["-a", "a1", "--room", "lobby"]
            ).result()
            #expect(
                summary(result) == "read 3 \(unit): 0 new messages, 3 already stored, 0 invalid", "\(result.errors)")
        }
        let table = try await scrollback("import", "kakaotalk", "kakaotalk.csv", "-a", "a1", "--room", "lobby")
        #expect(summary(table) == "read 4 lines: 0 new messages, 3 already stored, 0 invalid", "\(table.errors)")
        #expect(try await listener.stop().status == 0)
        #expect(try await scrollback.said(in: "a1/lobby") == ["alice: hi", "alice: 안녕", "alice: hi"])
        #expect(try await scrollback("archive", "check").status == 0)
    }
}
