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
@testable import Writing

/// Rules remove what is too old, and say so.
struct RetentionTests {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    /// An instant some seconds after the day began.
    func at(_ seconds: Int64) -> Timestamp {
        ArchiveFixture.day.advanced(byMicroseconds: seconds * 1_000_000)
    }

    private let bots = RoomReference(key: "#bots", name: "#Bots", kind: .channel)

    /// Stores a message for each second, and returns the writer.
    func fill(
        _ seconds: Range<Int64>, rooms: [RoomReference] = [ArchiveFixture.lobby], kind: MessageKind = .message
    ) async throws -> AccountWriter {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        for room in rooms {
            _ = try await writer.append(
                seconds.map { second in
                    .said(
                        "said \(second)", at: second * 1_000_000, in: session, kind: kind, room: room,
                        remoteID: "\(kind)-\(second)", sourceTime: at(second))
                })
        }
        return writer
    }

    func bodies(room: Int64? = 1) async throws -> [String] {
        try await fixture.walk(.oldest, limit: 1000, query: try fixture.query(room: room)).map { $0.body ?? "" }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `messages are removed at their age, oldest first, and newer ones stay`() async throws {
        let writer = try await fill(0..<1000)
        #expect(try await writer.apply(.keeping([.messages: .seconds(300)]), at: at(1000)) == [.messages: 700])
        try await writer.close()
        #expect(try await bodies() == (700..<1000).map { "said \($0)" })
        #expect(try fixture.value("SELECT messages FROM room") == 300)
        #expect(try fixture.value("SELECT messages FROM sender_count") == 300)
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    @Test func `a second run removes nothing, and a later one what became too old`() async throws {
        let writer = try await fill(0..<100)
        let rules = RetentionRules.keeping([.messages: .seconds(50)])
        #expect(try await writer.apply(rules, at: at(100)) == [.messages: 50])
        #expect(try await writer.apply(rules, at: at(100)).isEmpty)
        #expect(try await writer.apply(rules, at: at(110)) == [.messages: 10])
        try await writer.close()
        let log = try fixture.archive.reading().retention.log()
        #expect(log.map(\.count) == [60], "one row for a day")
        #expect(log.first?.first == at(0) && log.first?.last == at(59))
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a message is removed with all its parts`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        for second in [Int64(1), 500] {
            let id = "m\(second)"
            var message = IncomingMessage(
                session: session, room: ArchiveFixture.lobby, kind: .message,
                sender: UserReference(key: "alice", name: "alice"), body: "secret\(second) 비밀", remoteID: id,
                sourceTime: at(second), receivedAt: at(second), raw: Array("raw secret".utf8))
            message.attachments = ["/files/\(second)"]
            var edit = message
            (edit.body, edit.editedAt) = ("edited\(second)", at(second + 1))
            _ = try await writer.append([
                .message(message), .message(edit, .edit),
                .reaction(
                    IncomingReaction(
                        session: nil, room: ArchiveFixture.lobby, target: id,
                        sender: UserReference(key: "bob", name: "bob"), text: "👍", receivedAt: at(second + 2),
                        isRemoved: false)),
            ])
        }
        let tables = ["message", "message_version", "message_raw", "reaction", "attachment", "file"]
        for table in tables { #expect(try fixture.value("SELECT count(*) FROM \(table)") ?? 0 >= 2, "\(table)") }
        try await writer.apply(.keeping([.messages: .seconds(100)]), at: at(600))
        try await writer.close()
        for table in tables {
            let left: Int? = try fixture.value("SELECT count(*) FROM \(table)")
            #expect(left == (table == "message_raw" ? 2 : 1), "\(table)")
        }
        #expect(try await search("edited1").isEmpty)
        #expect(try await search("edited500").count == 1)
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }

    private func search(_ text: String) async throws -> [Message] {
        let scope = SearchScope(query: SearchQuery(parsing: text))
        return try fixture.archive.reading().page(try fixture.query(room: nil), matching: scope).messages
    }

    @Test func `a rule can remove joins earlier, else they are removed with messages`() async throws {
        let writer = try await fill(0..<100)
        let session = try await writer.openSession(at: at(200))
        _ = try await writer.append(
            (0..<100).map { .said("", at: $0 * 1_000_000 + 7, in: session, kind: .join, sourceTime: nil) })
        var rules = RetentionRules.keeping([.joins: .seconds(20)])
        #expect(try await writer.apply(rules, at: at(100)) == [.joins: 80])
        rules = .keeping([.messages: .seconds(10)])
        #expect(try await writer.apply(rules, at: at(100)) == [.messages: 90, .joins: 10])
        try await writer.close()
    }

    @Test func `the first table that matches a room decides`() async throws {
        let writer = try await fill(0..<100, rooms: [ArchiveFixture.lobby, bots])
        let rules = RetentionRules(tables: [
            .keeping([.messages: .seconds(10)], rooms: ["#b*"]),
            .keeping([.messages: Duration?.none], rooms: ["lob?y"]),
            .keeping([.messages: .seconds(50)]),
        ])
        #expect(try await writer.apply(rules, at: at(100)) == [.messages: 90])
        try await writer.close()
        #expect(try await bodies().count == 100)
        #expect(try await bodies(room: 2).count == 10)
    }

    @Test func `no rule removes messages below the floor`() async throws {
        let writer = try await fill(0..<100)
        let rules = RetentionRules(tables: [
            .keeping([.messages: .seconds(1)], minMessages: 10), .keeping([:], minMessages: 30),
        ])
        #expect(try await writer.apply(rules, at: at(1000)) == [.messages: 70])
        #expect(try await writer.apply(rules, at: at(9000)).isEmpty)
        try await writer.close()
    }

    @Test func `a room with fewer messages than the floor keeps all`() async throws {
        let writer = try await fill(0..<5)
        #expect(try await writer.apply(.keeping([.messages: .seconds(1)], minMessages: 6), at: at(1000)).isEmpty)
        try await writer.close()
    }

    @Test func `a hold wins over every rule until it is removed`() async throws {
        let writer = try await fill(0..<100, rooms: [ArchiveFixture.lobby, bots])
        try await writer.retention.setHold(Hold(name: "case", room: 1, start: at(20), end: at(40), setAt: at(100)))
        try await writer.retention.setHold(Hold(name: "bots", room: 2, reason: "audit", setAt: at(100)))
        let rules = RetentionRules.keeping([.messages: .seconds(10)])
        #expect(try await writer.apply(rules, at: at(100)) == [.messages: 70])
        #expect(try fixture.archive.reading().retention.holds().map(\.hold.name) == ["bots", "case"])
        #expect(try fixture.archive.reading().retention.holds().map(\.room) == ["#Bots", "lobby"])
        #expect(try await bodies() == ((20..<40).map { $0 } + (90..<100)).map { "said \($0)" })
        #expect(try await writer.retention.removeHold(named: "case"))
        #expect(try await !writer.retention.removeHold(named: "case"))
        #expect(try await writer.apply(rules, at: at(100)) == [.messages: 20])
        try await writer.close()
    }

    @Test func `pages and searches show what a rule removed as a gap, and the list of gaps doesn't`() async throws {
        let writer = try await fill(0..<100)
        try await writer.apply(.keeping([.messages: .seconds(50)]), at: at(100))
        try await writer.close()
        let reading = fixture.archive.reading()
        let page = try reading.page(try fixture.query(.oldest, limit: 10))
        let shown = try #require(page.gaps.first { $0.state == .purged })
        #expect(shown.from == at(0) && shown.to == at(49) && shown.room == "lobby")
        #expect(shown.purge?.count == 50 && shown.purge?.rule.text == "max_age = \"50s\"")
        #expect(shown.purge?.at == at(100))
        let latest = try reading.page(try fixture.query(.latest, limit: 10))
        #expect(!latest.gaps.contains { $0.state == .purged }, "it is not in the time of that page")
        let hits = try reading.page(
            try fixture.query(.latest, room: nil), matching: SearchScope(query: SearchQuery(parsing: "said")))
        #expect(hits.gaps.contains { $0.state == .purged })
        #expect(try !reading.gaps(scope: .accounts(["demo"])).contains { $0.state == .purged })
    }

    @Test func `a room's removal names no other room, and the ledger has the whole rule`() async throws {
        let writer = try await fill(0..<100, rooms: [ArchiveFixture.lobby, bots])
        for (rooms, now) in [(["lobby", "#secret"], Int64(60)), (["lobby"], 80)] {
            let rules = RetentionRules(tables: [.keeping([.messages: .seconds(50)], rooms: rooms)])
            try await writer.apply(rules, at: at(now))
        }
        try await writer.close()
        let reading = fixture.archive.reading()
        let page = try reading.page(try fixture.query(.oldest, limit: 10))
        let shown = page.gaps.compactMap(\.purge)
        #expect(shown.map(\.rule.text) == ["max_age = \"50s\""])
        #expect(shown.map(\.count) == [30])
        let ledger = try reading.retention.log(accounts: ["demo"]).map(\.rule.text)
        #expect(ledger == ["max_age = \"50s\" for lobby", "max_age = \"50s\" for lobby, #secret"])
    }

    @Test func `a plan lists what each rule will remove`() async throws {
        let writer = try await fill(0..<100, rooms: [ArchiveFixture.lobby, bots])
        let rules = RetentionRules(tables: [
            .keeping([.messages: .seconds(10)], rooms: ["#b*"]), .keeping([.messages: .seconds(95)]),
        ])
        let plan = try fixture.archive.reading().retention.plan(of: "demo", rules, at: at(100))
        #expect(plan.purges.map(\.count) == [5, 90])
        #expect(plan.purges.map(\.room) == ["lobby", "#Bots"])
        #expect(plan.purges.map(\.rule.text) == ["max_age = \"95s\"", "max_age = \"10s\" for #b*"])
        #expect(plan.purges.first?.first == at(0) && plan.purges.first?.last == at(4))
        #expect(plan.messages == 200)
        let removed = try await writer.apply(rules, at: at(100))
        #expect(removed == [.messages: 95])
        try await writer.close()
    }

    @Test func `a new rule that would remove more than a tenth waits until it is applied once`() async throws {
        let writer = try await fill(0..<100)
        let rules = RetentionRules.keeping([.messages: .seconds(50)])
        var plan = try fixture.archive.reading().retention.plan(of: "demo", rules, at: at(100))
        #expect(plan.waiting == ["max_age = \"50s\""])
        var careful = rules
        careful.waiting = Set(plan.waiting)
        #expect(try await writer.apply(careful, at: at(100)).isEmpty)
        plan = try fixture.archive.reading().retention.plan(of: "demo", rules, at: at(60))
        #expect(plan.waiting == [], "a tenth is not more than a tenth")
        try await writer.apply(rules, at: at(60))
        plan = try fixture.archive.reading().retention.plan(of: "demo", rules, at: at(100))
        #expect(plan.waiting == [], "it is not new any more")
        try await writer.close()
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a step blocks the writer briefly and continues the last step`() async throws {
        let writer = try await fill(0..<5000)
        let rules = RetentionRules.keeping([.messages: .seconds(1)])
        let first = try await writer.retention.purge(rules, at: at(9000))
        #expect((1..<5000).contains(first.removed[.messages] ?? 0))
        let rest = try await writer.apply(rules, at: at(9000))
        #expect((first.removed[.messages] ?? 0) + (rest[.messages] ?? 0) == 5000)
        try await writer.close()
    }

    @Test func `ids of removed messages are not reused`() async throws {
        let writer = try await fill(0..<10)
        try await writer.apply(.keeping([.messages: .seconds(1)]), at: at(9000))
        try await writer.removeLedger()
        try fixture.archive.dataFolder.catalog.write { db in try db.execute(sql: "DELETE FROM purged") }
        try await writer.close()
        let again = try await fill(0..<10, kind: .notice)
        try await again.close()
        #expect(try fixture.value("SELECT min(id) FROM message") == at(0).microseconds + 1)
    }

    @Test func `no file has the words of removed messages`() async throws {
        let writer = try await fill(0..<300)
        let session = try await writer.openSession(at: at(400))
        _ = try await writer.append([.said("canarywort 카나리아", at: 1, in: session)])
        try await writer.apply(.keeping([.messages: .seconds(100)]), at: at(400))
        try await writer.close()
        #expect(try fixture.value("SELECT count(*) FROM message_search('canarywort')") == 0)
        let file = try Data(contentsOf: URL(fileURLWithPath: try fixture.file()))
        #expect(!file.contains(Data("canarywort 카나리아".utf8)))
    }
}

extension AccountWriter {
    /// Removes the ledger, so that messages of the removed time are stored.
    fileprivate func removeLedger() async throws { try await write { db in try db.execute(sql: "DELETE FROM purge") } }
}
