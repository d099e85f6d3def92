import ChatModel
import Foundation
import LogFormats
import Rendering
import TestSupport
import Testing

@testable import Importing

/// What an import reads of other programs' SQLite databases, and that it leaves them alone.
struct DatabaseImportTests {
    private let home: DatabaseHome

    init() throws {
        home = try DatabaseHome()
    }

    private static let programs: [(name: String, sql: String)] = [
        (
            "thelounge",
            ClientDatabase.theLounge + ClientDatabase.lounge(1_795_242_191_123, "alice", "hi")
                + ClientDatabase.lounge(1_795_242_192_000, "민수", "안녕")
        ),
        (
            "thelounge",
            ClientDatabase.oldLounge + ClientDatabase.lounge(1_795_242_191_123, "alice", "hi")
                + ClientDatabase.lounge(1_795_242_192_000, "민수", "안녕")
        ),
        (
            "quassel",
            ClientDatabase.quassel + ClientDatabase.quasselNetwork(1, "libera")
                + ClientDatabase.quassel(1_795_242_191_123, "alice", "hi")
                + ClientDatabase.quassel(1_795_242_192_000, "민수", "안녕")
        ),
        (
            "soju",
            ClientDatabase.soju + ClientDatabase.sojuMessages + ClientDatabase.sojuNetwork(1, "libera")
                + ClientDatabase.soju("2026-11-21T06:23:11.123Z", "alice", "hi")
                + ClientDatabase.soju("2026-11-21T06:23:12.000Z", "민수", "안녕")
        ),
        (
            "slackdump",
            ClientDatabase.slackdump + ClientDatabase.slackdumpPeople
                + ClientDatabase.slackdump("1795242191.000200", "U1", "hi")
                + ClientDatabase.slackdump("1795242192.000200", "U2", "안녕")
        ),
        ("gajim", ClientDatabase.oldGajim), ("gajim", ClientDatabase.gajim), ("dino", ClientDatabase.dino),
        ("profanity-db", ClientDatabase.profanity), ("imessage", ClientDatabase.iMessage),
        ("viber", ClientDatabase.viber),
    ]

    @Test(.disabled(if: QuickCheck.isRunning), arguments: programs.indices)
    func `each program's database is recognised and read without new files beside it`(index: Int) async throws {
        let program = Self.programs[index]
        for mode in ["DELETE", "WAL"] {
            let name = "\(mode)/a.sqlite3"
            try home.write(program.sql, to: name, mode: mode)
            let before = try home.files(in: mode)
            let result = try await home.read(name)
            #expect(result.format == program.name)
            #expect(result.told == ["alice: hi", "민수: 안녕"])
            #expect(result.troubles == [] && result.invalid == [])
            #expect(try home.files(in: mode) == before)
        }
    }

    @Test func `the write-ahead log is read with its index, or the import reports it`() async throws {
        try home.folder("live")
        let fixture = try SQLiteFixture(
            home.path("live/a.sqlite"), "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
        try fixture.execute(Self.programs[3].sql)
        for name in ["a.sqlite", "a.sqlite-wal", "a.sqlite-shm"] {
            try home.copy("live/\(name)", to: "killed/\(name)")
            if !name.hasSuffix("shm") { try home.copy("live/\(name)", to: "copied/\(name)") }
        }
        let before = try home.files(in: "killed")
        #expect(try await home.read("killed/a.sqlite").told == ["alice: hi", "민수: 안녕"])
        #expect(try home.files(in: "killed") == before)
        let copied = try home.files(in: "copied")
        #expect(
            try await home.read("copied/a.sqlite").troubles == [
                """
                copied/a.sqlite: its newest changes are in a.sqlite-wal, which can't be read without a.sqlite-shm; copy both \
                files to another folder and merge them there: sqlite3 a.sqlite VACUUM
                """
            ])
        #expect(try home.files(in: "copied") == copied)
        // What is beside a database in a folder is a part of it.
        let search = home.search("killed")
        #expect(search.sources.count == 1 && !search.report.isIncomplete)
        _ = fixture
    }

