import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

/// Checks of files that are damaged, cut off, old, gone, or open to others.
@Suite struct CheckedFilesTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    @Test func `check finds overwritten bytes in a page`() async throws {
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        try await writer.close()
        let pages: Int64 = try #require(
            try fixture.value("SELECT rootpage FROM sqlite_schema WHERE name = 'message_room'"))
        try overwrite(Data(repeating: 0x5A, count: 64), at: UInt64((pages - 1) * 4096))
        let check = try #require(try fixture.archive.check().first)
        #expect(check.state == .wrong)
        #expect(check.account == "demo")
        #expect(check.problems.contains { $0.check == "integrity" }, "\(check.problems)")
        #expect(check.problems[0].advice.contains("copy the account's folder to another place"))
        #expect(check.problems[0].advice.hasSuffix(": scrollback archive rescue 1.sqlite"))
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [0, 100, 5000])
    func `check finds a truncated file, and checks the other accounts`(length: UInt64) async throws {
        for name in ["broken", "demo"] {
            let writer = try await fixture.openWriter(name)
            try await fixture.fill(writer)
            try await writer.close()
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: try fixture.file(of: "broken")))
        try handle.truncate(atOffset: length)
        try handle.close()
        let checks = try fixture.archive.check()
        #expect(checks.map(\.state) == [.wrong, .fine])
        #expect(checks[0].folder.contains("/broken-"))
        #expect(checks[0].problems.isEmpty == false)
        #expect(try fixture.archive.check(accounts: ["broken"]).map(\.state) == [.wrong])
        #expect(try fixture.archive.check(accounts: ["demo"]).map(\.state) == [.fine])
    }

    @Test func `check finds a file that is not a database, and a missing file`() async throws {
        for name in ["gone", "text"] { try await fixture.openWriter(name).close() }
        try FileManager.default.removeItem(atPath: try fixture.file(of: "gone"))
        try String(repeating: "not a database ", count: 1000).write(
            toFile: try fixture.file(of: "text"), atomically: false, encoding: .utf8)
        let checks = try fixture.archive.check()
        #expect(checks.map(\.state) == [.wrong, .wrong])
        #expect(checks.flatMap(\.problems).contains { $0.detail.hasSuffix("/1.sqlite is missing") })
        #expect(checks.flatMap(\.problems).contains { $0.detail.contains("is damaged or not a database") })
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [nil, "garbage"] as [String?])
    func `check reads compressed accounts without a catalog, and creates no catalog`(
        catalog: String?
    ) async throws {
        for name in ["broken", "cold"] {
            let writer = try await fixture.openWriter(name)
            try await fixture.fill(writer)
            try await writer.close()
            _ = try fixture.archive.evict(account: name, level: 1)
        }
        let broken = FileHandle(forUpdatingAtPath: try fixture.file(of: "broken") + ".zst")
        try broken?.truncate(atOffset: 1000)
        try broken?.close()
        let path = fixture.archive.folder + "/catalog.sqlite"
        try FileManager.default.removeItem(atPath: path)
        try catalog?.write(toFile: path, atomically: false, encoding: .utf8)
        let archive = Archive(folder: fixture.archive.folder)
        let checks = try archive.check().sorted { $0.folder < $1.folder }
        #expect(checks.map(\.state) == [.wrong, .fine], "\(checks)")
        #expect(checks.map(\.messages) == [nil, 24] && checks[1].account == "cold")
        #expect(checks[0].problems.map(\.detail).allSatisfy { $0.contains("1.sqlite.zst is damaged") }, "\(checks)")
        #expect(checks[0].problems.allSatisfy { $0.advice.hasSuffix(": scrollback archive rescue 1.sqlite.zst") })
        #expect(try archive.check(accounts: ["cold"]).map(\.state) == [.fine])
        let damage = try archive.catalogDamage()
        #expect((damage?.code == .corrupt) == (catalog != nil))
        #expect(FileManager.default.contents(atPath: path) == catalog.map { Data($0.utf8) })
    }

    @Test func `check reports a newer file, and checks an older one only in part`() async throws {
        try await fixture.openWriter("newer").close()
        try fixture.execute("PRAGMA user_version = 99", account: "newer")
        let newer = try #require(try fixture.archive.check().first)
        #expect(newer.state == .wrong)
        #expect(newer.problems.map(\.advice) == ["use the newer scrollback that wrote it"])
        try fixture.execute("PRAGMA user_version = 0", account: "newer")
        #expect(try await fixture.problems().map(\.detail).contains { $0.contains("is not a Scrollback account file") })
    }

    @Test func `check leaves an older file unchanged and checks it only in part`() async throws {
        try await fixture.openWriter().close()
        try LastSchema.restore(try fixture.file())
        let check = try #require(try fixture.archive.check().first)
        #expect(check.state == .unchecked)
        #expect(check.account == "demo")
        #expect(check.problems.map(\.detail).first?.contains("has schema 38, older than schema") == true)
        #expect(
            check.problems.map(\.advice).first
                == "run \"scrollback accounts --data \(fixture.archive.folder)\" to upgrade its schema, then check "
                + "again")
        #expect(try fixture.value("PRAGMA user_version") == 38)
        _ = try fixture.archive.reading().accountSummaries()
        #expect(try fixture.archive.check().map(\.state) == [.fine], "once it was brought to today's")
    }

    @Test func `check reports a journal that a kill left, and the next reader removes it`() async throws {
        try await fixture.openWriter().close()
        let journal = try fixture.file() + "-journal"
        try Data("half a journal".utf8).write(to: URL(filePath: journal))
        chmod(journal, 0o600)
        let check = try #require(try fixture.archive.check().first)
        #expect(check.state == .unchecked)
        #expect(check.problems.map(\.advice) == ["run \"scrollback rooms\" to recover the file, then check again"])
        _ = try fixture.archive.reading().rooms()
        #expect(try fixture.archive.check().map(\.state) == [.fine])
    }

    @Test func `check finds a file or folder that others can read`() async throws {
        try await fixture.openWriter().close()
        let file = try fixture.file()
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: folder)
        #expect(
            try await fixture.problems() == [
                AccountCheck.Problem(
                    check: "modes", detail: "other users may access \(folder): its mode is 750",
                    advice: "chmod 700 '\(folder)'"
                ),
                AccountCheck.Problem(
                    check: "modes", detail: "other users may access \(file): its mode is 644",
                    advice: "chmod 600 '\(file)'"),
            ])
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<20)
    func `check survives a file with random bytes anywhere`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let writer = try await fixture.openWriter()
        try await fixture.fill(writer)
        try await writer.close()
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: try fixture.file())[.size] as? UInt64)
        for _ in 0..<3 {
            let bytes = Data(
                (0..<Int.random(in: 1...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            try overwrite(bytes, at: UInt64.random(in: 0..<size - 40, using: &random))
        }
        let check = try #require(try fixture.archive.check().first)
        #expect((check.state == .fine) == check.problems.isEmpty)
    }

    private func overwrite(_ bytes: Data, at offset: UInt64) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: try fixture.file()))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}
