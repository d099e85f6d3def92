import Foundation
import SQLite
import TestSupport
import Testing

/// Programs that live of the feed, and alerts.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct FeedEndToEndTests {
    private struct Change: Decodable, Hashable {
        struct State: Decodable, Hashable {
            var body: String?
        }
        var kind: String
        var position: String
        var account: String
        var subject: String?
        var state: State?
    }

    private func changes(_ output: String) throws -> [Change] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(Change.self, from: Data($0.utf8)) }
    }

    private func listening() async throws -> (scrollback: Program, alice: ChatSocket, listener: Run, server: Run) {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        return (scrollback, alice, try await scrollback.startListener(witness: alice), server.run)
    }

    @Test func `the feed continues from any position, and follows through a pipe until Ctrl-C`() async throws {
        let (scrollback, alice, listener, server) = try await listening()
        for word in ["one", "two"] { try await alice.say(word, as: "alice") }
        try await eventually("stored") { scrollback.acknowledged.count == 2 ? true : nil }
        let whole = try await scrollback("tail", "--feed", "--format", "jsonl")
        #expect(whole.status == 0 && whole.errors.isEmpty)
        let all = try changes(whole.output)
        #expect(all.compactMap(\.state?.body) == ["one", "two"])
        for (index, change) in all.enumerated() {
            let rest = try await scrollback("tail", "--feed", "--after", change.position, "--format", "jsonl")
            #expect(try changes(rest.output) == Array(all[(index + 1)...]))
        }
        let last = try #require(all.last).position
        let piped = try scrollback.start(
            arguments: ["tail", "--feed", "-a", "a1", "--after", last, "--follow", "--format", "jsonl"],
            shell: #"exec "$@" | exec cat"#)
        let direct = try scrollback.start("tail", "--feed", "--follow", "--format", "jsonl")
        try await alice.say("three", as: "alice")
        for run in [piped, direct] {
            try await eventually("what came", state: { run.errors }) { run.output.contains("three") ? true : nil }
        }
        #expect(try changes(piped.output).compactMap(\.state?.body) == ["three"])
        try await piped.endAll()
        #expect(try await direct.stop(SIGINT).status == 128 + SIGINT)
        let text = try await scrollback("tail", "--feed", "--after", last)
        #expect(
            text.output.hasSuffix("  a1/lobby  alice  three\n") && text.output.contains("  stored  "), "\(text.output)")
        _ = try await listener.stop()
        withExtendedLifetime(server) {}
    }

    @Test func `a position from before a restore resets the feed`() async throws {
        let scrollback = try Program()
        try scrollback.write("2026-11-21 10:00:00\talice\thi\n", to: "log")
        #expect(try await scrollback("import", "weechat", "log", "-a", "old", "--room", "#a").status == 0)
        let first = try changes(try await scrollback("tail", "--feed", "--format", "jsonl").output)
        #expect(try await scrollback("backup", "create", "--all", "copy").status == 0)
        #expect(try await scrollback("backup", "restore", "copy", "--data", "restored").status == 0)
        let position = try #require(first.last).position
        let again = try changes(
            try await scrollback("tail", "--feed", "--format", "jsonl", "--after", position, "--data", "restored")
                .output)
        #expect(again.first?.kind == "reset" && again.first?.subject == nil)
        #expect(again.dropFirst().map(\.kind) == first.map(\.kind))
        #expect(again.dropFirst().map(\.state) == first.map(\.state))
    }

    @Test func `an invalid position and an unknown account are refused with advice`() async throws {
        let scrollback = try Program()
        let wrong = try await scrollback("tail", "--feed", "--after", "yesterday")
        #expect(wrong.status == 64 && wrong.errors.contains("use EPOCH:SEQ, the \"position\" of a change"))
        let empty = try await scrollback("tail", "--feed")
        #expect(empty.status == 0 && empty.output.isEmpty)
        try scrollback.write("2026-11-21 10:00:00\talice\thi\n", to: "log")
        for account in ["one", "two"] {
            #expect(try await scrollback("import", "weechat", "log", "-a", account, "--room", "#a").status == 0)
        }
        let several = try await scrollback("tail", "--feed", "--after", "e:1")
        #expect(several.status == 64 && several.errors.contains("name the account with -a"))
        let unknown = try await scrollback("tail", "--feed", "-a", "three")
        #expect(unknown.status == 1 && unknown.errors.contains("[unknown-account]"))
        let both = try changes(try await scrollback("tail", "--feed", "--format", "jsonl").output)
        #expect(Set(both.map(\.account)) == ["one", "two"])
    }

    @Test func `a position of another account or in another form is refused`() async throws {
        let scrollback = try Program()
        try scrollback.write("2026-11-21 10:00:00\talice\thi\n", to: "log")
        for account in ["one", "two"] {
            #expect(try await scrollback("import", "weechat", "log", "-a", account, "--room", "#a").status == 0)
        }
        let first = try changes(try await scrollback("tail", "--feed", "-a", "one", "--format", "jsonl").output)
        let position = try #require(first.last).position
        #expect(try await scrollback("tail", "--feed", "-a", "one", "--after", position).status == 0)
        let other = try await scrollback("tail", "--feed", "-a", "two", "--after", position)
        #expect(other.status == 64 && other.output.isEmpty, "\(other)")
        #expect(
            other.errors.contains("--after is a position of account \"one\"; use the \"position\""), "\(other.errors)")
        let nonsense = try await scrollback("tail", "--feed", "-a", "two", "--after", "nonsense:5")
        #expect(nonsense.status == 64 && nonsense.errors.contains("is not a position of a feed"), "\(nonsense.errors)")
        let gone = "00000000-0000-0000-0000-000000000000:5"
        let reset = try changes(
            try await scrollback("tail", "--feed", "-a", "two", "--format", "jsonl", "--after", gone).output)
        #expect(reset.first?.kind == "reset", "an earlier life of the account's file may have had it")
    }

    @Test func `tail treats words as a query, and a single word as a possibly misspelt room`() async throws {
        let (scrollback, alice, listener, server) = try await listening()
        try await alice.say("the server is down", as: "alice")
        try await eventually("stored") { scrollback.acknowledged.count == 1 ? true : nil }
        let query = try scrollback.start("tail", "-f", "from:alice server OR 서버", "--format", "jsonl")
        let words = try scrollback.start("tail", "-f", "서버 down", "--new", "--format", "jsonl")
        try await eventually("what was there", state: { query.errors }) {
            query.output.contains("is down") ? true : nil
        }
        try await words.says("no room \"서버 down\"; following messages that match it")
        let misspelt = try await scrollback("tail", "-f", "loby")
        #expect(misspelt.status == 1 && misspelt.errors.contains("did you mean \"lobby\""))
        // The second follower may begin later than its words.
        try await eventually("what came") {
            try await alice.say("서버 is down again", as: "alice")
            try await alice.say("lunch?", as: "alice")
            return words.output.contains("again") && query.output.contains("again") ? true : nil
        }
        #expect(!query.output.contains("lunch") && query.errors.isEmpty)
        #expect(!words.output.contains("the server") && !words.output.contains("lunch"))
        _ = try await listener.stop()
        withExtendedLifetime(server) {}
    }

    private static func script(_ heading: String) throws -> String {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/alerts.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") } ?? ""
        return section.components(separatedBy: "```sh\n").dropFirst().first?.components(separatedBy: "```").first ?? ""
    }

    @Test(
        .enabled(if: Tool.find("jq") != nil, "needs jq, which .ci/fetch-tools fetches"),
        arguments: ["Mail", "ntfy", "A webhook"])
    func `a documented alert forwards message texts without any shell reading them`(heading: String) async throws {
        let (scrollback, alice, listener, server) = try await listening()
        let jq = try #require(Tool.find("jq"))
        let variables = jq.environment.map { "\($0)='\($1)' " }.joined()
        let doubles = """
            program=$1
            jq() { \(variables)'\(jq.path)' "$@"; }
            scrollback() { "$program" "$@"; }
            curl() { cat >> sent; }
            sendmail() { cat >> sent; }

            """
        let script = try Self.script(heading)
        #expect(script.contains("scrollback tail -f"))
        let alert = try scrollback.start(arguments: [], shell: doubles + script)
        let hostile = #"server $(touch pwned) `touch pwned` '; touch pwned; ' " & | > pwned \ %s ~! -e @/etc/passwd"#
        try await eventually("an alert", state: { alert.errors }) {
            try await alice.say(hostile, as: "alice")
            return (try? String(contentsOfFile: scrollback.home + "/sent", encoding: .utf8))?.contains("passwd")
                == true ? true : nil
        }
        let sent = try String(contentsOfFile: scrollback.home + "/sent", encoding: .utf8)
        let quoted = hostile.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        #expect(sent.contains("lobby alice: " + (heading == "A webhook" ? quoted : hostile)), "\(sent)")
        #expect(!FileManager.default.fileExists(atPath: scrollback.home + "/pwned"))
        try await alert.endAll()
        _ = try await listener.stop()
        withExtendedLifetime(server) {}
    }
}
