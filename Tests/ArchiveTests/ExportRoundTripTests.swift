import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Schema
@testable import Writing

/// What is exported and imported again is what it was, row by row.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ExportRoundTripTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func export(_ account: String = "demo") async throws -> [ImportedLine] {
        try await fixture.export(account)
    }

    /// Everything that comes back, without the numbers of one file.
    private func facts(_ account: String) throws -> [String] {
        let person = """
            (SELECT ifnull(key, '') || '=' || (SELECT name || first_seen_us FROM user_name WHERE user_id = user.id
              ORDER BY first_seen_us LIMIT 1) FROM user WHERE user.id = %)
            """
        func user(_ id: String) -> String { person.replacing("%", with: id) }
        let room = "(SELECT key FROM room WHERE room.id = room_id)"
        let until = "ifnull(to_us, (SELECT heard_until_us FROM session WHERE session.id = session_id))"
        let message = SchemaTable.message.columns.filter { $0.use == .exported }.map { column in
            column.name == "room_id" ? room : column.name == "sender_id" ? user("sender_id") : column.name
        }
        let tables = [
            "workspace": "SELECT key FROM workspace",
            "workspace_name": """
            SELECT key, first_seen_us, last_seen_us, name FROM workspace_name JOIN workspace ON id = workspace_id
            """,
            "room": """
            SELECT key, kind, messages, (SELECT key FROM workspace WHERE id = workspace_id), \(user("partner_id")),
              left_at_us, gone_at_us, asked_back_to_us FROM room
            """,
            "room_name": "SELECT \(room), first_seen_us, last_seen_us, name FROM room_name",
            "user": "SELECT \(user("u.id")), is_self FROM user AS u",
            "user_name": "SELECT \(user("user_id")), first_seen_us, last_seen_us, name FROM user_name",
            "user_picture": "SELECT \(user("user_id")), first_seen_us, last_seen_us, path FROM user_picture",
            "workspace_picture": """
            SELECT key, first_seen_us, last_seen_us, path FROM workspace_picture JOIN workspace ON id = workspace_id
            """,
            "room_picture": "SELECT \(room), first_seen_us, last_seen_us, path FROM room_picture",
            "room_description": "SELECT \(room), first_seen_us, last_seen_us, text FROM room_description",
            "room_owner": "SELECT \(room), \(user("user_id")), first_seen_us, last_seen_us FROM room_owner",
            "membership": "SELECT \(room), \(user("user_id")), joined_at_us, left_at_us FROM membership",
            "message": "SELECT \(message.joined(separator: ", ")) FROM message",
            "message_version": "SELECT message_id, at_us, body FROM message_version",
            "reaction": """
            SELECT \(room), remote_id, \(user("user_id")), text, at_us, removed_at_us, own_id FROM reaction
            """,
            "retraction": "SELECT \(room), remote_id, \(user("user_id")), at_us, reason, wipes FROM retraction",
            "attachment": """
            SELECT message_id, path, ifnull(content.bytes, ifnull(file.bytes, attachment.bytes)), iif(state IN (3, 4), state, 0)
            FROM attachment JOIN file ON file.id = file_id LEFT JOIN content ON content.sha256 = file.sha256
            """,
            "coverage": "SELECT \(room), from_us, max(from_us, \(until)) FROM coverage",
            "imported_span": "SELECT \(room), from_us, to_us FROM imported_span",
            "gap_note": "SELECT \(room), from_us, reason, attempts, unfilled, detail FROM gap_note",
            "read_marker": "SELECT \(room), through_us, set_at_us FROM read_marker",
            "failure": "SELECT \(room), remote_id, payload, reason, first_at_us, last_at_us, count FROM failure",
        ]
        let queue = try DatabaseQueue(path: try fixture.file(of: account))
        defer { try? queue.close() }
        return try queue.read { db in
            try tables.sorted { $0.key < $1.key }.flatMap { table, sql in
                try db.all(sql: sql) { "\(table) \($0.values)" }.sorted()
            }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<12)
    func `an exported random archive is imported unchanged, once`(seed: Int) async throws {
        var script = RandomArchive(seed: UInt64(seed))
        let writer = try await fixture.archive.openWriter(ArchiveFixture.account)
        try await script.write(to: writer)
        try await writer.close()
        let isLive = seed.isMultiple(of: 3)
        // The next writer ends what the last one left open.
        if !isLive { try await fixture.openWriter().close() }
        let before = try facts("demo")
        let lines = try await export()
        let count = lines.count { if case .message = $0 { true } else { false } }
        let records = lines.count - count
        let copy = AccountIdentity(name: "old", network: "streamchat")
        let tally = try await fixture.store(lines, into: copy, batch: seed.isMultiple(of: 2) ? 37 : 1000)
        #expect(tally == ImportTally(new: count, records: records, newRecords: tally.newRecords))
        #expect(tally.newRecords > records / 2)
        let after = try facts("old")
        #expect(after.filter { !before.contains($0) } == [])
        #expect(before.filter { !after.contains($0) } == [])
        #expect(try fixture.archive.check(accounts: ["demo", "old"]).flatMap(\.problems) == [])

        let rows = try fixture.rows("old")
        let known = ImportTally(known: count, records: records)
        let rehearsed = try await fixture.archive.rehearseImport(into: "old").add(lines)
        #expect(rehearsed == known)
        let again = try await fixture.store(lines, into: copy)
        #expect(again == known)
        #expect(try fixture.rows("old") == rows, "again writes nothing")
        guard !isLive else { return }
        let own = try await fixture.store(lines, into: ArchiveFixture.account)
        #expect(own == known)
        #expect(try facts("demo") == before, "nor does the archive that it is of")
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: 0..<8)
    func `importing a continued export adds what is new and what changed`(seed: Int) async throws {
        var script = RandomArchive(seed: UInt64(1000 + seed))
        let writer = try await fixture.archive.openWriter(ArchiveFixture.account)
        try await script.write(to: writer, rounds: 40)
        let copy = AccountIdentity(name: "old", network: "streamchat")
        _ = try await fixture.store(try await export(), into: copy)
        try await script.write(to: writer, rounds: 40)
        try await writer.close()
        let lines = try await export()
        let rehearsed = try await fixture.archive.rehearseImport(into: "old").add(lines)
        var stored = try await fixture.store(lines, into: copy)
        // One record may bring what another one tells too: each is rehearsed by itself.
        #expect((stored.newRecords...stored.newRecords + 2).contains(rehearsed.newRecords))
        stored.newRecords = rehearsed.newRecords
        #expect(stored == rehearsed)
        let (before, after) = (try facts("demo"), try facts("old"))
        func isMessage(_ fact: String) -> Bool {
            ["message", "reaction", "attachment", "retraction", "failure"].contains { fact.hasPrefix($0) }
        }
        #expect(before.filter { isMessage($0) && !after.contains($0) } == [])
        #expect(after.filter { isMessage($0) && !before.contains($0) } == [])
        #expect(try fixture.archive.check(accounts: ["old"]).flatMap(\.problems) == [])
    }
}

