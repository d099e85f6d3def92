import ChatModel
import Foundation
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Reading
@testable import Records
@testable import Writing

/// Changes since a position, and copies of an archive that are kept up to date by them.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct FeedTests {
    private let fixture: ArchiveFixture
    private var archive: Archive { fixture.archive }

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func all(after position: FeedPosition? = nil) async throws -> [FeedChange] {
        var found: [FeedChange] = []
        var feed = archive.reading().feeds.changes(of: ["demo"], after: position)
        while let changes = try feed.next() { found += changes }
        return found
    }

    /// 10 archives with 25 copies each, which read on at random moments, some of them seldom.
    @Test(.disabled(if: QuickCheck.isRunning), arguments: 1...10)
    func `every copy of the feed ends equal to the archive, even if killed, slow or reset`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        var script = RandomArchive(seed: UInt64(seed))
        var copies = Array(repeating: FeedCopy(), count: 25)
        let writer = try await fixture.openWriter()
        for phase in 0..<8 {
            try await script.write(to: writer, rounds: 5)
            for index in copies.indices where number(1 + index / 3) == 0 {
                try await copies[index].read(
                    archive, batch: 1 + number(40), killedAfter: number(3) == 0 ? .max : 1 + number(60),
                    saves: 1 + number(9))
            }
            try await changeFiles(writer, random: number)
            if number(3) == 0 { try await writer.fold() }
            if number(8) == 0 { try await writer.beginEpoch("life \(phase)") }
        }
        let expected = try await FeedCopy(of: fixture, archive)
        #expect(expected.messages.count > 15 && expected.users.count > 3 && expected.rooms.count > 1)
        for index in copies.indices {
            try await copies[index].read(archive, batch: 1 + number(40))
            #expect(copies[index].differences(from: expected).isEmpty, "copy \(index)")
        }
        // The digests are of no file.
        let problems = try archive.check().flatMap(\.problems).filter { !$0.detail.contains("/attachments/") }
        #expect(problems.isEmpty)
        try await writer.close()
    }

    private func changeFiles(_ writer: AccountWriter, random number: (Int) -> Int) async throws {
        let (path, time) = ("/f\(number(9)).png", ArchiveFixture.day)
        switch number(4) {
        case 0:
            let digest = FileDigest(sha256: String(repeating: "a", count: 64), size: 3)
            try await writer.write { db in try AttachmentBook.store(path, digest, at: time.microseconds, db) }
        case 1:
            try await writer.noteAttachment(path, AttachmentFailure(.gone, detail: "404"), at: time)
        case 2:
            let failure = AttachmentFailure(.tooLarge(limit: 10, bytes: 20), detail: "20 bytes")
            try await writer.noteAttachment(path, failure, at: time)
        default:
            try await writer.raiseAttachmentLimit(to: 30)
        }
    }

    @Test func `a restored backup has a new epoch, and a copy starts over`() async throws {
        let backup = try BackupFixture()
        var script = RandomArchive(seed: 4)
        let writer = try await backup.fixture.openWriter()
        try await script.write(to: writer, rounds: 40)
        try await backup.backUp()
        var copy = FeedCopy()
        try await script.write(to: writer, rounds: 40)
        try await copy.read(backup.archive, batch: 100)
        try await writer.close()
        let restored = Archive(folder: backup.fixture.folder.path + "/restored")
        try await backup.restore(to: restored)
        let expected = try await FeedCopy(of: backup.fixture, restored)
        #expect(!copy.differences(from: expected).isEmpty)
        try await copy.read(restored, batch: 100)
        #expect(copy.differences(from: expected).isEmpty)
    }

    @Test func `every kind of change has the current state of its subject`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("a", id: "1", at: 1, in: session), .said("b", id: "1", at: 1, edit: 5, in: session, isLive: true),
            .reaction(
                IncomingReaction(
                    session: session, room: ArchiveFixture.lobby, target: "1",
                    sender: UserReference(key: "bob", name: "bob"), text: "👍", sourceTime: nil,
                    receivedAt: ArchiveFixture.day.advanced(byMicroseconds: 6), isRemoved: false)),
            .gone(id: "1", at: 7, in: session),
            .userRenamed(
                session: session, fromKey: "bob", to: UserReference(key: "bobby", name: "bobby"),
                at: ArchiveFixture.day.advanced(byMicroseconds: 8)),
        ])
        try await writer.close()
        let changes = try await all()
        #expect(
            Set(changes.map(\.kind)) == [.stored, .edited, .deleted, .reactions, .names, .coverage],
            "\(changes.map(\.kind))")
        for change in changes {
            switch change.subject {
            case .message(_, let message):
                #expect(message?.body == "b" && message?.deletedAt != nil && message?.reactions.count == 1)
            case .user(_, let user): #expect(user.map { ["alice", "bobby"].contains($0.name) } == true)
            case .room(_, let room, _): #expect(room?.name == "lobby")
            case .account: Issue.record("a reset")
            }
        }
        #expect(changes.map(\.position.seq) == changes.map(\.position.seq).sorted())
        try fixture.execute("PRAGMA foreign_keys = OFF; DELETE FROM message")
        #expect(try await all().contains { if case .message(_, nil) = $0.subject { true } else { false } })
    }

    @Test func `the feed reports a renamed workspace and a room's trouble when they change`() async throws {
        let writer = try await fixture.openWriter()
        let day = ArchiveFixture.day
        func listing(_ name: String) -> ChatEvent {
            let workspace = WorkspaceReference(key: "w", name: name)
            return .roomListed(RoomListing(room: ArchiveFixture.lobby, workspace: workspace), at: day)
        }
        func room(after position: FeedPosition?) async throws -> (changes: Int, room: Room?, end: FeedPosition?) {
            let changes = try await all(after: position)
            guard case .room(_, let room, _)? = changes.last?.subject else { return (changes.count, nil, position) }
            return (changes.count, room, changes.last?.position)
        }
        _ = try await writer.append([listing("Example")])
        let first = try await room(after: nil)
        #expect(first.room?.workspace == "Example")
        _ = try await writer.append([listing("Beispiel")])
        let second = try await room(after: first.end)
        #expect(second.changes == 1 && second.room?.workspace == "Beispiel")
        for attempt in 1...3 {
            let next = day.advanced(byMicroseconds: Int64(attempt))
            let trouble = RoomTrouble(.banned, detail: "no", since: day, nextTry: next)
            _ = try await writer.append([.roomTroubled(ArchiveFixture.lobby, trouble)])
        }
        let third = try await room(after: second.end)
        #expect(third.changes == 1 && third.room?.trouble?.reason == .banned)
        let session = try await writer.openSession()
        _ = try await writer.append([.roomLive(session: session, room: ArchiveFixture.lobby, at: day)])
        #expect(try await room(after: third.end).room?.trouble == nil)
        try await writer.close()
    }

    @Test func `the feed reports a file once for each state`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        var message = IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .message, sender: nil, body: "see", remoteID: "1",
            sourceTime: nil, receivedAt: ArchiveFixture.day)
        message.attachments = ["/a.png"]
        _ = try await writer.append([.message(message)])
        let start = try #require(try await all().last).position
        for _ in 0..<3 {
            try await writer.noteAttachment("/a.png", AttachmentFailure(.failed, detail: "no"), at: ArchiveFixture.day)
        }
        let failed = try await all(after: start)
        #expect(failed.map(\.kind) == [.attachment])
        let large = AttachmentFailure(.tooLarge(limit: 10, bytes: 20), detail: "20 bytes")
        try await writer.noteAttachment("/a.png", large, at: ArchiveFixture.day)
        #expect(try await writer.requestAttachments(room: nil, after: nil, before: nil, limit: 30) == 1)
        let digest = FileDigest(sha256: String(repeating: "a", count: 64), size: 3)
        try await writer.write { db in try AttachmentBook.store("/a.png", digest, at: 1, db) }
        #expect(try await all(after: start).map(\.kind) == Array(repeating: .attachment, count: 4))
        message.attachments.append("/b.png")
        _ = try await writer.append([.message(message, .snapshot)])
        let last = try #require(try await all(after: start).last)
        guard case .message(_, let present?) = last.subject else { throw TestFailure() }
        #expect(last.kind == .attachment && present.attachments.map(\.state) == [.fetched, .missing])
        try await writer.close()
    }

    @Test func `fetching a file between two tries keeps the record that a batch is stored`()
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let before = try await writer.read { db in try StoreEnd(db) }
        _ = try await writer.append([.said("a", at: 1, in: session)])
        let after = try await writer.read { db in try StoreEnd(db) }
        #expect(before != after)
        try await writer.write { db in try Feed.file(messageID: 1, db) }
        #expect(try await writer.read { db in try StoreEnd(db) } == after)
        try await writer.close()
    }

    @Test func `a position after the end or of another epoch resets the feed to its beginning`()
        async throws
    {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("a", at: 1, in: session)])
        try await writer.close()
        let whole = try await all()
        let end = try #require(whole.last).position
        #expect(try await all(after: end).isEmpty)
        for wrong in [FeedPosition(epoch: end.epoch, seq: end.seq + 1), FeedPosition(epoch: "another", seq: 0)] {
            let found = try await all(after: wrong)
            #expect(found.first?.kind == .reset && found.first?.subject == .account)
            #expect(found.first?.position == FeedPosition(epoch: end.epoch, seq: 0))
            #expect(Array(found.dropFirst()) == whole)
        }
        #expect(try await all(after: FeedPosition(epoch: end.epoch, seq: 0)) == whole)
    }

    @Test func `following waits for changes of every account in turn`() async throws {
        let (writer, other) = (try await fixture.openWriter(), try await fixture.openWriter("other"))
        let session = try await writer.openSession()
        let second = try await other.openSession()
        var items = archive.reading().feeds.follow(of: ["demo", "other"]).makeAsyncIterator()
        var seen: Set<String> = []
        while seen.count < 2 { seen.formUnion(try await items.next()?.map(\.account) ?? []) }
        _ = try await writer.append([.said("new", at: 1, in: session)])
        _ = try await other.append([.said("neu", at: 1, in: second)])
        var bodies: Set<String> = []
        while bodies.count < 2 {
            for change in try await items.next() ?? [] {
                if case .message(_, let message?) = change.subject { bodies.insert(message.body ?? "") }
            }
        }
        #expect(bodies == ["new", "neu"])
        try await writer.close()
        try await other.close()
    }

    @Test(arguments: ["EPOCH:7", "a:b:0", "e:9223372036854775807"])
    func `a written position is read back`(text: String) {
        #expect(FeedPosition(text)?.description == text)
    }

    @Test(arguments: ["", "7", ":7", "e:", "e:-1", "e:x", "e:9223372036854775808", "e: 7"])
    func `a text that is not a position is refused`(text: String) {
        #expect(FeedPosition(text) == nil)
    }
}
