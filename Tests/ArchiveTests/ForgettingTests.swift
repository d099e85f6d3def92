import ChatModel
import Foundation
import SQLite
import SearchText
import TestSupport
import Testing

@testable import Accounts
@testable import Archive
@testable import Checks
@testable import Moves
@testable import Reading
@testable import Records
@testable import Writing

/// What is forgotten leaves no trace, and does not come back.
struct ForgettingTests {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    func at(_ seconds: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: seconds * 1_000_000)
    }

    func message(
        _ body: String, _ second: Int64, by name: String, in session: SessionID, edited: String? = nil,
        files: [String] = []
    ) -> [ChatEvent] {
        let message = IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: .message, sender: UserReference(key: name, name: name),
            body: body, remoteID: "m\(second)", sourceTime: at(second), receivedAt: at(second), attachments: files,
            raw: Array("RAW \(name) \(body)".utf8))
        var edit = message
        (edit.body, edit.editedAt) = (edited, at(second + 1))
        return [.message(message)] + (edited == nil ? [] : [.message(edit, .edit)])
    }

    private func reaction(_ text: String, to second: Int64, by name: String) -> ChatEvent {
        .reaction(
            IncomingReaction(
                session: nil, room: ArchiveFixture.lobby, target: "m\(second)",
                sender: UserReference(key: name, name: name), text: text, receivedAt: at(second + 9), isRemoved: false))
    }

    /// Texts that only the forgotten person has said.
    static let canaries = ["canarywort", "zephyrquill", "카나리아새", "金絲雀鳥", "editedquux"]

    /// Stores 500 messages of others, and some of mallory, who has two names.
    func fill() async throws -> AccountWriter {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        for second in Int64(0)..<500 {
            var events = message("usual words 평범한 말 \(second)", second * 10, by: "alice", in: session)
            if second % 50 == 7 {
                events += message(
                    "canarywort zephyrquill \(second) 카나리아새 金絲雀鳥", second * 10 + 1, by: "mallory", in: session,
                    edited: second == 57 ? "editedquux \(second)" : nil, files: ["/files/mallorysecret\(second)"])
                events.append(reaction("👍", to: second * 10, by: "mallory"))
                events.append(reaction("🎉", to: second * 10 + 1, by: "alice"))
            }
            _ = try await writer.append(events)
        }
        _ = try await writer.append([
            .userRenamed(
                session: session, fromKey: "mallory", to: UserReference(key: "malloryalias", name: "malloryalias"),
                at: at(9000))
        ])
        return writer
    }

    func user(_ name: String) throws -> Int64 {
        try #require(try fixture.value("SELECT user_id FROM user_name WHERE name = '\(name)'"))
    }

    @discardableResult
    func forget(
        _ subject: Forgetting.Subject, redacts: Bool = false, alsoNew: Bool = false, by writer: AccountWriter
    ) async throws -> ForgettingProgress {
        var sum = ForgettingProgress()
        var place: ForgettingPlace?
        repeat {
            let step = try await writer.retention.forget(
                Forgetting(subject, redacts: redacts, alsoNew: alsoNew), from: place, at: at(10_000))
            sum.messages += step.messages
            sum.events += step.events
            sum.held += step.held
            sum.isClean = step.isClean
            place = step.next
        } while place != nil
        return sum
    }

    func traces(of texts: [String] = canaries + ["mallory", "malloryalias"]) throws -> [String] {
        try fixture.traces(of: texts)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `forgetting a person leaves no trace in any file`() async throws {
        let writer = try await fill()
        #expect(try !traces().isEmpty)
        let progress = try await forget(.user(user("mallory")), by: writer)
        #expect(progress.messages == 10 && progress.held == 0 && progress.isClean)
        #expect(try traces() == [], "while the writer has the file open")
        try await writer.close()
        #expect(try traces() == [])
        #expect(try fixture.value("SELECT count(*) FROM message") == 500)
        #expect(try fixture.value("SELECT count(*) FROM user_name") == 1)
        #expect(try fixture.value("SELECT count(*) FROM reaction") == 0)
        #expect(try fixture.value("SELECT count(*) FROM file") == 0)
        #expect(try fixture.value("SELECT count(*) FROM membership") == 1)
        let problems = try fixture.archive.check().flatMap(\.problems)
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a redacted message keeps its place without author and text`() async throws {
        let writer = try await fill()
        try await forget(.user(user("malloryalias")), redacts: true, by: writer)
        try await writer.close()
        #expect(try traces() == [])
        let page = try await fixture.walk(.oldest, limit: 1000, query: try fixture.query())
        let redacted = page.filter { $0.flags.contains(.wiped) }
        #expect(page.count == 510 && redacted.count == 10)
        #expect(redacted.allSatisfy { $0.body == nil && $0.deletedAt != nil && $0.attachments.isEmpty })
        #expect(Set(redacted.map { $0.sender?.name }) == ["(forgotten)"])
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `joins and leaves are counted apart from messages, including those under a hold`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("", at: 10, by: "mallory", in: session, kind: .join), .said("hi", at: 20, by: "mallory", in: session),
            .said("", at: 30, by: "mallory", in: session, kind: .leave),
            .said("", at: 40, by: "mallory", in: session, kind: .join),
            .said("there", at: 50, by: "mallory", in: session),
        ])
        let end = ArchiveFixture.day.advanced(byMicroseconds: 25)
        let hold = Hold(name: "case", end: end, setAt: at(9000))
        try await writer.retention.setHold(hold)
        let reading = fixture.archive.reading()
        let counts = try reading.retention.counts(of: hold, in: "demo")
        #expect(counts.messages == 1 && counts.events == 1)
        let plan = try reading.retention.forgettingPlan(of: "demo", .user(user("mallory")))
        #expect(plan.messages == 1 && plan.events == 2 && plan.held == 1 && plan.heldEvents == 1)
        let progress = try await forget(.user(user("mallory")), by: writer)
        #expect(progress.messages == 1 && progress.events == 2 && progress.held == 2)
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `one message is forgotten, and its author stays`() async throws {
        let writer = try await fill()
        let id: Int64 = try #require(try fixture.value("SELECT id FROM message WHERE body LIKE 'editedquux%'"))
        let progress = try await forget(.message(MessageID(microseconds: id)), by: writer)
        #expect(progress.messages == 1)
        try await writer.close()
        #expect(try traces(of: ["editedquux"]) == [])
        #expect(try fixture.value("SELECT count(*) FROM message") == 509)
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a hold keeps its messages, and the plan says so`() async throws {
        let writer = try await fill()
        try await writer.retention.setHold(Hold(name: "case", start: at(500), end: at(600), setAt: at(9000)))
        let plan = try fixture.archive.reading().retention.forgettingPlan(of: "demo", .user(user("mallory")))
        #expect(plan.messages == 9 && plan.held == 1 && plan.holds == ["case"])
        let progress = try await forget(.user(user("mallory")), by: writer)
        #expect(progress.messages == 9 && progress.held == 1)
        try await writer.close()
        let left = try await fixture.walk(.oldest, limit: 1000, query: try fixture.query())
        #expect(left.filter { $0.sender?.name == "mallory" }.map(\.body) == ["editedquux 57"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `forgetting covers others' kicks, modes and invitations of the person, and server lines`() async throws {
        let writer = try await fill()
        let session = try await writer.openSession(at: at(9100))
        func system(_ kind: MessageKind, _ body: String, _ second: Int64) -> ChatEvent {
            .message(
                IncomingMessage(
                    session: session, room: ArchiveFixture.lobby, kind: kind,
                    sender: UserReference(key: "alice", name: "alice"), body: body, remoteID: "s\(second)",
                    sourceTime: at(second), receivedAt: at(second)))
        }
        _ = try await writer.append([
            system(.kick, "Mallory: go away", 9101), system(.mode, "+b malloryalias!*@*", 9102),
            system(.invite, "malloryalias", 9103), system(.kick, "carol: no", 9104), system(.mode, "+o bob", 9105),
            .sessionEnded(
                session: session, at: at(9106), reason: .closed, detail: "Closing Link: malloryalias (Killed)"),
        ])
        let progress = try await forget(.user(user("mallory")), by: writer)
        #expect(progress.messages == 12 && progress.events == 1)
        try await writer.close()
        #expect(try fixture.value("SELECT group_concat(body, ', ') FROM message WHERE kind > 1") == "carol: no, +o bob")
        #expect(try traces(of: ["malloryalias", "Mallory"]) == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `forgetting removes words from an index of an earlier version`() async throws {
        var writer = try await fill()
        try await writer.close()
        let queue = try DatabaseQueue(path: try fixture.file())
        try queue.write { db in try db.execute(sql: "UPDATE search_index SET analyser = analyser + 1") }
        try queue.close()
        writer = try await fixture.openWriter()
        try await forget(.user(user("mallory")), by: writer)
        try await writer.close()
        #expect(try traces() == [])
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a plan names only the holds that keep a message`() async throws {
        let writer = try await fill()
        try await writer.retention.setHold(Hold(name: "early", end: at(10), setAt: at(9000)))
        try await writer.retention.setHold(Hold(name: "middle", start: at(500), end: at(600), setAt: at(9000)))
        let plan = try fixture.archive.reading().retention.forgettingPlan(of: "demo", .user(user("mallory")))
        #expect(plan.holds == ["middle"])
        try await writer.close()
    }

    @Test func `the journal keeps its offsets and gets spaces in place of the message`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let texts = ["alice::hello", "mallory::canarywort", "alice::bye"]
        var offset: Int64 = 0
        for (place, text) in texts.enumerated() {
            let bytes = Array((text + "\n").utf8)
            let name = String(text.prefix { $0 != ":" })
            _ = try await writer.append([
                .chunk(
                    JournalChunk(session: session, offset: offset, receivedAt: at(Int64(place + 1)), bytes: bytes)),
                .message(
                    IncomingMessage(
                        session: session, room: ArchiveFixture.lobby, kind: .message,
                        sender: UserReference(key: name, name: name), body: String(text.suffix(5)),
                        remoteID: "\(session.rawValue):\(offset)", sourceTime: nil, receivedAt: at(Int64(place + 1)))),
                .parsed(session: session, upTo: offset + Int64(bytes.count)),
            ])
            offset += Int64(bytes.count)
        }
        try await forget(.user(user("mallory")), by: writer)
        try await writer.close()
        #expect(
            try fixture.value("SELECT group_concat(CAST(bytes AS TEXT), '') FROM chunk")
                == "alice::hello\n" + String(repeating: " ", count: 20) + "alice::bye\n")
        #expect(try traces(of: ["canarywort", "mallory"]) == [])
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `followers get the removal of messages`() async throws {
        let writer = try await fill()
        let before = try fixture.archive.reading().feeds.end(of: "demo")
        try await forget(.user(user("mallory")), by: writer)
        try await writer.close()
        var kinds: [FeedChange.Kind] = []
        var feed = fixture.archive.reading().feeds.changes(of: ["demo"], after: before)
        while let changes = try feed.next() { kinds += changes.map(\.kind) }
        #expect(kinds.count { $0 == .forgotten } == 10)
        #expect(kinds.contains(.names))
    }
}
