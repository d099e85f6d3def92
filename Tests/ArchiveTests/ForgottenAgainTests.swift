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
@testable import Records
@testable import Rescue
@testable import Writing

/// A forgotten person does not come back by any way into the archive, with nothing that named them.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ForgottenAgainTests {
    private let fixture: ArchiveFixture
    private let account = AccountIdentity(name: "demo", network: "slp")

    init() throws { fixture = try ArchiveFixture() }

    private func at(_ second: Int64) -> Timestamp { ForgottenPerson.at(second) }

    private func store(_ text: String, as path: String, by writer: AccountWriter) async throws {
        let files = try ImportedFileStore(of: "demo", in: fixture.archive.reading())
        let stored = try files.store {
            var rest = Array(text.utf8)[...]
            return {
                defer { rest = [] }
                return rest
            }
        }
        try await writer.write { [now = at(2300)] db in
            let digest = FileDigest(sha256: stored.sha256, size: stored.size)
            try AttachmentBook.store(path, digest, at: now.microseconds, db)
        }
    }

    private func fill() async throws -> AccountWriter {
        let writer = try await fixture.archive.openWriter(account)
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: at(0))]).first else {
            throw TestFailure()
        }
        _ = try await writer.append(ForgottenPerson.events(SessionID(rawValue: id)))
        try await store("canarybytes of a file", as: "/files/canaryfile.txt", by: writer)
        try await store("bytes that alice sent, too", as: "/files/shared.txt", by: writer)
        return writer
    }

    private func forget(
        redacts: Bool = false, alsoNew: Bool = false, generation: Int = 1, by writer: AccountWriter
    ) async throws {
        let user: Int64 = try #require(
            try fixture.value("SELECT user_id FROM user_name WHERE name = 'malloryname'", generation: generation))
        var place: ForgettingPlace?
        repeat {
            place =
                try await writer.retention.forget(
                    Forgetting(.user(user), redacts: redacts, alsoNew: alsoNew), from: place, at: at(10_000)
                ).next
        } while place != nil
    }

    private func traces() throws -> [String] { try fixture.traces(of: ForgottenPerson.canaries, ends: false) }

    /// What must be there whatever came again: of others, and of rooms without the person.
    private func expectOthers(_ comment: Comment) throws {
        #expect(try fixture.value("SELECT count(*) FROM message WHERE body LIKE '%words%'") == 57, comment)
        #expect(try fixture.value("SELECT count(*) FROM reaction WHERE text = '🎉'") == 19, comment)
        #expect(try fixture.value("SELECT count(*) FROM room") == 2, comment)
        #expect(
            try fixture.value("SELECT group_concat(name) FROM (SELECT name FROM room_name ORDER BY name)")
                == "#open,(forgotten)", comment)
        #expect(
            try fixture.value(
                "SELECT group_concat(name) FROM (SELECT name FROM user_name WHERE name <> '(forgotten)' ORDER BY 1)")
                == "alice,me", comment)
    }

    private func check(_ comment: Comment) async throws {
        let problems = try fixture.archive.check().flatMap(\.problems)
        #expect(problems.isEmpty, "\(comment): \(problems)")
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true])
    func `the network's lists and history do not bring a person back`(redacts: Bool) async throws {
        var writer = try await fill()
        #expect(try !traces().isEmpty)
        try await forget(redacts: redacts, by: writer)
        try await writer.close()
        #expect(try traces() == [])
        try expectOthers("forgotten")
        writer = try await fixture.archive.openWriter(account)
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: at(11_000))]).first else {
            throw TestFailure()
        }
        _ = try await writer.append(ForgottenPerson.events(SessionID(rawValue: id), listedAt: 11_001))
        try await writer.close()
        #expect(try traces() == [])
        try expectOthers("after the network")
        try await check("after the network")
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true])
    func `a full export does not bring a person back, even into a new account with the same name`(redacts: Bool)
        async throws
    {
        let writer = try await fill()
        let lines = try await fixture.export()
        try await forget(redacts: redacts, by: writer)
        try await writer.close()
        _ = try await fixture.store(lines, into: account)
        #expect(try traces() == [])
        try expectOthers("imported again")
        try await check("imported again")
        _ = try fixture.archive.erase(account: "demo")
        _ = try await fixture.store(lines, into: account)
        #expect(try traces() == [])
        try expectOthers("imported into a new account")
        try await check("imported into a new account")
    }

    private enum Way: CaseIterable {
        case restored, rescued, putBack, putBackCold
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true], Way.allCases)
    private func `an older copy forgets a person again, with their files`(redacts: Bool, way: Way) async throws {
        let (backup, writer) = (fixture.folder.path + "/backup", try await fill())
        try await writer.close()
        if way == .putBackCold { _ = try fixture.archive.evict(account: "demo", level: 1) }
        try fixture.archive.backup(in: backup, isNew: true).add(account: "demo")
        let again = try await fixture.archive.openWriter(account)
        try await forget(redacts: redacts, generation: way == .putBackCold ? 2 : 1, by: again)
        try await again.close()
        _ = try fixture.archive.erase(account: "demo")
        let copies = backup + "/accounts"
        let copy = try #require(try FileManager.default.contentsOfDirectory(atPath: copies).first)
        switch way {
        case .restored: _ = try fixture.archive.backup(in: backup).restore(account: "demo")
        case .rescued: _ = try fixture.archive.rescue("\(copies)/\(copy)/1.sqlite")
        case .putBack, .putBackCold:
            try FileManager.default.copyItem(
                atPath: "\(copies)/\(copy)", toPath: "\(fixture.archive.folder)/accounts/\(copy)")
        }
        let rooms = try fixture.archive.reading().rooms(account: "demo")
        #expect(rooms.count == 2)
        if way != .putBackCold { try expectOthers("\(way)") }
        #expect(try traces() == [])
        try await check("\(way)")
    }

    @Test func `a person who writes again has only new messages`() async throws {
        var writer = try await fill()
        let lines = try await fixture.export()
        try await forget(by: writer)
        try await writer.close()
        writer = try await fixture.archive.openWriter(account)
        guard case .new(let id)? = try await writer.append([.sessionOpened(at: at(11_000))]).first else {
            throw TestFailure()
        }
        let session = SessionID(rawValue: id)
        let new = UserReference(key: ForgottenPerson.mallory.key, name: "newname")
        _ = try await writer.append([
            .said("something new", at: 11_001_000_000, by: "bob", in: session, room: ForgottenPerson.group),
            .message(
                IncomingMessage(
                    session: session, room: ForgottenPerson.group, kind: .message, sender: new, body: "back again",
                    remoteID: "m11002", sourceTime: at(11_002), receivedAt: at(11_002))),
        ])
        _ = try await writer.append(ForgottenPerson.events(session, listedAt: 500))
        try await writer.close()
        _ = try await fixture.store(lines, into: account)
        let gone = ForgottenPerson.canaries.filter { $0 != "mallorykey" }
        #expect(try fixture.traces(of: gone, ends: false) == [])
        #expect(try fixture.value("SELECT count(*) FROM message WHERE body = 'back again'") == 1)
        #expect(try fixture.value("SELECT group_concat(name) FROM user_name WHERE name LIKE 'new%'") == "newname")
        try await check("back again")
    }

    @Test func `a forgotten message keeps its place without text, files and reactions`() async throws {
        let writer = try await fill()
        let lines = try await fixture.export()
        for redacts in [true, false] {
            let id: Int64 = try #require(
                try fixture.value("SELECT id FROM message WHERE remote_id = '\(redacts ? "m310" : "m410")'"))
            var place: ForgettingPlace?
            repeat {
                place =
                    try await writer.retention.forget(
                        Forgetting(.message(MessageID(microseconds: id)), redacts: redacts), from: place,
                        at: at(10_000)
                    ).next
            } while place != nil
        }
        try await writer.close()
        _ = try await fixture.store(lines, into: account)
        #expect(try fixture.value("SELECT body FROM message WHERE remote_id = 'm310'") == String?.none)
        #expect(try fixture.value("SELECT count(*) FROM message WHERE remote_id = 'm410'") == 0)
        #expect(try fixture.value("SELECT count(*) FROM reaction WHERE remote_id = 'm410'") == 0)
        #expect(try fixture.traces(of: ["canarybytes", "canaryfile"], ends: false) == [])
        #expect(try fixture.value("SELECT count(*) FROM user_name WHERE name = 'malloryname'") == 1, "the author stays")
        try await check("one message")
    }

    @Test func `the journal overwrites bytes of later messages of a forgotten person`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        func said(_ texts: [(String, String)], at first: Int64, from start: Int64) async throws -> Int64 {
            var (events, offset) = ([ChatEvent](), start)
            let bytes = texts.map { Array("\($0)::\($1)\n".utf8) }
            events.append(
                .chunk(
                    JournalChunk(
                        session: session, offset: start, receivedAt: at(first), bytes: bytes.flatMap { $0 })))
            for ((name, body), unit) in zip(texts, bytes) {
                events.append(
                    .message(
                        IncomingMessage(
                            session: session, room: ArchiveFixture.lobby, kind: .message,
                            sender: UserReference(key: name, name: name), body: body,
                            remoteID: "\(session.rawValue):\(offset)", sourceTime: nil, receivedAt: at(first))))
                offset += Int64(unit.count)
            }
            _ = try await writer.append(events + [.parsed(session: session, upTo: offset)])
            return offset
        }
        let first = try await said([("malloryname", "canarywort"), ("alice", "hi")], at: 1, from: 0)
        try await forget(alsoNew: true, by: writer)
        _ = try await said(
            [("alice", "one"), ("malloryname", "zephyrquill"), ("alice", "two"), ("malloryname", "canarydirect")],
            at: 10_001, from: first)
        try await writer.close()
        #expect(try traces() == [])
        let journal: String? = try fixture.value("SELECT group_concat(CAST(bytes AS TEXT), '') FROM chunk")
        #expect(journal?.filter { $0 != " " } == "alice::hi\nalice::one\nalice::two\n")
        try await check("journal")
    }
}
