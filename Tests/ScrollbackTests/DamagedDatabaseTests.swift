import Foundation
import TestSupport
import Testing

@testable import Importing

/// Files that are no database of a known program, damaged ones among them.
@Suite(.disabled(if: QuickCheck.isRunning))
struct DamagedDatabaseTests {
    private let home: DatabaseHome

    init() throws {
        home = try DatabaseHome()
    }

    private static let sample =
        ClientDatabase.soju + ClientDatabase.sojuMessages + ClientDatabase.sojuNetwork(1, "libera")
        + (0..<200).map { ClientDatabase.soju("2026-11-21T06:23:11.\(100 + $0)Z", "alice", "line \($0)") }.joined()

    @Test func `a truncated database is an error or partly read, and never traps`() async throws {
        try home.write(Self.sample, to: "whole.db")
        let bytes = try home.bytes("whole.db")
        #expect(bytes.count > 60_000)
        for count in [20, 99, 100, 101, 1000, 4095, 4096, 8192, 20_000, 40_000, bytes.count - 1] {
            try home.write(Array(bytes.prefix(count)), to: "cut.db")
            let result = try await home.read("cut.db")
            #expect(result.told.count < 200 || result.troubles == [], "\(count)")
            #expect(result.told.count == 200 || !result.troubles.isEmpty, "\(count)")
            #expect(result.troubles.allSatisfy { $0.hasPrefix("cut.db: ") }, "\(result.troubles)")
        }
    }

    @Test func `changed bytes are an error or invalid rows, and never trap`() async throws {
        try home.write(Self.sample, to: "whole.db")
        let bytes = try home.bytes("whole.db")
        for seed in 0..<UInt64(60) {
            var generator = SeededGenerator(seed: seed)
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                let place = Int.random(in: (seed % 2 == 0 ? 16 : 4096)..<damaged.count, using: &generator)
                damaged[place] = UInt8.random(in: 0...255, using: &generator)
            }
            try home.write(damaged, to: "damaged.db")
            let result = try await home.read("damaged.db")
            #expect(result.told.count <= 400)
        }
    }

    @Test func `a database of an unknown program is an error with advice`() async throws {
        func trouble(_ name: String) async throws -> String { try await home.read(name).troubles.joined() }
        try home.write("CREATE TABLE notes (words TEXT)", to: "notes.sqlite")
        #expect(
            try await trouble("notes.sqlite")
                == "notes.sqlite: this is a SQLite database of an unknown program; export its messages as CSV, and import that"
        )
        try home.write(
            "CREATE VIEW messages AS SELECT 1 AS network, 2 AS channel, 3 AS time, 4 AS type, 5 AS msg",
            to: "view.sqlite")
        #expect(try await trouble("view.sqlite").contains("unknown program"))
        try home.write("CREATE TABLE message (words TEXT)", to: "msgstore.db")
        #expect(try await trouble("msgstore.db").contains("this is a WhatsApp database"))
        try home.write(ClientDatabase.soju, to: "soju.db")
        #expect(
            try await trouble("soju.db")
                == "soju.db: soju keeps no messages in this database; import soju's folder of logs")
        try home.write("CREATE TABLE room (id); PRAGMA application_id = 0x53424152", to: "1.sqlite")
        #expect(
            try await trouble("1.sqlite")
                == "1.sqlite: it is a Scrollback account; copy its folder with scrollback backup, or export it as jsonl and import that"
        )
        try home.write(SQLiteFile.magic + [UInt8](repeating: 0xFF, count: 4000), to: "bad.sqlite")
        #expect(try await trouble("bad.sqlite").hasPrefix("bad.sqlite: the database is damaged ("))
        try home.write(SQLiteFile.magic, to: "short.sqlite")
        #expect(try await trouble("short.sqlite").hasPrefix("short.sqlite: "))
    }

    @Test func `a database in an archive, compressed or in a pipe must be unpacked first`() async throws {
        try home.write(Self.sample, to: "a.db")
        let bytes = try home.bytes("a.db")
        let refusal = "an SQLite database in an archive or a pipe; unpack it and import the file itself"
        try ZipFile([.init("in/a.db", bytes)]).write(to: home.path("a.zip"))
        #expect(try await home.read("a.zip").troubles.joined().contains(refusal))
        try home.write(Packed.gzip(bytes), to: "a.db.gz")
        #expect(try await home.read("a.db.gz").troubles == ["a.db.gz: \(refusal)"])
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: bytes.prefix(30_000))
        try pipe.fileHandleForWriting.close()
        var file = ImportFile(pipe: pipe.fileHandleForReading.fileDescriptor, name: "-")
        #expect(
            throws: ImportError(
                .input, "stdin", "an SQLite database in an archive or a pipe",
                hint: "unpack it and import the file itself")
        ) {
            _ = try file.beginning()
        }
    }

    @Test func `a file that changes while it is read without locks is an error`() throws {
        let rows = "INSERT INTO Message SELECT NULL, target, raw, time, sender, text FROM Message;"
        try home.write(Self.sample + rows + rows + rows, to: "a.db", mode: "WAL")
        let chunks = try #require(try DatabaseChunks.open(home.path("a.db")) { false })
        _ = try chunks.next()
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: home.path("a.db"))
        #expect(throws: UnreadableBytes(reason: "changed while it was read", hint: "run the same command again")) {
            while try !chunks.next().isEmpty {}
        }
    }

    @Test func `reading stops on request`() throws {
        try home.write(Self.sample, to: "a.db")
        #expect(throws: ImportStopped.self) {
            let chunks = try #require(try DatabaseChunks.open(home.path("a.db")) { true })
            while try !chunks.next().isEmpty {}
        }
    }
}