extension ExportRoundTripTests {
    private static let example = RoomReference(key: "#example", name: "#example", kind: .channel)

    /// Stores six messages, alternately in the lobby and in another room, and marks all as read.
    private func storeReadRooms() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        let events = (1...6).map { number in
            ChatEvent.said(
                "text \(number)", at: Int64(number) * 10, in: session,
                room: number.isMultiple(of: 2) ? Self.example : ArchiveFixture.lobby)
        }
        _ = try await writer.append(events)
        try await writer.markRead(rooms: [1, 2], through: nil, at: ArchiveFixture.at(60))
        try await writer.close()
        #expect(try fixture.archive.reading().unread(accounts: ["demo"]).map(\.unread) == [0, 0])
    }

    /// Returns the records, then the messages of one room, and then those of the other, as in the files of an export.
    private func byRoom(_ lines: [ImportedLine], isReversed: Bool) -> [ImportedLine] {
        let lobby = lines.filter { $0.roomKey == ArchiveFixture.lobby.key }
        let example = lines.filter { $0.roomKey == Self.example.key }
        return lines.filter { $0.roomKey == nil } + (isReversed ? example + lobby : lobby + example)
    }

    /// - Parameter missing: The number of messages that an interrupted import before has not stored.
    @Test(.disabled(if: QuickCheck.isRunning), arguments: [false, true], [6, 4, 1])
    func `rooms stay read after an import, in any order and after an interruption`(
        isReversed: Bool, missing: Int
    ) async throws {
        try await storeReadRooms()
        let lines = byRoom(try await export(), isReversed: isReversed)
        let copy = AccountIdentity(name: "old", network: "streamchat")
        _ = try await fixture.store(Array(lines.dropLast(missing)), into: copy, batch: 2)
        let tally = try await fixture.store(lines, into: copy, batch: 2)
        #expect(tally.new == missing)
        let rooms = try fixture.archive.reading().unread(accounts: ["old"])
        #expect(rooms.map(\.unread) == [0, 0])
        #expect(rooms.map(\.late) == [0, 0])
        #expect(try facts("old") == facts("demo"))
        #expect(try fixture.archive.check(accounts: ["old"]).flatMap(\.problems) == [])
    }

    @Test func `a late live message during an import of an export is unread`() async throws {
        try await storeReadRooms()
        let lines = byRoom(try await export(), isReversed: false)
        let writer = try await fixture.openWriter("old")
        let half = lines.count - 3
        _ = try await writer.importLines(Array(lines[..<half]), at: ArchiveFixture.importTime)
        let session = try await writer.openSession(at: ArchiveFixture.at(200))
        let late = ChatEvent.said(
            "late", at: 201_000_000, in: session, remoteID: "x",
            sourceTime: ArchiveFixture.day.advanced(byMicroseconds: 15))
        _ = try await writer.append([late])
        _ = try await writer.importLines(Array(lines[half...]), at: ArchiveFixture.importTime)
        try await writer.close()
        let rooms = try fixture.archive.reading().unread(accounts: ["old"])
        let counts = Dictionary(uniqueKeysWithValues: rooms.map { ($0.room, [$0.unread, $0.late]) })
        #expect(counts == ["lobby": [1, 1], "#example": [0, 0]])
    }

    /// Stores people who occur in different ways, "alice" and "hidden" in the lobby alone, and "me" for the account.
    private func storePeople() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .roomLive(session: session, room: Self.example, at: ArchiveFixture.day),
            .said("hi", at: 10, in: session), .said("", at: 11, by: "hidden", in: session, kind: .join),
            .said("안녕", at: 20, by: "bob", in: session, room: Self.example),
            .said("", at: 30, by: "carol", in: session, kind: .join, room: Self.example),
            .reaction(
                IncomingReaction(
                    session: session, room: Self.example, target: "unknown",
                    sender: UserReference(key: "dave", name: "dave"), text: "👍", receivedAt: ArchiveFixture.at(1))),
            .message(
                IncomingMessage(
                    session: session, room: ArchiveFixture.lobby, kind: .message,
                    sender: UserReference(key: "me", name: "me", isSelf: true), body: "here", remoteID: nil,
                    sourceTime: nil, receivedAt: ArchiveFixture.at(2))),
            .unreadable(
                UnreadableEvent(
                    session: session, room: nil, remoteID: nil, receivedAt: ArchiveFixture.at(3), payload: [0xFF],
                    reason: "no text")),
        ])
        try await writer.markRead(rooms: [1, 2], through: nil, at: ArchiveFixture.at(60))
        try await writer.close()
    }

    @Test(arguments: ["matrix", "xmpp"])
    func `people who got the same name at the same time stay two people`(network: String) async throws {
        let names = [NameSpan(name: "민수", firstSeen: ArchiveFixture.day, lastSeen: nil)]
        let people = ["one@example.org", "two@example.org"].map { key in
            ImportedLine.record(.user(UserRecord(key: key, isSelf: false, names: names)))
        }
        let account = AccountIdentity(name: "old", network: network)
        #expect(try await fixture.store(people, into: account) == ImportTally(records: 2, newRecords: 2))
        let users = try facts("old").filter { $0.hasPrefix("user ") }
        #expect(users.count == 2)
        #expect(try await fixture.store(people, into: account) == ImportTally(records: 2))
        #expect(try await fixture.archive.rehearseImport(into: "old").add(people) == ImportTally(records: 2))
        #expect(try facts("old").filter { $0.hasPrefix("user ") } == users)
    }

    @Test func `an export of some rooms has only them, their people and the account`() async throws {
        try await storePeople()
        let export = try AccountExport(of: "demo", in: fixture.archive.reading())
        var (all, selected) = ([ArchiveRecord](), [ArchiveRecord]())
        try export.records { all += $0 }
        try export.records(rooms: [2]) { selected += $0 }
        let common = all.filter { selected.contains($0) }
        #expect(common == selected, "nothing else, in the same order")
        let users = selected.compactMap { record -> String? in
            if case .user(let user) = record { user.key } else { nil }
        }
        #expect(users.sorted() == ["bob", "carol", "dave", "me"])
        let kinds = Set(selected.map(\.kind))
        let expected: Set<ArchiveRecord.Kind> = [
            .account, .user, .room, .membership, .coverage, .readMarker, .reaction,
        ]
        #expect(expected.subtracting(kinds).isEmpty)
        #expect(all.contains { $0.kind == .failure } && !kinds.contains(.failure), "nobody knows its room")
        let text = try selected.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }.joined()
        for word in ["lobby", "alice", "hidden"] { #expect(!text.contains(word)) }
        #expect(!text.contains(#""room_key":"""#), "the lobby's key is empty")
    }
}

extension ImportedLine {
    /// The key of an exported message's room; nil for a record.
    fileprivate var roomKey: String? {
        if case .message(let message) = self { message.exact?.roomKey } else { nil }
    }
}
