import Foundation
import TestSupport
import Testing

/// The import of all logs of a home.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct HomeImportTests {
    private func program() throws -> Program {
        let scrollback = try Program()
        try write(
            "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 < alice> hi\n06:24 < 민수> 안녕\n",
            to: "irclogs/libera/#example.log", in: scrollback)
        try write(
            "2026-11-22 06:23:11\talice\thi\n", to: ".weechat/logs/irc.oftc.#example.weechatlog", in: scrollback)
        return scrollback
    }

    private func write(_ text: String, to path: String, in program: Program) throws {
        let folder = (program.home + "/" + path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try program.write(text, to: path)
    }

    private func table(_ home: String) -> String {
        """
        #  PROGRAM  ACCOUNT  ROOMS  MESSAGES  FROM        TO          INTO          FOLDER
        1  irssi    libera       1         2  2026-11-21  2026-11-21  libera (new)  \(home)/irclogs/libera
        2  WeeChat  oftc         1         1  2026-11-22  2026-11-22  oftc (new)    \(home)/.weechat/logs\n
        """
    }

    @Test func `--yes imports everything, and again nothing`() async throws {
        let scrollback = try program()
        let first = try await scrollback("import", scrollback.home, "--yes")
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output == table(scrollback.home))
        #expect(first.errors.contains("read 3 lines: 2 new messages"), "\(first.errors)")
        let again = try await scrollback("import", scrollback.home, "--yes")
        #expect(again.status == 0 && !again.output.contains("(new)"), "\(again.errors)")
        #expect(again.errors.contains("0 new messages, 2 already stored"), "\(again.errors)")
        let history = try await scrollback("history", "libera/#example", "--utc").output
        #expect(history.contains("안녕"))
    }

    @Test func `--dry-run prints the table and stores nothing`() async throws {
        let scrollback = try program()
        let result = try await scrollback("import", scrollback.home, "--dry-run")
        #expect(result.status == 0 && result.output == table(scrollback.home), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: scrollback.data))
        let json = try await scrollback("import", scrollback.home, "--dry-run", "--format", "jsonl").output
        #expect(json.contains(#""number": 1, "program": "irssi", "format": "irssi", "account": "libera", "rooms": 1"#))
        #expect(json.split(separator: "\n").count == 2)
    }

    @Test func `without a terminal and --yes, the table is printed and nothing is imported`() async throws {
        let scrollback = try program()
        let result = try await scrollback("import", scrollback.home)
        #expect(result.status == 64 && result.output == table(scrollback.home))
        #expect(result.errors.contains("nothing was imported; to import all of it: scrollback import "))
        #expect(!FileManager.default.fileExists(atPath: scrollback.data))
    }

    @Test(arguments: [("2\r", ["oftc"]), ("\r", ["libera", "oftc"]), ("9\rn\r", []), ("\u{3}", [])])
    func `on a narrow terminal, an import asks which of the finds are wanted`(keys: String, accounts: [String])
        async throws
    {
        let scrollback = try program()
        let terminal = try scrollback.startOnTerminal(columns: 40, "import", scrollback.home)
        try await terminal.shows("import all of these? [Y/n/numbers] ")
        try terminal.type(keys)
        let status = try await terminal.status()
        #expect(accounts.isEmpty ? status != 0 : status == 0, "\(terminal.text)")
        let list = try await scrollback("accounts", "--format", "csv").output
        #expect(
            list.split(separator: "\r\n").dropFirst().compactMap { $0.split(separator: ",").first.map(String.init) }
                .sorted() == accounts)
    }

    @Test func `options about one account or room are refused, and a home without logs is an error`() async throws {
        let scrollback = try Program()
        let refused = try await scrollback("import", scrollback.home, "-a", "old")
        #expect(refused.status == 64 && refused.errors.contains("-a can't be used with a home"), "\(refused.errors)")
        let empty = try await scrollback("import", scrollback.home, "--yes")
        #expect(empty.status == 1 && empty.errors.contains("no logs of chat programs found"), "\(empty.errors)")
    }

    @Test func `--yes accepts the proposed account of any import`() async throws {
        let scrollback = try program()
        let result = try await scrollback("import", "irclogs", "--yes")
        #expect(result.status == 0 && result.errors.contains("(new account)"), "\(result.errors)")
    }
}
