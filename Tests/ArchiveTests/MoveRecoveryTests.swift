import CSQLite
import ChatModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

/// Which of two files an account goes on with, where one of them can't be read at present.
@Suite struct MoveRecoveryTests {
    private let fixture: ArchiveFixture

    init() throws {
        try #require(FaultyDisk.isInstalled)
        fixture = try ArchiveFixture()
    }

    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".sqlite") }.sorted()
    }

    /// The catalog names the first file, as one that was brought back from a backup does; the second has more in it.
    private func makeLater() async throws -> String {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("1", at: 1, in: session)])
        try await writer.close()
        let folder = (try fixture.file() as NSString).deletingLastPathComponent
        try FileManager.default.copyItem(atPath: folder + "/1.sqlite", toPath: folder + "/kept")
        let again = try await fixture.openWriter()
        _ = try await again.append([.said("2", at: 2, in: session)])
        try await again.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("1.sqlite-") {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        try FileManager.default.moveItem(atPath: folder + "/1.sqlite", toPath: folder + "/2.sqlite")
        try FileManager.default.moveItem(atPath: folder + "/kept", toPath: folder + "/1.sqlite")
        return folder
    }

    /// Too many open files and a disk that fails for a moment.
    @Test(arguments: [SQLITE_CANTOPEN, SQLITE_IOERR])
    func `a later file that is unreadable at present is not removed`(code: CInt) async throws {
        let folder = try await makeLater()
        FaultyDisk.fail(folder, code)
        #expect(throws: ArchiveError.self) { try fixture.archive.reading().page(try fixture.query()) }
        let told = Mutex<[ArchiveError]>([])
        try fixture.archive.recover { error in told.withLock { $0.append(error) } }
        #expect(told.withLock { $0.count } == 1)
        #expect(try files(folder) == ["1.sqlite", "2.sqlite"])
        FaultyDisk.mend(folder)
        #expect(try fixture.archive.reading().page(try fixture.query()).bodies == ["1", "2"])
        #expect(try files(folder) == ["2.sqlite"])
    }

    @Test(arguments: [0, 100, 5000])
    func `a later file that a power cut truncated is removed`(length: Int) async throws {
        let folder = try await makeLater()
        let handle = try FileHandle(forWritingTo: URL(filePath: folder + "/2.sqlite"))
        try handle.truncate(atOffset: UInt64(length))
        try handle.close()
        #expect(try fixture.archive.reading().page(try fixture.query()).bodies == ["1"])
        #expect(try files(folder) == ["1.sqlite"])
    }
}
