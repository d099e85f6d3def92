import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Files
@testable import Reading
@testable import Schema
@testable import Writing

@Suite struct StoreRuleTests {
    @Test func `the writer commits durably and enforces foreign keys`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let settings = try await writer.read { db in
            try ["journal_mode", "synchronous", "foreign_keys", "trusted_schema", "cell_size_check"].map {
                try db.allRows(sql: "PRAGMA \($0)") { $0[0].description }.first
            }
        }
        #expect(settings == ["wal", "2", "1", "0", "1"])
        try await writer.close()
    }

    @Test func `storing a message needs no temporary table`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let steps = try await writer.read { db in
            let sql = MessageRows.insertion.replacing("?", with: "NULL")
            return try db.all(sql: "EXPLAIN \(sql)") { try $0.value(1, as: String.self) }
        }
        #expect(steps.contains("Insert"))
        #expect(!steps.contains("OpenEphemeral"))
        try await writer.close()
    }

    @Test func `a reader can't write, and closing it last keeps the log`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("x", at: 0, in: session)])
        let log = try fixture.file() + "-wal"
        let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        let reader = try SQLiteConnection.reading(path: try fixture.file())
        for sql in ["DELETE FROM message", "PRAGMA wal_checkpoint(TRUNCATE)", "CREATE TABLE t (x)"] {
            _ = try? reader.sync { db in try db.execute(sql: sql) }
        }
        try reader.close()
        #expect(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int == size)
        #expect(try fixture.archive.reading().page(try fixture.query()).bodies == ["x"])
        try await writer.close()
    }

    private func sources() throws -> [URL] {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        let files =
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
        #expect(files.count > 20)
        return files
    }

    /// Calls that can end the process with all its accounts. `!` and `try!` are the formatter's to find.
    private static let traps = [
        "uniqueKeysWithValues": "Dictionary(_:uniquingKeysWith:) says which of two values stays",
        "fatalError(": "throw an error; preconditionFailure is for our own mistakes",
        " as! ": "as? and an error",
        "dataNoCopy": "value(_:)",
    ]

    @Test(.disabled(if: QuickCheck.isRunning))
    func `no source uses a construct that traps on bad input`() throws {
        for file in try sources() {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() where !line.contains("//") {
                for (trap, instead) in Self.traps where line.contains(trap) {
                    Issue.record("\(file.lastPathComponent):\(number + 1): not \(trap), but \(instead)")
                }
            }
        }
    }

    /// The targets with SQL of accounts.
    private static let store = [
        "Schema", "Records", "Accounts", "Reading", "Writing", "Archive", "Moves", "Checks", "Rescue", "SQLQueries",
    ]

    @Test func `only the writer's sources open an account file for writing or checkpoint it`() throws {
        for file in try sources() {
            let text = try String(contentsOf: file, encoding: .utf8)
            let name = file.lastPathComponent
            if text.contains("wal_checkpoint"),
                !["PlainFile.swift", "WriterConnection.swift", "SpentPages.swift"].contains(name)
            {
                Issue.record("\(name) checkpoints")
            }
            // Databases of other programs are imported by a read-only connection of their own.
            let isImport = file.path.contains("/Importing/Databases/")
            let isStore = Self.store.contains { file.path.contains("/Sources/\($0)/") }
            if text.contains("import SQLite"), !isStore, !isImport {
                Issue.record("\(name) imports SQLite")
            }
            if text.contains("Connection.writing("),
                !["WriterConnection.swift", "DataFolder.swift"].contains(name)
            {
                Issue.record("\(name) opens a writing connection")
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a second writer is refused, with the name of the first`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        do {
            _ = try await fixture.openWriter()
            Issue.record("two writers")
        } catch let error as ArchiveError {
            #expect(error.code == .locked)
            #expect(error.detail.contains("process \(getpid())"))
        }
        try await writer.close()
        try await fixture.openWriter().close()
    }

    @Test func `files and folders are accessible to their owner only`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        _ = try await writer.openSession()
        let data = fixture.archive.folder
        for name in try FileManager.default.subpathsOfDirectory(atPath: data) + ["."] {
            let attributes = try FileManager.default.attributesOfItem(atPath: data + "/" + name)
            let mode = (attributes[.posixPermissions] as? Int ?? 0) & 0o077
            #expect(mode == 0, "\(name) has mode \(mode)")
        }
        try await writer.close()
    }

    @Test func `readers and writers refuse a file with a newer schema, with a clear error`() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.openWriter().close()
        try fixture.execute("PRAGMA user_version = 99")
        for attempt in [
            { _ = try await fixture.openWriter() },
            { _ = try fixture.archive.reading().page(try fixture.query()) },
        ] as [@Sendable () async throws -> Void] {
            do {
                try await attempt()
                Issue.record("opened a newer file")
            } catch let error as ArchiveError {
                #expect(error.code == .schemaTooNew)
                let words = "has schema 99, but this scrollback supports only \(Schema.account.current)"
                #expect(error.detail.contains(words))
            }
        }
    }

    @Test func `a file that is not an archive or is another program's is refused and left unchanged`() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.openWriter().close()
        try fixture.execute("PRAGMA application_id = 1")
        #expect(throws: ArchiveError.self) { try fixture.archive.reading().page(try fixture.query()) }
        try Data("not a database, not at all, but long enough to be read as one\n".utf8).write(
            to: URL(filePath: try fixture.file()))
        #expect(throws: ArchiveError.self) { try fixture.archive.reading().page(try fixture.query()) }
        #expect(throws: ArchiveError.self) { try fixture.archive.reading().accountSummaries() }
        try await fixture.openWriter("other").close()
        #expect(try fixture.archive.reading().accountSummaries().map(\.account) == ["other"])
    }

    @Test(arguments: ["", "CREATE TABLE t (x); INSERT INTO t VALUES (1)", "PRAGMA user_version = 1"])
    func `a database of another program is refused and not written`(sql: String) async throws {
        let fixture = try ArchiveFixture()
        try await fixture.openWriter().close()
        let file = try fixture.file()
        try FileManager.default.removeItem(atPath: file)
        try Data().write(to: URL(filePath: file))
        try fixture.execute(sql)
        let before = try Data(contentsOf: URL(filePath: file))
        #expect(throws: ArchiveError.self) { try fixture.archive.reading().page(try fixture.query()) }
        await #expect(throws: ArchiveError.self) { try await fixture.openWriter() }
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
    }

    @Test(arguments: [-5, 0]) func `a schema number that no program writes is damage`(version: Int) async throws {
        let fixture = try ArchiveFixture()
        try await fixture.openWriter().close()
        try fixture.execute("PRAGMA user_version = \(version)")
        let error = #expect(throws: ArchiveError.self) {
            try fixture.archive.reading().page(try fixture.query())
        }
        #expect(error?.code == .corrupt)
        await #expect(throws: ArchiveError.self) { try await fixture.openWriter() }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
    func `a properly closed file is readable in a folder without write permission`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        _ = try await writer.append([.said("hi", at: 1, in: try await writer.openSession())])
        try await writer.close()
        let folder = (try fixture.file() as NSString).deletingLastPathComponent
        chmod(folder, 0o500)
        defer { chmod(folder, 0o700) }
        #expect(try fixture.archive.reading().page(try fixture.query()).bodies == ["hi"])
    }

    @Test(arguments: [
        "../../etc", "a/b", "a-b", "A-B", "", "CON", "ㅎ", String(repeating: "x", count: 300), "a\u{0}b", ".",
    ])
    func `any account name is treated as a name`(name: String) async throws {
        let fixture = try ArchiveFixture()
        for other in ["a-b", name] where other != name || name != "a-b" {
            try await fixture.archive.openWriter(AccountIdentity(name: other, network: "streamchat")).close()
        }
        try await fixture.archive.openWriter(AccountIdentity(name: name, network: "streamchat")).close()
        #expect(
            try fixture.archive.reading().accounts().map(\.name).contains(name == "a\u{0}b" ? "a\u{FFFD}b" : name)
        )
        let inside = try FileManager.default.contentsOfDirectory(atPath: fixture.archive.folder + "/accounts")
        #expect(inside.filter { !$0.hasPrefix(".") }.count == Set(["a-b", name]).count)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.archive.folder).sorted() == [
                "accounts", "catalog.sqlite",
            ])
    }

    @Test func `reading a missing archive creates nothing`() async throws {
        let fixture = try ArchiveFixture()
        #expect(try fixture.archive.reading().accounts().isEmpty)
        #expect(try fixture.archive.reading().rooms().isEmpty)
        #expect(throws: ArchiveError.self) { try fixture.archive.reading().page(try fixture.query()) }
        #expect(!FileManager.default.fileExists(atPath: fixture.archive.folder))
    }

    @Test func `concurrent creation of one account makes one folder`() async throws {
        let fixture = try ArchiveFixture()
        let made = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    guard let writer = try? await fixture.openWriter() else { return false }
                    try? await writer.close()
                    return true
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made >= 1)
        #expect(try fixture.archive.reading().accounts().map(\.name) == ["demo"])
        let inside = try FileManager.default.contentsOfDirectory(atPath: fixture.archive.folder + "/accounts")
        #expect(inside.filter { !$0.hasPrefix(".") }.count == 1)
    }

    @Test func `the process loads one SQLite library`() throws {
        let maps = String(decoding: try FileHandle.reading("/proc/self/maps"), as: UTF8.self)
        let libraries = Set(maps.split { " \n".contains($0) }.filter { $0.contains("/libsqlite3") })
        #expect(libraries.count == 1)
    }
}

extension FileHandle {
    /// A file of /proc has size 0, which `contentsOfFile` believes.
    fileprivate static func reading(_ path: String) throws -> Data {
        try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() ?? Data()
    }
}
