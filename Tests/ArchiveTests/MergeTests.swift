import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Files
@testable import Moves
@testable import Reading
@testable import Writing

/// People and rooms that become one, and can be separated again.
@Suite struct MergeTests: SearchSuite {
    let fixture: ArchiveFixture
    let old = RoomReference(key: "#dev{eu}", name: "#dev[eu]", kind: .channel)
    let new = RoomReference(key: "#dev[eu]", name: "#Dev[eu]", kind: .channel)

    init() throws { fixture = try ArchiveFixture() }

    func at(_ offset: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: offset) }

    private func user(_ name: String) throws -> Int64 {
        try #require(try fixture.value("SELECT user_id FROM user_name WHERE name = '\(name)'"))
    }

    func room(_ key: String) throws -> Int64 {
        try #require(try fixture.value("SELECT id FROM room WHERE key = '\(key)'"))
    }

    @discardableResult
    func merge(_ request: Merging, by writer: AccountWriter, steps: Int = .max) async throws -> MergingProgress {
        var sum = MergingProgress(next: nil)
        var (place, count) = (MergingPlace?.none, 0)
        repeat {
            let step = try await writer.merge(request, from: place, at: at(1_000_000))
            sum.messages += step.messages
            sum.left += step.left
            (place, count) = (step.next, count + 1)
        } while place != nil && count < steps
        return sum
    }

    func undone(_ request: Merging) -> Merging {
        Merging(request.kind, from: request.from, into: request.into, undoes: true)
    }

    private func senders() async throws -> [String?] {
        try fixture.archive.reading().page(try fixture.query(room: nil)).messages.map { $0.sender?.name }
    }

    func isSound() async throws -> Bool {
        let problems = try fixture.archive.check().flatMap(\.problems)
        if !problems.isEmpty { Issue.record("\(problems)") }
        return problems.isEmpty
    }

    // MARK: People

    private func people() async throws -> (AccountWriter, SessionID, Merging) {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("one", at: 10, by: "alice_", in: session), .said("two", at: 20, by: "bob", in: session),
            .said("three", at: 30, by: "alice", in: session), .said("four", at: 40, by: "alice_", in: session),
            .said("five", at: 50, by: "alice", in: session, kind: .join),
        ])
        return (writer, session, Merging(.people, from: try user("alice_"), into: try user("alice")))
    }

    @Test func `a merged person is first seen with the first message of either`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("one", at: 10, by: "alice", in: session), .said("two", at: 20, by: "alice_", in: session),
            .said("three", at: 30, by: "alice|away", in: session),
        ])
        for name in ["alice_", "alice|away"] {
            try await merge(Merging(.people, from: try user(name), into: try user("alice")), by: writer)
        }
        let users = try fixture.archive.reading().users(scope: .accounts(["demo"]))
        #expect(users.map(\.firstSeen) == [at(10)])
        #expect(Set(users.flatMap(\.names).map(\.name)) == ["alice", "alice_", "alice|away"])
        try await writer.close()
    }

    @Test func `a merged person's stored and later messages belong to the other`() async throws {
        let (writer, session, request) = try await people()
        #expect(try await merge(request, by: writer).messages == 2)
        _ = try await writer.append([.said("six", at: 60, by: "alice_", in: session)])
        let page = try fixture.archive.reading().page(try fixture.query(room: nil))
        #expect(page.messages.compactMap(\.sender?.id).filter { $0 == request.into }.count == 5)
        #expect(try await senders() == ["alice_", "bob", "alice", "alice", "alice", "alice_"])
        let users = try fixture.archive.reading().users(scope: .accounts(["demo"]), countsMessages: true)
        let alice = try #require(users.first { $0.id == request.into })
        #expect(users.count == 2 && alice.messages == 4)
        #expect(Set(alice.names.map(\.name)) == ["alice", "alice_"])
        try await writer.close()
        #expect(try await isSound())
    }

    @Test func `a search for either name finds the messages of both`() async throws {
        let (writer, _, request) = try await people()
        try await merge(request, by: writer)
        for name in ["alice", "alice_"] {
            #expect(try await found("from:\(name)").bodies == ["one", "three", "four"], "\(name)")
        }
        try await writer.close()
    }

    @Test func `each message keeps its name when a merged person alternates between names`() async throws {
        let (writer, session, request) = try await people()
        try await merge(request, by: writer)
        let names = ["alice_", "alice", "alice_", "alice"]
        for (offset, name) in zip(Int64(60)..., names) {
            _ = try await writer.append([.said("hi", at: offset, by: name, in: session)])
        }
        #expect(try await Array(senders().suffix(4)) == names)
        try await writer.close()
        #expect(try await isSound())
    }

    @Test func `an import is refused while a merge is unfinished`() async throws {
        let (writer, _, request) = try await people()
        try await merge(request, by: writer, steps: 2)
        let line = ImportedMessage(
            room: "lobby", kind: .message, sender: "alice_", body: "hi", time: at(70), resolution: .second)
        let error = try await #require(throws: ArchiveError.self) {
            try await writer.importLines([.message(line)], at: at(1_000_000))
        }
        #expect(error.code == .merge)
        try await merge(request, by: writer)
        #expect(try await writer.importLines([.message(line)], at: at(1_000_000)).new == 1)
        try await writer.close()
    }

    @Test func `undoing a merge separates both people as before, and keeps later messages`() async throws {
        let (writer, session, request) = try await people()
        let before = try await senders()
        try await merge(request, by: writer)
        _ = try await writer.append([.said("six", at: 60, by: "alice_", in: session)])
        #expect(try await merge(undone(request), by: writer).messages == 2)
        #expect(try await Array(senders().prefix(5)) == before)
        _ = try await writer.append([.said("seven", at: 70, by: "alice_", in: session)])
        #expect(try fixture.value("SELECT sender_id FROM message WHERE body = 'seven'") == request.from)
        #expect(try fixture.value("SELECT sender_id FROM message WHERE body = 'six'") == request.into)
        #expect(try fixture.value("SELECT count(*) FROM merge") == 0)
        try await writer.close()
        #expect(try await isSound())
    }

    @Test func `a merged person can be merged again, and a chain is undone from its end`() async throws {
        let (writer, _, first) = try await people()
        let second = Merging(.people, from: first.into, into: try user("bob"))
        try await merge(first, by: writer)
        try await merge(second, by: writer)
        #expect(try fixture.value("SELECT count(*) FROM message WHERE sender_id = \(second.into)") == 5)
        await #expect(throws: ArchiveError.self) { try await merge(undone(first), by: writer) }
        try await merge(undone(second), by: writer)
        try await merge(undone(first), by: writer)
        #expect(try await senders() == ["alice_", "bob", "alice", "alice_", "alice"])
        try await writer.close()
        #expect(try await isSound())
    }

    @Test func `a merge that crashed is continued and can be undone`() async throws {
        let (writer, session, request) = try await people()
        _ = try await writer.append(
            (0..<700).map { .said("more \($0)", at: 100 + $0, by: "alice_", in: session) })
        try await merge(request, by: writer, steps: 2)
        try await writer.close()
        let again = try await fixture.openWriter()
        #expect(try await merge(request, by: again).messages == 202)
        #expect(try fixture.value("SELECT count(*) FROM message WHERE sender_id = \(request.from)") == 0)
        try await merge(undone(request), by: again, steps: 2)
        try await merge(undone(request), by: again)
        #expect(try fixture.value("SELECT count(*) FROM message WHERE sender_id = \(request.from)") == 702)
        try await again.close()
        #expect(try await isSound())
    }

    @Test func `an impossible merge gives its reason and changes nothing`() async throws {
        let (writer, _, request) = try await people()
        try await merge(request, by: writer)
        for wrong in [
            request, Merging(.people, from: try user("bob"), into: request.from), Merging(.people, from: 2, into: 2),
            Merging(.people, from: 99, into: 1), Merging(.rooms, from: 1, into: 99, undoes: true),
        ] {
            let error = try await #require(throws: ArchiveError.self) { try await merge(wrong, by: writer) }
            #expect(error.code == .merge)
        }
        #expect(try fixture.value("SELECT count(*) FROM merge") == 1)
        try await writer.close()
    }

    @Test func `after compact, a merge is final`() async throws {
        let (writer, _, request) = try await people()
        try await merge(request, by: writer)
        try await writer.close()
        _ = try fixture.archive.compact(account: "demo")
        #expect(try fixture.archive.reading().merging.merges(of: "demo").map(\.canBeUndone) == [false])
        let again = try await fixture.openWriter()
        await #expect(throws: ArchiveError.self) { try await merge(undone(request), by: again) }
        let session = try await again.openSession(at: at(2_000_000))
        _ = try await again.append([.said("six", at: 2_000_010, by: "alice_", in: session)])
        #expect(
            try fixture.value("SELECT sender_id FROM message WHERE body = 'six'", generation: 2) == request.into)
        try await again.close()
    }

    @Test func `forgetting a person forgets what was merged into them`() async throws {
        let (writer, _, request) = try await people()
        try await merge(request, by: writer)
        var place: ForgettingPlace?
        repeat {
            let forgetting = Forgetting(.user(request.into), redacts: false)
            place = try await writer.retention.forget(forgetting, from: place, at: at(90)).next
        } while place != nil
        try await writer.close()
        let rows = try fixture.rows().joined()
        #expect(!rows.contains("alice"))
    }

    // MARK: Proposals

    @Test(arguments: [("alice[m]", "alice{m}"), ("ALICE^", "alice~")])
    func `a merge is proposed for one name with two keys, not for two names`(name: String, other: String) async throws {
        let account = AccountIdentity(name: "net", network: "irc")
        let writer = try await fixture.archive.openWriter(account)
        let session = try await writer.openSession()
        func said(_ key: String, _ name: String, _ offset: Int64) -> ChatEvent {
            .message(
                IncomingMessage(
                    session: session, room: ArchiveFixture.lobby, kind: .message,
                    sender: UserReference(key: key, name: name), body: "hi", receivedAt: at(offset)))
        }
        _ = try await writer.append([said(name.lowercased(), name, 10), said(other, other, 20)])
        #expect(try await writer.namesakes().isEmpty)
        _ = try await writer.append([said(other, name, 30), said("dan", "dan", 40)])
        #expect(try await writer.namesakes().map(\.name) == [name])
        let status = try fixture.archive.reading().status().first { $0.account == "net" }
        #expect(status?.lastError?.contains("archive merge") == true)
        try await writer.close()
    }
}
