import ChatModel
import Foundation
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct AttachmentTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func at(_ offset: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: offset) }

    /// Stores a message for each list of paths.
    private func fill(_ lists: [[String]], from first: Int64 = 10, to writer: AccountWriter) async throws {
        let session = try await writer.openSession(at: at(first))
        _ = try await writer.append(
            lists.enumerated().map { index, paths in
                message(paths, at: first + Int64(index), in: session)
            })
    }

    private func message(
        _ paths: [String], at offset: Int64, body: String = "보세요", in session: SessionID
    ) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: ArchiveFixture.lobby, kind: .message,
                sender: UserReference(key: "alice", name: "alice"), body: body, remoteID: "m\(offset)",
                sourceTime: at(offset), receivedAt: at(offset), attachments: paths), .snapshot)
    }

    private func receive(_ path: String, _ content: String, by writer: AccountWriter) async throws {
        let receipt = try await writer.receiveAttachment(path)
        try await receipt.begin(at: 0, tag: nil, total: Int64(content.utf8.count))
        try await receipt.write(Array(content.utf8))
        try await receipt.finish(at: at(1000))
    }

    private func files(_ archive: Archive? = nil, isMissingOnly: Bool = false) async throws -> [StoredAttachment] {
        try (archive ?? fixture.archive).reading().files.attachments(
            AttachmentQuery(scope: .accounts(["demo"]), isMissingOnly: isMissingOnly, limit: 1000)
        ).attachments
    }

    private var folder: String {
        get throws { (try fixture.file() as NSString).deletingLastPathComponent + "/attachments" }
    }

    private func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { !$0.hasPrefix("unfinished/") }.sorted()
    }

    private func problems() async throws -> [String] {
        try fixture.archive.check().flatMap(\.problems).map(\.check)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `equal contents share one file with mode 600, whatever their names`() async throws {
        let writer = try await fixture.openWriter()
        try await fill([["/a/가.png", "/b"], ["/b", "/c"]], to: writer)
        try await receive("/a/가.png", "same", by: writer)
        try await receive("/b", "same", by: writer)
        #expect(try await files().map(\.attachment.state) == [.fetched, .fetched, .fetched, .missing])
        #expect(try await writer.wantedAttachments(isRequestedOnly: false, at: at(0), limit: 9).map(\.path) == ["/c"])
        try await writer.close()
        let hash = "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5"
        #expect(try names() == [String(hash.prefix(2)), "\(hash.prefix(2))/\(hash.dropFirst(2))", "unfinished"])
        #expect(
            try await files().compactMap(\.file).map { String($0.suffix(62)) }
                == Array(repeating: String(hash.dropFirst(2)), count: 3))
        for name in try names() + ["."] {
            let mode = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? Int
            #expect(mode == (name.hasSuffix(hash.dropFirst(2)) ? 0o600 : 0o700), "\(name)")
        }
        #expect(try await problems().isEmpty)
    }

    @Test func `a later message uses the file that an earlier message fetched`() async throws {
        let writer = try await fixture.openWriter()
        try await fill([["/a"]], to: writer)
        try await receive("/a", "x", by: writer)
        try await fill([["/b", "/a"]], from: 50, to: writer)
        #expect(try await files().map(\.attachment.state) == [.fetched, .missing, .fetched])
        try await writer.close()
        #expect(try await problems().isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the next try takes the file that a kill left without a row`() async throws {
        var writer = try await fixture.openWriter()
        try await fill([["/a"]], to: writer)
        try await receive("/a", "x", by: writer)
        try await writer.close()
        try fixture.execute("UPDATE file SET state = 0, sha256 = NULL")
        #expect(try await problems().isEmpty)
        writer = try await fixture.openWriter()
        #expect(
            try await writer.wantedAttachments(isRequestedOnly: false, at: at(2000), limit: 9).isEmpty, "it was tried")
        #expect(try await writer.requestAttachments(room: nil, after: nil, before: nil, limit: nil) == 1)
        try await receive("/a", "x", by: writer)
        try await writer.close()
        #expect(try names().count == 3)
        #expect(try await problems().isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the next writer removes unfinished files, except those that can be resumed`() async throws {
        var writer = try await fixture.openWriter()
        try await fill([["/kept", "/killed"]], to: writer)
        for path in ["/kept", "/killed"] {
            let receipt = try await writer.receiveAttachment(path)
            try await receipt.begin(at: 0, tag: "t", total: nil)
            try await receipt.write(Array("begun, ".utf8))
            if path == "/kept" { await receipt.keep() }
        }
        let unfinished = try folder + "/unfinished"
        #expect(try FileManager.default.contentsOfDirectory(atPath: unfinished).count == 2)
        try await writer.close()
        writer = try await fixture.openWriter()
        #expect(try FileManager.default.contentsOfDirectory(atPath: unfinished).count == 1)
        let receipt = try await writer.receiveAttachment("/kept")
        #expect(receipt.part == AttachmentPart(size: 7, tag: "t"))
        try await receipt.begin(at: 7, tag: "t", total: 12)
        try await receipt.write(Array("ended".utf8))
        try await receipt.finish(at: at(9))
        try await writer.close()
        let stored = try #require(try await files().first)
        #expect(stored.file.flatMap { FileManager.default.contents(atPath: $0) } == Data("begun, ended".utf8))
        #expect(try await problems().isEmpty)
    }

    @Test func `an unfinished file that is shorter than recorded is not resumed`() async throws {
        let writer = try await fixture.openWriter()
        try await fill([["/a"]], to: writer)
        let receipt = try await writer.receiveAttachment("/a")
        try await receipt.begin(at: 0, tag: "t", total: nil)
        try await receipt.write([1, 2, 3])
        await receipt.keep()
        truncate(try folder + "/unfinished/" + AttachmentFolder.partName(ofPath: "/a"), 2)
        #expect(try await writer.receiveAttachment("/a").part == nil)
        try await receive("/a", "x", by: writer)
        try await writer.close()
        #expect(try await problems().isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `check finds missing, short and damaged files, and incomplete files are fetched again`()
        async throws
    {
        var writer = try await fixture.openWriter()
        try await fill([["/a", "/b", "/c"]], to: writer)
        for (path, content) in [("/a", "aa"), ("/b", "bb"), ("/c", "cc")] {
            try await receive(path, content, by: writer)
        }
        try await writer.close()
        let paths = try await files().compactMap(\.file)
        try FileManager.default.removeItem(atPath: paths[0])
        truncate(paths[1], 1)
        try Data("xx".utf8).write(to: URL(filePath: paths[2]))
        #expect(try await problems() == ["files", "files", "files"])
        writer = try await fixture.openWriter()
        #expect(try await writer.requestAttachments(room: nil, after: nil, before: nil, limit: nil) == 2)
        for (path, content) in [("/a", "aa"), ("/b", "bb")] { try await receive(path, content, by: writer) }
        try await writer.close()
        #expect(try await problems() == ["files"])
    }

    @Test func `a list of files continues by cursors and keeps the files of a message together`() async throws {
        let writer = try await fixture.openWriter()
        try await fill((0..<5).map { number in (0..<3).map { "/\(number)-\($0)" } }, to: writer)
        try await writer.close()
        func walk(isForward: Bool) async throws -> [[String]] {
            var (pages, query) = (
                [[String]](), AttachmentQuery(scope: .accounts(["demo"]), isForward: isForward, limit: 4)
            )
            while true {
                let page = try fixture.archive.reading().files.attachments(query)
                pages.append(page.attachments.map(\.attachment.path))
                guard let next = isForward ? page.newer : page.older else { return pages }
                if isForward { query.after = next } else { query.before = next }
            }
        }
        let all = (0..<5).flatMap { number in (0..<3).map { "/\(number)-\($0)" } }
        #expect(try await walk(isForward: true).map(\.count) == [6, 6, 3])
        #expect(try await walk(isForward: true).flatMap(\.self) == all)
        #expect(try await walk(isForward: false).reversed().flatMap(\.self) == all)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `has:file finds a message, whenever its files became known`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            message(["/a"], at: 10, body: "with", in: session), message([], at: 20, body: "without", in: session),
            message([], at: 30, body: "later", in: session), message([], at: 40, body: "at once", in: session),
            message(["/b"], at: 40, body: "at once", in: session),
        ])
        _ = try await writer.append([
            message(["/c"], at: 30, body: "later, and edited", in: session),
            message(["/a", "/d"], at: 10, body: "with", in: session),
        ])
        func found() async throws -> [String] {
            let scope = SearchScope(query: SearchQuery(parsing: "has:file"))
            return try fixture.archive.reading().page(fixture.query(), matching: scope).bodies
        }
        #expect(try await found() == ["with", "later, and edited", "at once"])
        #expect(try await problems().isEmpty)
        _ = try await writer.indexStep(rebuild: true)
        while try await writer.indexStep().from != nil {}
        #expect(try await found() == ["with", "later, and edited", "at once"])
        try await writer.close()
        #expect(try await problems().isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a backup copies only new files, skips damaged ones, and restores them`() async throws {
        let backup = try BackupFixture()
        let archive = backup.archive
        let writer = try await archive.openWriter(ArchiveFixture.account)
        try await fill([["/a", "/b"]], to: writer)
        try await receive("/a", "aa", by: writer)
        #expect(try await backup.backUp().files == BackupReport.Files(count: 1, bytes: 2, added: 1))
        try await receive("/b", "bbb", by: writer)
        #expect(try await backup.backUp().files == BackupReport.Files(count: 2, bytes: 5, added: 1))
        #expect(try backup.copies.check().map(\.state) == [.fine])
        let path = try #require(try await files(archive).last?.file)
        try await writer.close()
        _ = try archive.evict(account: "demo", level: 1)
        #expect(try await backup.backUp().files == BackupReport.Files(count: 2, bytes: 5, added: 0))
        try Data("xxxx".utf8).write(to: URL(filePath: path))
        #expect(try await backup.backUp().files.corrupt.count == 1)
        #expect(try backup.copies.check().map(\.state) == [.fine])
        _ = try archive.erase(account: "demo")
        let left = try FileManager.default.subpathsOfDirectory(atPath: archive.folder)
        #expect(left.filter { $0.contains("demo-") } == [])
        #expect(try await backup.restore(to: archive).files == BackupReport.Files(count: 2, bytes: 5, added: 2))
        #expect(try await files(archive).map(\.attachment.state) == [.fetched, .fetched])
        #expect(try archive.check().map(\.state) == [.fine])
    }

    @Test(.enabled(if: SmallDisk.isPossible))
    func `files leave the last space of a disk to messages`() async throws {
        let disk = try SmallDisk(kibibytes: 24 << 10)
        let archive = Archive(folder: disk.path + "/data")
        let writer = try await archive.openWriter(ArchiveFixture.account)
        try await fill([["/a"]], to: writer)
        let known = try await writer.receiveAttachment("/a")
        let refused = await #expect(throws: ArchiveError.self) {
            try await known.begin(at: 0, tag: nil, total: 20 << 20)
        }
        #expect(refused?.code == .storage)
        let unknown = try await writer.receiveAttachment("/a")
        try await unknown.begin(at: 0, tag: "t", total: nil)
        let error = await #expect(throws: ArchiveError.self) {
            for _ in 1...24 { try await unknown.write(Array(repeating: 7, count: 1 << 20)) }
        }
        #expect(error?.code == .storage)
        await unknown.discard()
        try await fill([["/b"]], from: 50, to: writer)
        try await receive("/a", "x", by: writer)
        try await writer.close()
        #expect(try await files(archive).map(\.attachment.state) == [.fetched, .missing])
        #expect(try archive.check().map(\.state) == [.fine])
    }
}
