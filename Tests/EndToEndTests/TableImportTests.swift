import Foundation
import TestSupport
import Testing

/// Tables with any columns, and databases of several networks, from the command line.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct TableImportTests {
    private static let table = "Date,Sender,Message\n2026-11-21 06:23:11,alice,hi\n2026-11-21 06:23:12,민수,안녕\n"

    /// The words of a command in a message, as a shell would split them.
    private func command(in text: String, after words: String) throws -> [String] {
        let start = try #require(text.range(of: words)?.upperBound)
        let line = text[start...].prefix { $0 != "\n" }.replacing(#/ \[[a-z-]+\]$/#, with: "")
        return line.split(separator: " ").dropFirst().map { $0.trimmingCharacters(in: ["'"]) }
    }

    @Test func `a table without readable rows fails`() async throws {
        let scrollback = try Program()
        try scrollback.write("Q,A\n1,hi\n2,bye\n", to: "table.csv")
        let run = try await scrollback(
            "import", "csv", "table.csv", "--columns", "time=A,text=Q", "-a", "old", "--room", "r")
        #expect(run.status == 1 && run.errors.contains("0 new messages, 0 already stored, 2 invalid"), "\(run.errors)")
        #expect(run.errors.hasSuffix("\nnothing imported: every line is invalid\n"), "\(run.errors)")
    }

    @Test(arguments: [
        ("chat.csv", table, "csv chat.csv --columns time=Date,sender=Sender,text=Message --room chat"),
        (
            "chat.jsonl", #"{"ts": 1795242191, "user": {"name": "alice"}, "text": "hi", "channel": "a"}"# + "\n",
            "jsonl chat.jsonl --columns time=ts,sender=user.name,text=text,room=channel"
        ),
    ])
    func `a table of an unknown program is an error with a complete working command`(
        name: String, text: String, words: String
    ) async throws {
        let scrollback = try Program()
        try scrollback.write(text, to: name)
        let refused = try await scrollback("import", name, "-a", "old")
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains(
                "scrollback: \(name): unrecognised format; to name its columns: scrollback import \(words) [import-source]\n"
            ),
            "\(refused.errors)")
        let proposed = try command(in: refused.errors, after: "to name its columns: ")
        let done = try await scrollback.start(arguments: proposed + ["-a", "old", "--timezone", "Asia/Seoul"]).result()
        #expect(done.status == 0 && done.errors.contains(", 0 already stored, 0 invalid"), "\(done.errors)")
        let room = words.contains("room=") ? "a" : "chat"
        #expect(try await scrollback.said(in: "old/\(room)").first == "alice: hi")
    }

    @Test func `a table in a folder is skipped with its columns, and one without columns is an error`()
        async throws
    {
        let scrollback = try Program()
        try FileManager.default.createDirectory(atPath: scrollback.home + "/in", withIntermediateDirectories: true)
        try scrollback.write(Self.table, to: "in/chat.csv")
        try scrollback.write(
            "{\"id\": \"2026-11-21T06:23:11.000000Z\", \"kind\": \"join\", \"room\": \"a\"}\n", to: "in/x.jsonl")
        let found = try await scrollback("import", "in", "-a", "old")
        #expect(found.status == 1)
        #expect(
            found.errors.contains(
                """
                1 file skipped (table whose columns are not named): in/chat.csv; to name its columns: scrollback import csv FILE \
                --columns time=Date,sender=Sender,text=Message --room chat
                """), "\(found.errors)")
        let forced = try await scrollback("import", "csv", "in/chat.csv", "-a", "old")
        #expect(
            forced.errors.contains(
                """
                in/chat.csv: its columns are not named; for example: --columns time=Date,sender=Sender,text=Message --room chat \
                [import-source]
                """), "\(forced.errors)")
    }

    @Test(arguments: [
        (["csv", "chat.csv", "--columns", "time=Date"], "--columns: no column has the text; add text=COLUMN"),
        (["chat.csv", "--columns", "time=Date,text=Message"], "--columns needs the format before the files"),
        (["irssi", "chat.csv", "--columns", "time=Date,text=Message"], "--columns needs the format before the files"),
        (["csv", "chat.csv", "--time-format", "%F %T"], "--time-format needs --columns"),
        (
            ["csv", "chat.csv", "--columns", "time=Date,text=Message", "--time-format", "%F"],
            "--time-format: it has no hour (%H)"
        ),
    ])
    func `unsuitable options are refused before anything is read`(words: [String], reason: String) async throws {
        let scrollback = try Program()
        try scrollback.write(Self.table, to: "chat.csv")
        let result = try await scrollback.start(arguments: ["import"] + words + ["-a", "old"]).result()
        #expect(result.status == 64 && result.errors.contains(reason), "\(result.errors)")
    }

    @Test func `an ambiguous order of day and month is an error until the form is given`() async throws {
        let scrollback = try Program()
        try scrollback.write("Date,Sender,Message\n03/04/2026 06:23,alice,hi\n", to: "chat.csv")
        let words = [
            "import", "csv", "chat.csv", "--columns", "time=Date,sender=Sender,text=Message", "--room", "a", "-a",
            "old",
        ]
        let refused = try await scrollback.start(arguments: words).result()
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains(
                "chat.csv: can't tell day and month in its dates apart \"03/04/2026 06:23\"; say which is first"),
            "\(refused.errors)")
        let form = ["--time-format", "%d/%m/%Y %H:%M", "--timezone", "+09:00"]
        let done = try await scrollback.start(arguments: words + form).result()
        #expect(done.status == 0, "\(done.errors)")
        #expect(try await scrollback.messages(in: "old/a").map(\.id) == ["2026-04-02T21:23:00.000000Z"])
    }

    @Test(arguments: [["--encoding", "cp949"], []])
    func `a CP949 table from a spreadsheet is decoded, with the encoding named or recognised`(
        encoding: [String]
    ) async throws {
        let scrollback = try Program()
        let table = """
            날짜,보낸사람,내용\r
            2026-11-21 06:23:11,민수,"오늘 저녁에 뭐 먹을까?
            나는 ""김치찌개"", 비가 오면 우산을 가져갈게요"\r
            2026-11-21 06:23:12,지은,네 알겠습니다\r\n
            """
        try Data(table.encoded(as: "CP949")).write(to: URL(filePath: scrollback.home + "/chat.csv"))
        let words = ["import", "csv", "chat.csv", "--columns", "time=날짜,sender=보낸사람,text=내용", "--room", "a"]
        let done = try await scrollback.start(arguments: words + ["-a", "old"] + encoding).result()
        #expect(done.status == 0, "\(done.errors)")
        #expect(done.errors.contains("  1 file decoded from CP949: chat.csv\n"), "\(done.errors)")
        let texts = ["민수: 오늘 저녁에 뭐 먹을까?\n나는 \"김치찌개\", 비가 오면 우산을 가져갈게요", "지은: 네 알겠습니다"]
        #expect(try await scrollback.said(in: "old/a") == texts)
        #expect(try await !scrollback("history", "old/a", "--format", "json").output.contains("invalid_utf8"))
        let refused = try await scrollback("import", "chat.csv", "-a", "old")
        #expect(
            refused.errors.contains("--columns time=날짜,sender=보낸사람,text=내용 --room chat"), "\(refused.errors)")
    }

    @Test func `a database with several networks asks for one and proposes its account`() async throws {
        let scrollback = try Program()
        try SQLiteFixture.write(
            ClientDatabase.quassel + ClientDatabase.quasselNetwork(1, "Libera")
                + ClientDatabase.quasselNetwork(2, "OFTC")
                + ClientDatabase.quassel(1_795_242_191_123, "alice", "hi")
                + ClientDatabase.quassel(1_795_242_192_123, "bob", "ho", buffer: 2),
            to: scrollback.home + "/quassel.sqlite")
        let refused = try await scrollback("import", "quassel.sqlite")
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains(
                """
                scrollback: quassel.sqlite: it has 2 networks (Libera, OFTC), of which --network chooses one; for example: \
                --network Libera -a Libera [import-source]
                """), "\(refused.errors)")
        let proposed = try await scrollback("import", "quassel.sqlite", "--network", "oftc")
        #expect(
            proposed.errors.contains("scrollback import quassel.sqlite --network oftc -a oftc\n"), "\(proposed.errors)")
        for network in ["libera", "oftc"] {
            #expect(try await scrollback("import", "quassel.sqlite", "--network", network, "-a", network).status == 0)
        }
        #expect(try await scrollback.said(in: "libera/#example") == ["alice: hi"])
        #expect(try await scrollback.said(in: "oftc/#example") == ["bob: ho"])
        try scrollback.write("[06:23] <alice> hi\n", to: "#example_2026-11-21.log")
        let unused = try await scrollback("import", "#example_2026-11-21.log", "-a", "old", "--network", "x")
        #expect(unused.errors.contains("--network was not used: only the databases of some clients have networks\n"))
    }
}
