import Foundation
import TestSupport
import Testing

/// The account of an import that was given none, and the results of an import as JSON, JSON lines and CSV.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ImportAccountTests {
    private static let chat = """
        2026. 11. 21. 오전 6:23 - 엄마: 밥 먹었니?
        2026. 11. 21. 오전 6:24 - 민수: 네\n
        """
    private static let log = "[03:41:00] <alice> hi\n[03:42:00] <민수> 안녕\n"
    private static let line = """
        {"id": "2026-11-21T06:23:01.000000Z", "account": "demo", "room": "lobby", "kind": "message", \
        "sender": {"id": 1, "name": "alice"}, "body": "hello"}\n
        """

    private func program() throws -> Program {
        let scrollback = try Program()
        try scrollback.write(Self.chat, to: "가족.txt")
        return scrollback
    }

    private func write(_ text: String, to path: String, in program: Program) throws {
        let folder = (program.home + "/" + path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try program.write(text, to: path)
    }

    private func accounts(_ program: Program) async throws -> [String] {
        let list = try await program("accounts", "--format", "csv").output
        return list.split(separator: "\r\n").dropFirst().compactMap { $0.split(separator: ",").first.map(String.init) }
    }

    @Test func `without a terminal and -a, an import explains how to choose an account`()
        async throws
    {
        let scrollback = try program()
        let result = try await scrollback("import", "가족.txt")
        #expect(result.status == 64)
        #expect(
            result.errors.contains(
                "scrollback: choose an account with -a NAME (a new name creates it); "
                    + "for example: scrollback import 가족.txt -a whatsapp\n"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: scrollback.data))
    }

    @Test(arguments: [("\r", "whatsapp"), ("y\r", "whatsapp"), ("가족\r", "가족")])
    func `on a terminal, an import asks for the account and accepts yes or another name`(key: String, name: String)
        async throws
    {
        let scrollback = try program()
        let terminal = try scrollback.startOnTerminal(columns: 40, "import", scrollback.home + "/가족.txt")
        try await terminal.shows("import into new account \"whatsapp\"? [Y/n/name] ")
        try terminal.type(key)
        #expect(try await terminal.status() == 0, "\(terminal.text)")
        #expect(terminal.text.contains("read 2 lines: 2 new messages"))
        #expect(try await accounts(scrollback) == [name])
    }

    @Test(arguments: ["n\r", "No\r", "\u{4}"])
    func `answering no or ending the input imports nothing`(key: String) async throws {
        let scrollback = try program()
        let terminal = try scrollback.startOnTerminal("import", scrollback.home + "/가족.txt")
        try await terminal.shows("[Y/n/name] ")
        try terminal.type(key)
        #expect(try await terminal.status() == 1)
        #expect(terminal.text.contains("nothing was imported; for example: scrollback import "))
        #expect(!FileManager.default.fileExists(atPath: scrollback.data))
    }

    @Test func `an import into another import's account needs no answer, and a live account is left alone`()
        async throws
    {
        let scrollback = try program()
        try await StoredRoom.store([.init(name: "alice", text: "hi")], as: "znc", for: scrollback)
        #expect(try await scrollback("import", "가족.txt", "-a", "whatsapp").status == 0)
        let again = try await scrollback("import", "가족.txt")
        #expect(again.status == 0, "\(again.errors)")
        #expect(
            again.errors.contains("importing into account \"whatsapp\"\nread 2 lines: 0 new messages, 2 already stored")
        )
        try write(Self.log, to: "znc/#example/2026-11-20.log", in: scrollback)
        let other = try await scrollback("import", "znc", "znc/#example/2026-11-20.log")
        #expect(other.status == 64)
        #expect(other.errors.contains("-a znc-2\n"), "\(other.errors)")
    }

    @Test func `a configured account is not taken for a new one`() async throws {
        let scrollback = try program()
        try scrollback.write(
            """
            [[account]]
            name = "libera"
            network = "streamchat"
            server = "tcp://127.0.0.1:1"
            nick = "archiver"
            """, to: "scrollback.toml")
        try write(Self.log, to: "libera/#example/2026-11-20.log", in: scrollback)
        let result = try await scrollback("import", "libera")
        #expect(result.errors.contains("scrollback import libera -a libera-2\n"), "\(result.errors)")
    }

    @Test(arguments: [
        ("libera/#example/2026-11-20.log", log, "libera"),
        ("bob/networks/OFTC/moddata/log/#example_20261120.log", log, "oftc"),
        ("logs/irc.libera.#example.weechatlog", "2026-11-21 06:23:11\talice\thi\n", "libera"),
        ("irclogs/libera/#example.log", "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 < alice> hi\n", "libera"),
        ("copy.jsonl", line, "demo"), ("logs/2026-11-20-#example.txt", "[03:41] <alice> hi\n", "energymech"),
    ])
    func `the proposed name is the log's network, account or format`(
        path: String, text: String, name: String
    ) async throws {
        let scrollback = try program()
        try write(text, to: path, in: scrollback)
        let result = try await scrollback("import", path)
        #expect(result.errors.contains(" -a \(name)\n"), "\(result.errors)")
    }

    @Test func `lines from an account's own history are recognised`() async throws {
        let scrollback = try program()
        try await StoredRoom.store([.init(name: "alice", text: "hi")], for: scrollback)
        let lines = try await scrollback("history", "demo/lobby", "--format", "jsonl").output
        try scrollback.write(lines, to: "copy.jsonl")
        let result = try await scrollback("import", "copy.jsonl")
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.errors.contains("importing into account \"demo\"\nread 1 line: 0 new messages, 1 already stored"))
    }

    @Test func `logs of several networks are not mixed without a warning`() async throws {
        let scrollback = try program()
        for network in ["libera", "oftc"] {
            try write(Self.log, to: "logs/\(network)/#example/2026-11-20.log", in: scrollback)
        }
        let note =
            "found logs of several networks or accounts (libera, oftc); import each alone to keep their rooms apart\n"
        let result = try await scrollback("import", "logs")
        #expect(result.errors.contains(note))
        #expect(result.errors.contains("scrollback import logs/libera -a libera\n"), "\(result.errors)")
        let merged = try await scrollback("import", "logs", "-a", "both")
        #expect(merged.status == 0 && merged.errors.contains(note), "\(merged.errors)")
    }

    // MARK: - Machine formats

    private struct Answer: Decodable {
        struct File: Decodable {
            let path: String
            let state: String
            let reason: String?
            let format: String?
            let account: String?
            let rooms: [String]
            let lines: Int
            let new: Int
            let known: Int
            let invalid: Int
        }
        struct Totals: Decodable {
            let account: String?
            let files: Int
            let imported: Int
            let skipped: Int
            let failed: Int
            let lines: Int
            let new: Int
            let invalid: Int
            let dry_run: Bool
            let complete: Bool
        }
        let files: [File]
        let totals: Totals
    }

    @Test func `json has each file's result and the totals, and the report stays on stderr`() async throws {
        let scrollback = try program()
        try write(Self.log + "nonsense\n", to: "logs/#example/2026-11-20.log", in: scrollback)
        try write("words\n", to: "logs/notes.txt", in: scrollback)
        try FileManager.default.copyItem(atPath: scrollback.home + "/가족.txt", toPath: scrollback.home + "/logs/가족.txt")
        let result = try await scrollback("import", "logs", "none", "-a", "old", "--format", "json")
        #expect(result.status == 1)
        let answer = try JSONDecoder().decode(Answer.self, from: Data(result.output.utf8))
        #expect(answer.files.map(\.path) == ["none", "logs/가족.txt", "logs/#example/2026-11-20.log", "logs/notes.txt"])
        #expect(answer.files.map(\.state) == ["failed", "imported", "imported", "skipped"])
        #expect(answer.files.compactMap(\.reason) == ["No such file or directory", "unrecognised format"])
        #expect(answer.files.compactMap(\.format) == ["whatsapp", "energymech"])
        #expect(answer.files.map(\.account) == [nil, "old", "old", "old"])
        #expect(answer.files.flatMap(\.rooms) == ["가족", "#example"])
        #expect(answer.files.map(\.lines) == [0, 2, 3, 0])
        #expect(answer.files.map(\.new) == [0, 2, 2, 0])
        #expect(answer.files.map(\.invalid) == [0, 0, 1, 0])
        let totals = answer.totals
        #expect(totals.files == 4 && totals.imported == 2 && totals.skipped == 1 && totals.failed == 1)
        #expect(totals.lines == 5 && totals.new == 4 && totals.invalid == 1)
        #expect(totals.account == "old" && totals.complete && !totals.dry_run)
        #expect(result.errors.contains("read 5 lines: 4 new messages, 0 already stored, 1 invalid\n"))
    }

    @Test func `jsonl and csv have a line for each file, even when nothing is imported`() async throws {
        let scrollback = try program()
        let lines = try await scrollback("import", "가족.txt", "-a", "old", "--format", "jsonl")
        #expect(lines.status == 0)
        #expect(lines.output.split(separator: "\n").count == 1)
        #expect(lines.output.contains(#""path": "가족.txt", "state": "imported", "reason": null, "format": "whatsapp""#))
        let table = try await scrollback("import", "whatsapp", "가족.txt", "-a", "old", "--dry-run", "--format", "csv")
        let records = table.output.split(separator: "\r\n")
        #expect(records.first?.hasPrefix("path,state,reason,format,account,rooms,lines,new,changed,known,") == true)
        #expect(records.last == "가족.txt,imported,,whatsapp,old,가족,2,0,0,2,0,0,0,0,0,,")
        let nothing = try await scrollback("import", "none", "-a", "old", "--format", "json")
        #expect(nothing.status == 1)
        let answer = try JSONDecoder().decode(Answer.self, from: Data(nothing.output.utf8))
        #expect(answer.files.map(\.state) == ["failed"])
        #expect(answer.totals.files == 1)
    }

    @Test func `a log format as --format is refused with the right command`() async throws {
        let result = try await program()("import", "가족.txt", "-a", "old", "--format", "irssi")
        #expect(result.status == 64)
        #expect(
            result.errors.contains(
                "--format is the format of the output; for the log's format: scrollback import irssi FILE"))
    }
}
