import Archive
import ChatModel
import Foundation
import TestSupport
import Testing

/// `scrollback retention`, and a listener that applies rules.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct RetentionEndToEndTests {
    private static let messages = 100

    /// An archive of 2026-11-21, and rules for it. The messages are older than any rule allows.
    private func program(_ rules: String) async throws -> Program {
        let program = try Program()
        try await StoredRoom.store(
            (0..<Self.messages).map { StoredRoom.Said(name: "민수", text: "말 \($0)") }, as: "classroom", for: program)
        try program.write(
            """
            [retention]
            \(rules)

            [[account]]
            name = "classroom"
            network = "streamchat"
            server = "tcp://127.0.0.1:1"
            nick = "archiver"
            """, to: "scrollback.toml")
        return program
    }

    private func count(_ program: Program) async throws -> Int {
        try await program("history", "lobby", "-n", "all", "--format", "jsonl").output.split(separator: "\n").count
    }

    @Test func `a plan removes nothing, applying needs a decision, and the ledger has what was removed`() async throws {
        let scrollback = try await program("max_age = \"1h\"\nmin_messages = 20")
        let plan = try await scrollback("retention", "plan", "--utc")
        #expect(plan.status == 0, "\(plan.errors)")
        #expect(plan.output.contains("classroom/lobby"))
        #expect(plan.output.contains("80 messages") && plan.output.contains("max_age = \"1h\""), "\(plan.output)")
        #expect(plan.output.contains("2026-11-21 00:00:01") && plan.output.contains("2026-11-21 00:01:20"))
        #expect(plan.errors.contains("more than a tenth of account \"classroom\""), "\(plan.errors)")
        #expect(try await count(scrollback) == Self.messages)

        let refused = try await scrollback("retention", "apply")
        #expect(refused.status == 1 && refused.errors.contains("[not-confirmed]"), "\(refused.errors)")
        #expect(try await count(scrollback) == Self.messages)

        let applied = try await scrollback("retention", "apply", "--yes")
        #expect(applied.status == 0 && applied.errors == "classroom: removed 80 messages\n", "\(applied.errors)")
        #expect(try await count(scrollback) == 20)
        let again = try await scrollback("retention", "apply")
        #expect(again.status == 0 && again.errors == "classroom: nothing is too old\n", "\(again.errors)")

        let log = try await scrollback("retention", "log", "--format", "jsonl")
        #expect(log.output.contains("\"count\": 80") && log.output.contains("\"what\": \"messages\""), "\(log.output)")
        #expect(!log.output.contains("말"))
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `pages, searches and exports show removed messages as a gap`() async throws {
        let scrollback = try await program("max_age = \"1h\"\nmin_messages = 20")
        #expect(try await scrollback("retention", "apply", "--yes").status == 0)
        let sentence = "80 messages of 2026-11-21 00:00:01 to 00:01:20 expired on "
        let page = try await scrollback("history", "lobby", "--oldest", "--utc")
        #expect(page.output.contains(sentence), "\(page.output)\(page.errors)")
        let json = try await scrollback("history", "lobby", "--oldest", "--format", "json")
        #expect(json.output.contains("\"state\": \"purged\"") && json.output.contains("\"messages\": 80"))
        let hits = try await scrollback("search", "말", "--utc")
        #expect(hits.errors.contains("messages were removed in the time of this page"), "\(hits.errors)")
        #expect(try await !scrollback("gaps").output.contains("purged"))
        for (format, words) in [("text", sentence), ("html", sentence), ("markdown", sentence)] {
            let exported = try await scrollback(
                "export", "--room", "lobby", "--format", format, "-o", format, "--utc")
            #expect(exported.status == 0, "\(exported.errors)")
            let files = try #require(FileManager.default.enumerator(atPath: scrollback.home + "/\(format)"))
            let texts = files.compactMap { $0 as? String }.compactMap {
                try? String(contentsOfFile: scrollback.home + "/\(format)/" + $0, encoding: .utf8)
            }
            #expect(texts.contains { $0.contains(words) }, "\(format): \(texts)")
        }
    }

    @Test func `a hold keeps messages until it is released`() async throws {
        let scrollback = try await program("max_age = \"1h\"")
        let held = try await scrollback(
            "retention", "hold", "case-17", "classroom/lobby", "--after", "2026-11-21 00:00:50", "--reason", "감사",
            "--utc")
        #expect(held.status == 0 && held.errors == "classroom: held 51 messages\n", "\(held.errors)")
        #expect(try await scrollback("retention", "apply", "--yes").errors == "classroom: removed 49 messages\n")
        let holds = try await scrollback("retention", "holds", "--utc")
        #expect(holds.output.contains("case-17") && holds.output.contains("감사"), "\(holds.output)")
        #expect(holds.output.contains("2026-11-21 00:00:50"), "\(holds.output)")
        let unknown = try await scrollback("retention", "release", "case-71")
        #expect(unknown.status == 64 && unknown.errors.contains("did you mean \"case-17\"?"), "\(unknown.errors)")
        let released = try await scrollback("retention", "release", "case-17")
        #expect(released.status == 0 && released.errors == "classroom: released 51 messages\n", "\(released.errors)")
        #expect(try await scrollback("retention", "apply").errors == "classroom: removed 51 messages\n")
    }

    @Test func `JSON has the figures of holds and rules as numbers`() async throws {
        let scrollback = try await program("max_age = \"1h\"\nmin_messages = 40")
        func figures(_ arguments: String...) async throws -> String {
            let run = try await scrollback.start(arguments: ["retention"] + arguments + ["--format", "jsonl"]).result()
            #expect(run.status == 0, "\(run.errors)")
            let found = run.output.matches(of: /"(messages|events|files|raw)": ([0-9]+|null)/)
            return found.map { "\($0.1) \($0.2)" }.joined(separator: ", ")
        }
        #expect(
            try await figures("hold", "case-17", "classroom/lobby", "--before", "2026-11-21 00:00:11", "--utc")
                == "messages 10, files null, events 0, raw null")
        #expect(try await figures("apply", "--yes") == "messages 50, files 0, events 0, raw 0")
        #expect(try await figures("release", "case-17") == "messages 10, files null, events 0, raw null")
        #expect(try await figures("apply") == "messages 10, files 0, events 0, raw 0")
        #expect(try await figures("apply") == "messages 0, files 0, events 0, raw 0")
    }

    @Test(arguments: [["retention", "plan"], ["retention", "apply"], ["config", "check"]])
    func `a rule for an unknown room is named`(command: [String]) async throws {
        let scrollback = try await program(
            "max_age = \"forever\"\n[[retention.rule]]\nrooms = [\"classrom/lobby\"]\nmax_age = \"1h\"")
        let run = try await scrollback.start(arguments: command).result()
        let warning = #"warning: no account matches "classrom/lobby" of [[retention.rule]]; did you mean "classroom"?"#
        #expect(run.status == 0 && run.errors.contains(warning + "\n"), "\(run.errors)")
        let isFirst = !run.errors.contains("nothing is too old") || run.errors.hasPrefix(warning)
        #expect(isFirst, "\(run.errors)")
        #expect(try await count(scrollback) == Self.messages)
    }

    @Test func `without rules, there is nothing to plan`() async throws {
        let scrollback = try Program()
        try await StoredRoom.store([.init(name: "alice", text: "hi")], for: scrollback)
        for command in ["plan", "apply"] {
            let run = try await scrollback("retention", command)
            #expect(run.status == 1 && run.errors.contains("[no-rules]"), "\(run.errors)")
        }
        #expect(try await scrollback("retention", "log").errors == "no rule has removed anything\n")
        #expect(try await scrollback("retention", "holds").errors == "no holds\n")
    }

    @Test func `a listener waits with a new rule that removes much until it is applied`() async throws {
        let scrollback = try await program("max_age = \"1h\"\nmin_messages = 20")
        let listener = try scrollback.start(arguments: ["listen"])
        try await eventually("it warns", state: { listener.errors }) {
            listener.errors.contains("waits for: scrollback retention apply") ? true : nil
        }
        #expect(try await count(scrollback) == Self.messages)
        let waiting = try await scrollback("status")
        #expect(waiting.output.contains(", 1 retention rule waits"), "\(waiting.output)")
        #expect(
            try await scrollback("retention", "hold", "first", "--before", "2026-11-21 00:00:10", "--utc").status == 0)
        let applied = try await scrollback("retention", "apply", "--yes")
        #expect(applied.errors == "classroom: removed 71 messages\n", "\(applied.errors)")
        #expect(try await count(scrollback) == 29)
        let status = try await scrollback("status", "--format", "jsonl")
        #expect(status.output.contains("\"waiting\": []") && !status.output.contains("\"applied_at\": null"))
        #expect(try await listener.stop().status == 0)
    }

    @Test func `a listener applies a known rule, and one that removes little`() async throws {
        let scrollback = try await program("max_age = \"1h\"\nmin_messages = 95")
        let listener = try scrollback.start(arguments: ["listen"])
        try await eventually("it is applied", state: { listener.errors }) {
            listener.errors.contains("applied the retention rules") ? true : nil
        }
        #expect(try await count(scrollback) == 95)
        let rules = try String(contentsOfFile: scrollback.home + "/scrollback.toml", encoding: .utf8)
        try scrollback.write(rules.replacing("95", with: "10"), to: "scrollback.toml")
        listener.signal(SIGHUP)
        var left = 0
        try await eventually("the changed rule is applied", state: { "\(left) left" }) {
            left = try await count(scrollback)
            return left == 10 ? true : nil
        }
        #expect(try await listener.stop().status == 0)
    }
}
