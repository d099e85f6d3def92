import Foundation
import TestSupport
import Testing

/// Messages with more earlier texts or reactions than one request to a listener takes.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct LongMessageEndToEndTests {
    struct Source: Sendable, CustomTestStringConvertible {
        let format: String
        let name: String
        let text: String
        /// The rows that its messages bring: the table's name and their number.
        let rows: (table: String, count: Int)
        var testDescription: String { format }
    }

    private static let room = "example"
    private static let id = "2026-11-21T06:23:11.000000Z"

    private static func seconds(_ number: Int) -> String {
        String(format: "2026-11-21T%02d:%02d:%02d.000000Z", 7 + number / 3600, number / 60 % 60, number % 60)
    }

    /// 2,000 earlier texts of 500 bytes, between two short messages.
    private static let texts = {
        func line(_ second: Int, _ id: String, more: String = "") -> String {
            """
            {"id": "2026-11-21T06:23:\(second).000000Z", "room": "example", "room_key": "c1", "kind": "message", \
            "sender": {"id": 1, "name": "alice"}, "sender_key": "U1", "body": "\(id)", "remote_id": "\(id)"\(more)}\n
            """
        }
        let versions = (0..<2000).map {
            #"{"at": "\#(seconds($0))", "body": "\#($0) \#(String(repeating: "안녕", count: 83))"}"#
        }
        return Source(
            format: "jsonl", name: "export.jsonl",
            text: line(10, "m0")
                + line(
                    11, "m1",
                    more: ", \"edited_at\": \"\(seconds(3000))\", \"versions\": [\(versions.joined(separator: ", "))]")
                + line(12, "m2"),
            rows: ("message_version", 2000))
    }()

    private static let slack = {
        let users = (0..<20_000).map { "\"U\(1_000_000 + $0)\"" }
        func reaction(_ name: String, _ users: ArraySlice<String>) -> String {
            #"{"name": "\#(name)", "users": [\#(users.joined(separator: ", "))], "count": \#(users.count)}"#
        }
        return Source(
            format: "slack", name: "example/2026-11-21.json",
            text: """
                [{"type": "message", "user": "U1", "ts": "1795242190.000000", "text": "m0"},
                 {"type": "message", "user": "U1", "ts": "1795242191.000000", "text": "m1",
                  "reactions": [\(reaction("wave", users[..<12_000])), \(reaction("+1", users[12_000...]))]},
                 {"type": "message", "user": "U1", "ts": "1795242192.000000", "text": "m2"}]
                """, rows: ("reaction", 20_000))
    }()

    private static let discord = {
        func message(_ number: Int, reactions: String = "") -> String {
            """
            {"id": "10\(number)", "type": "Default", "timestamp": "2026-11-21T06:23:1\(number)+00:00", "content": "m\(number)",
             "author": {"id": "7", "name": "alice"}, "attachments": [], "embeds": [], "reactions": [\(reactions)]}
            """
        }
        let users = (0..<20_000).map { #"{"id": "\#(1_000_000_000_000_000_000 + $0)", "name": "user \#($0)"}"# }
        let reactions = #"{"emoji": {"name": "👋"}, "count": 20000, "users": [\#(users.joined(separator: ", "))]}"#
        return Source(
            format: "discord", name: "example.json",
            text: """
                {"guild": {"id": "1", "name": "Example"}, "channel": {"id": "20", "type": "GuildTextChat", "name": "example"},
                 "messages": [\([message(0), message(1, reactions: reactions), message(2)].joined(separator: ",\n"))]}
                """, rows: ("reaction", 20_000))
    }()

    private func summary(_ result: Run.Result) -> String {
        result.errors.split(separator: "\n").first { $0.hasPrefix("read ") }.map(String.init) ?? result.errors
    }

    @Test(arguments: [texts, slack, discord])
    func `a long message is stored completely, counts as one, and is not stored again`(
        source: Source
    ) async throws {
        let scrollback = try Program()
        try FileManager.default.createDirectory(
            atPath: scrollback.home + "/example", withIntermediateDirectories: true)
        try scrollback.write(source.text, to: source.name)
        let unit = source.format == "jsonl" ? "lines" : "messages"
        let arguments = ["import", source.name, "-a", "old"]
        let planned = try await scrollback.start(arguments: arguments + ["--dry-run"]).result()
        #expect(
            summary(planned) == "read 3 \(unit): 3 new messages, 0 already stored, 0 invalid; dry run, nothing stored")
        let first = try await scrollback.start(arguments: arguments).result()
        #expect(summary(first) == "read 3 \(unit): 3 new messages, 0 already stored, 0 invalid")
        let rows = try AccountRows(scrollback, account: "old").all
        #expect(rows.count { $0.hasPrefix(source.rows.table + " ") } == source.rows.count)
        for words in [[], ["--dry-run"]] {
            let again = try await scrollback.start(arguments: arguments + words).result()
            #expect(summary(again).hasPrefix("read 3 \(unit): 0 new messages, 3 already stored, 0 invalid"))
        }
        #expect(try AccountRows(scrollback, account: "old").all == rows)
        #expect(try await scrollback.said(in: "old/example").map { $0.suffix(2) } == ["m0", "m1", "m2"])
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `every earlier text is shown, exported and imported again`() async throws {
        let (scrollback, copy) = (try Program(), try Program())
        try scrollback.write(Self.texts.text, to: "export.jsonl")
        _ = try await scrollback("import", "export.jsonl", "-a", "old")
        for program in [scrollback, copy] {
            let shown = try await program("show", Self.id, "--format", "json").output
            #expect(shown.ranges(of: "\"at\": ").count == 2001, "the present text is one more")
            guard program.home == scrollback.home else { break }
            #expect(try await scrollback("export", "-o", copy.home + "/out").status == 0)
            let result = try await copy("import", "out", "-a", "old")
            #expect(summary(result).contains(": 3 new messages, 0 already stored, 0 invalid"), "\(result.errors)")
        }
    }

    @Test func `a listener stores the parts of a long message one after another`() async throws {
        let scrollback = try Program()
        let server = try await scrollback.startServer()
        try scrollback.configure(ports: server.port)
        try FileManager.default.createDirectory(
            atPath: scrollback.home + "/example", withIntermediateDirectories: true)
        let alice = try await ChatSocket.joined("alice", port: server.port)
        let listener = try await scrollback.startListener(witness: alice)
        for source in [Self.texts, Self.slack, Self.discord] {
            try scrollback.write(source.text, to: source.name)
            for counts in ["3 new messages, 0 already stored", "0 new messages, 3 already stored"] {
                let result = try await scrollback("import", source.name, "-a", "a1")
                #expect(summary(result).hasSuffix("\(counts), 0 invalid"), "\(result.errors)")
            }
        }
        #expect(try await listener.stop().status == 0)
        let rows = try AccountRows(scrollback, account: "a1").all
        #expect(rows.count { $0.hasPrefix("message_version ") } == 2000)
        #expect(rows.count { $0.hasPrefix("reaction ") } == 40_000)
        #expect(try await scrollback("archive", "check").status == 0)
    }
}
