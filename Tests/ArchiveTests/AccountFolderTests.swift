import ChatModel
import Foundation
import Testing

@testable import Accounts
@testable import Archive
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

@Suite struct AccountFolderTests {
    @Test(arguments: [
        ("1.sqlite", 1), ("3.sqlite.zst", 3), ("12.sqlite-wal", 12), ("12.sqlite-shm", 12), ("7.sqlite-journal", 7),
        ("7.sqlite.tmp", 7), ("7.sqlite.zst.tmp", 7), ("999999999.sqlite", 999_999_999),
    ])
    func `the name of an account file contains its generation`(name: String, generation: Int) {
        #expect(AccountFolder.generation(of: name) == generation)
    }

    @Test(arguments: [
        "lock", "writer", "", ".sqlite", "0.sqlite", "01.sqlite", "-1.sqlite", "1.sqlite2", "1.sqlite.zst.old",
        "1.SQLITE",
        "1000000000.sqlite", "99999999999999999999.sqlite", "1 .sqlite", "１.sqlite", "1\u{301}.sqlite", "a1.sqlite",
        "1.sqlite\n", "1.sqlite-wal.tmp",
    ])
    func `other files have no generation`(name: String) {
        #expect(AccountFolder.generation(of: name) == nil)
    }

    @Test func `a catalog that is a symbolic link is refused, and the file that it names is not made`() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.openWriter("demo").close()
        let (catalog, target) = (fixture.archive.folder + "/catalog.sqlite", fixture.archive.folder + "/elsewhere")
        try FileManager.default.removeItem(atPath: catalog)
        try FileManager.default.createSymbolicLink(atPath: catalog, withDestinationPath: target)
        let archive = Archive(folder: fixture.archive.folder)
        let error = #expect(throws: ArchiveError.self) { _ = try archive.reading().accountSummaries() }
        #expect(error?.code == .notPermitted && error?.detail.contains("symbolic link") == true)
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test func `an account opens by its name in any Unicode form`() async throws {
        let fixture = try ArchiveFixture()
        for name in ["\u{1100}\u{1161}", "\u{AC00}"] {
            let writer = try await fixture.openWriter(name)
            #expect(writer.account.name.unicodeScalars.count == 2)
            try await writer.close()
        }
        #expect(try fixture.archive.reading().accounts().count == 1)
    }

    @Test func `a data folder keeps no trace of an account whose creation was killed`() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.openWriter("demo").close()
        let accounts = fixture.archive.folder + "/accounts"
        let before = try FileManager.default.contentsOfDirectory(atPath: accounts)
        #expect(before.count == 1, "the account's folder alone")
        try FileManager.default.createDirectory(atPath: accounts + "/.unfinished", withIntermediateDirectories: false)
        _ = FileManager.default.createFile(atPath: accounts + "/.unfinished/1.sqlite", contents: Data([1]))
        try Archive(folder: fixture.archive.folder).recover { _ in }
        #expect(try FileManager.default.contentsOfDirectory(atPath: accounts) == before)
    }
}