    @Test func `rows are read in order, in parts, past a value that is too long`() async throws {
        let rows = (0..<1300).map { ClientDatabase.lounge(1_795_242_191_123 + $0, "alice", "line \($0)") }.joined()
        try home.write(
            ClientDatabase.theLounge + "BEGIN;" + rows
                + """
                UPDATE messages SET msg = '{"from":{"nick":"alice"},"text":"' || hex(zeroblob(3000000)) || '"}' WHERE id = 501;
                UPDATE messages SET msg = zeroblob(20000000) WHERE id = 502;
                DELETE FROM messages WHERE id BETWEEN 700 AND 800; COMMIT
                """, to: "a.sqlite3")
        let result = try await home.read("a.sqlite3")
        let numbers = (Array(0..<500) + Array(502..<699) + Array(800..<1300))
        #expect(result.told == numbers.map { "alice: line \($0)" })
        #expect(result.invalid == Array(repeating: "a value is longer than 2097152 bytes", count: 2))
        #expect(result.troubles == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `nulls and wrong types are invalid rows, and the others are read`() async throws {
        try home.write(
            ClientDatabase.oldLounge + ClientDatabase.lounge(1_795_242_191_123, "alice", "hi") + """
                INSERT INTO messages VALUES (NULL, NULL, NULL, NULL, NULL), ('8f65', x'FF00', 'noon', 7, x'7B'),
                    ('8f65', '#a', 1e99, 'message', '{}'), (7, '#a', 9223372036854775807, 'message', '{"text": 1}'),
                    ('8f65', '#a', 1795242191123, 'message', '{"from": {"nick": "a"}, "text": "x' || char(10) || '"}'),
                    ('8f65', '#a', '1795242191124', 'message', '{"from":' || char(10) || '{"nick":"bob"}, "text":"ho"}');
                """, to: "a.sqlite3")
        let result = try await home.read("a.sqlite3", network: "8f65")
        #expect(result.told.prefix(1) == ["alice: hi"] && result.told.suffix(1) == ["bob: ho"])
        #expect(result.told.count + result.invalid.count == 6)
        #expect(result.troubles == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `one of several networks is chosen by its name or by user and name`() async throws {
        let networks = ClientDatabase.quasselNetwork(1, "libera") + ClientDatabase.quasselNetwork(2, "OFTC")
        let rows =
            ClientDatabase.quassel(1_795_242_191_123, "alice", "hi")
            + ClientDatabase.quassel(1_795_242_192_123, "bob", "ho", buffer: 2)
        try home.write(
            ClientDatabase.quassel + networks + ClientDatabase.quasselNetwork(3, "silent") + rows, to: "a.sqlite")
        #expect(
            home.search("a.sqlite").report.unreported.text.contains(
                """
                it has 2 networks (libera, OFTC), of which --network chooses one; for example: --network libera -a libera \
                [import-source]
                """))
        #expect(try await home.read("a.sqlite", network: "oftc").told == ["bob: ho"])
        let users = "INSERT INTO quasseluser VALUES (2, 'you', 'x', 1, 'Database');"
        try home.write(
            ClientDatabase.quassel + users + ClientDatabase.quasselNetwork(1, "libera")
                + ClientDatabase.quasselNetwork(2, "libera", user: 2) + rows,
            to: "b.sqlite")
        #expect(try await home.read("b.sqlite", network: "you/libera").told == ["bob: ho"])
        #expect(
            try await home.read("b.sqlite", network: "none").troubles == [
                "b.sqlite: it has no network \"none\"; its networks: me/libera, you/libera"
            ])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `networks have the names that their programs show`() async throws {
        let rows =
            ClientDatabase.lounge(1_795_242_191_123, "alice", "hi")
            + ClientDatabase.lounge(1_795_242_192_123, "bob", "ho", network: "3c6e")
        try home.write(ClientDatabase.theLounge + rows, to: "lounge/logs/me.sqlite3")
        #expect(
            home.search("lounge/logs/me.sqlite3").report.unreported.text.contains(
                "2 networks (3c6e with #example, 8f65 with #example)"))
        try home.folder("lounge/users")
        try Data(#"{"networks":[{"uuid":"8f65","name":"Libera"},{"uuid":"3c6e","name":""}]}"#.utf8)
            .write(to: URL(filePath: home.path("lounge/users/me.json")))
        #expect(
            home.search("lounge/logs/me.sqlite3").report.unreported.text.contains(
                "2 networks (3c6e with #example, Libera)"))
        #expect(try await home.read("lounge/logs/me.sqlite3", network: "libera").told == ["alice: hi"])
        #expect(home.search("lounge/logs/me.sqlite3", network: "libera").accountNames == ["Libera"])
        try home.write(
            ClientDatabase.soju + ClientDatabase.sojuMessages
                + ClientDatabase.sojuNetwork(1, nil, address: "ircs://irc.example.net:6697")
                + ClientDatabase.soju("2026-11-21T06:23:11.123Z", "alice", "hi"), to: "soju.db")
        #expect(home.search("soju.db").accountNames == ["irc.example.net"])
        try home.write(Self.programs[4].sql, to: "team/slackdump.sqlite")
        let search = home.search("team")
        #expect(search.accountNames == ["Example Team"] && search.sources.count == 1)
    }
}
