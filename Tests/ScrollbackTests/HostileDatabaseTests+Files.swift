import Foundation
import LogFormats
import Rendering
import TestSupport
import Testing

@testable import Importing

/// Databases with hostile files beside them.
extension HostileDatabaseTests {
    // MARK: - Files

    @Test(arguments: ["-journal", "-wal", "-shm"])
    func `a pipe beside a database is an error without waiting`(ending: String) async throws {
        try home.write(Self.lounge("") + Self.rows(3), to: "a.sqlite3")
        try #require(mkfifo(home.path("a.sqlite3" + ending), 0o600) == 0)
        #expect(
            try await home.read("a.sqlite3").troubles == [
                "a.sqlite3: a.sqlite3\(ending) beside it is not a plain file; remove it"
            ])
    }

    @Test func `a pipe in place of the networks' file is not waited for`() async throws {
        try home.write(Self.lounge("") + Self.rows(3), to: "lounge/logs/me.sqlite3")
        try home.folder("lounge/users")
        try #require(mkfifo(home.path("lounge/users/me.json"), 0o600) == 0)
        #expect(try await home.read("lounge/logs/me.sqlite3").told == Self.told(3))
    }

    @Test func `a database whose tables are only in a missing log names the missing file`() async throws {
        try home.folder("live")
        let fixture = try SQLiteFixture(
            home.path("live/a.sqlite3"), "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;")
        try fixture.execute(Self.lounge("") + Self.rows(3))
        try home.copy("live/a.sqlite3", to: "copied/a.sqlite3")
        #expect(
            try await home.read("copied/a.sqlite3").troubles == [
                """
                copied/a.sqlite3: it has no tables; its changes may be in copied/a.sqlite3-wal, which is missing; \
                copy that file, too, and the file ending in -shm
                """
            ])
        #expect(try home.files(in: "copied").keys.sorted() == ["a.sqlite3"])
    }

    @Test func `an unfinished transaction beside a database is an error, and stays unchanged`() async throws {
        try home.write(Self.lounge("") + Self.rows(3), to: "a.sqlite3")
        let journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + [UInt8](repeating: 1, count: 2000)
        try home.write(journal, to: "a.sqlite3-journal")
        let before = try home.files(in: "")
        #expect(
            try await home.read("a.sqlite3").troubles == [
                """
                a.sqlite3: a change of it was interrupted (attempt to write a readonly database); open it once with the \
                program that wrote it
                """
            ])
        #expect(try home.files(in: "") == before)
    }

    @Test func `a file name with URI characters is read as a name`() async throws {
        let name = "a?mode=rwc&x=#y%00.sqlite3"
        try home.write(Self.lounge("") + Self.rows(3), to: "good.sqlite3")
        try home.copy("good.sqlite3", to: name)
        #expect(try await home.read(name).told == Self.told(3))
        #expect(try home.files(in: "").keys.sorted() == [name, "good.sqlite3"])
    }
}
