import Archive
import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Reading
@testable import Writing

@Suite struct AccountSummaryTests {
    @Test func `the summary of an account has its contents, folder, size and writer`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("a", at: 10, in: session), .said("b", at: 20, in: session),
            .said("c", at: 30, in: session, room: RoomReference(key: "#x", name: "#x", kind: .channel)),
        ])
        let written = try #require(try fixture.archive.reading().accountSummaries().first)
        #expect(written.account == "demo")
        #expect(written.messages == 3)
        #expect(written.rooms == 2)
        #expect(written.firstMessage?.time == ArchiveFixture.day.advanced(byMicroseconds: 10))
        #expect(written.lastMessage?.time == ArchiveFixture.day.advanced(byMicroseconds: 30))
        #expect(written.writer?.hasPrefix("process \(getpid()) (") == true)
        let file = try fixture.file()
        #expect(written.folder == (file as NSString).deletingLastPathComponent)
        #expect(written.bytes == size(file) + size(file + "-wal") + size(file + "-shm"))
        #expect(size(file + "-wal") > 0)

        try await writer.close()
        #expect(try fixture.archive.reading().accountSummaries().first?.writer == nil)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting takes root"))
    func `accounts are summarised where nothing can be written`() async throws {
        let disk = try SmallDisk(kibibytes: 8000)
        do {
            let writer = try await Archive(folder: disk.path + "/data").openWriter(ArchiveFixture.account)
            _ = try await writer.append([.said("a", at: 10, in: try await writer.openSession())])
            try await writer.close()
        }
        // A process that another test starts may have the files open for a moment.
        try await eventually("no file on it is open for writing") { (try? disk.makeReadOnly()) != nil ? true : nil }
        let archive = Archive(folder: disk.path + "/data")
        #expect(try archive.reading().accountSummaries().map(\.messages) == [1])
        #expect(try archive.reading().accountSummaries().first?.isInUse == false)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
    func `accounts whose folder and locks can't be written are summarised`() async throws {
        let fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        _ = try await writer.append([.said("a", at: 10, in: try await writer.openSession())])
        try await writer.close()
        let folder = (try fixture.file() as NSString).deletingLastPathComponent
        chmod(folder + "/lock", 0o400)
        chmod(folder, 0o500)
        defer { chmod(folder, 0o700) }
        #expect(try fixture.archive.reading().accountSummaries().map(\.messages) == [1])
    }

    @Test func `an account without messages has no first and no last message`() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.openWriter().close()
        let summary = try #require(try fixture.archive.reading().accountSummaries().first)
        #expect(summary.messages == 0)
        #expect(summary.rooms == 0)
        #expect(summary.firstMessage == nil)
        #expect(summary.lastMessage == nil)
    }

    private func size(_ path: String) -> Int64 {
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int64
        return size ?? 0
    }
}
