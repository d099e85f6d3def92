import ChatModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Archive

/// Damage to a file, and what a rescue brings back.
@Suite struct RescueTests {
    private let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    private var target: Archive { Archive(folder: fixture.folder.path + "/rescued") }

    /// Fills an account until its tables have several pages.
    private func fill(seed: UInt64 = 1, messages: Int = 3000) async throws {
        let writer = try await fixture.openWriter()
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer, rounds: 60)
        let session = try await writer.openSession(at: ArchiveFixture.day.advanced(byMicroseconds: Self.later))
        for first in stride(from: 0, to: messages, by: 500) {
            _ = try await writer.append(
                (first..<min(first + 500, messages)).map {
                    .said(
                        "메시지 \($0) \(String(repeating: "text ", count: $0 % 40))",
                        at: Self.later + Int64($0 + 1) * 1_000_000, by: "user \($0 % 50)", in: session,
                        remoteID: "r\($0)")
                })
        }
        _ = try await writer.append([
            .said(String(repeating: "long 긴 ", count: 2000), at: Self.later + 9_000_000_000, in: session)
        ])
        try await writer.close()
        try fixture.vacuum("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private static let later: Int64 = 40_000_000_000

    private func rescue() async throws -> RescueReport { try await target.rescue(try fixture.file()) }

    /// Returns all messages of an archive in order.
    private func messages(_ archive: Archive) async throws -> [Message] {
        var (all, cursor) = ([Message](), MessageQuery.Anchor.latest)
        while true {
            let page = try await archive.reading().page(
                MessageQuery(scope: .accounts(["demo"]), anchor: cursor, limit: 1000))
            all = page.messages + all
            guard let older = page.older else { return all }
            cursor = .before(older)
        }
    }

    private func checkRescued(_ comment: Comment? = nil) async throws {
        let check = try #require(try await target.check().first)
        #expect(check.problems == [], comment)
    }

    /// Returns the pages of a tree, by SQLite itself.
    private func pages(of name: String, type: String = "leaf") throws -> [Int] {
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        return try queue.read { db in
            try Int.fetchAll(
                db, sql: "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY path",
                arguments: [name, type])
        }
    }

    private func write(_ bytes: [UInt8], page: Int, at offset: Int = 0) throws {
        let handle = try #require(FileHandle(forWritingAtPath: try fixture.file()))
        try handle.seek(toOffset: UInt64((page - 1) * 4096 + offset))
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    @Test(arguments: UInt64(1)...3)
    func `an intact file is rescued whole`(seed: UInt64) async throws {
        try await fill(seed: seed)
        let before = try await messages(fixture.archive)
        let report = try await rescue()
        #expect(report.losses == [])
        #expect(report.messages == Int64(try await fixture.archive.reading().accountSummaries()[0].messages))
        #expect(try await messages(target) == before)
        #expect(try await target.reading().rooms() == fixture.archive.reading().rooms())
        #expect(
            try await target.reading().gaps(scope: .accounts(["demo"]))
                == fixture.archive.reading().gaps(scope: .accounts(["demo"])))
        try await checkRescued()
    }

    @Test func `messages of a lost page are listed, and leave a gap`() async throws {
        try await fill()
        let before = try await messages(fixture.archive)
        let lost = try pages(of: "message")
        try write([UInt8](repeating: 0, count: 4096), page: lost[lost.count / 2])
        let report = try await rescue()
        let after = try await messages(target)
        let missing = Set(before.map(\.id)).subtracting(after.map(\.id))
        #expect(!missing.isEmpty && missing.count < 200)
        #expect(report.losses.map(\.what) == [.messages])
        #expect(report.losses.map(\.count) == [Int64(missing.count)])
        #expect(report.losses[0].room == "lobby")
        #expect(report.losses[0].from == missing.min().map { Timestamp(microseconds: $0.microseconds) })
        let gaps = try await target.reading().gaps(scope: .accounts(["demo"]))
        for id in missing {
            #expect(
                gaps.contains {
                    $0.from.microseconds < id.microseconds && ($0.to?.microseconds ?? .max) > id.microseconds
                })
        }
        #expect(gaps.contains { $0.reason == "damaged" })
        #expect(Set(after.map(\.id)).subtracting(before.map(\.id)) == [])
        try await checkRescued()
    }

    @Test func `messages that are only in the -wal are rescued, also behind a damaged place in it`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        for number in 0..<200 {
            _ = try await writer.append([
                .said("\(number) " + String(repeating: "글 ", count: 300), at: Int64(number), in: session)
            ])
        }
        let folder = fixture.folder.path + "/copy"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: fixture.file() + ending, toPath: folder + "/1.sqlite" + ending)
        }
        try await writer.close()
        let whole = try await Archive(folder: folder + "/whole").rescue(folder + "/1.sqlite")
        #expect(whole.messages == 200 && whole.losses == [])
        var log = try Data(contentsOf: URL(fileURLWithPath: folder + "/1.sqlite-wal"))
        let place = log.count / 2
        log[place] ^= 0xFF
        try log.write(to: URL(fileURLWithPath: folder + "/1.sqlite-wal"))
        let damaged = try await Archive(folder: folder + "/damaged").rescue(folder + "/1.sqlite")
        #expect(damaged.messages >= 198, "\(damaged.messages)")
    }

    @Test func `a cut compressed file is rescued up to the cut`() async throws {
        try await fill()
        let before = try await messages(fixture.archive).count
        _ = try await fixture.archive.evict(account: "demo", level: 3)
        let cold = try fixture.file() + ".zst"
        let whole = try await target.rescue(cold)
        #expect(whole.messages == Int64(before) && whole.losses == [])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: cold))
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(fileURLWithPath: cold))
        try FileManager.default.removeItem(atPath: target.folder)
        let cut = try await target.rescue(cold)
        #expect((1..<Int64(before)).contains(cut.messages))
        #expect(cut.losses.contains { $0.what == .messages })
        try await checkRescued()
    }

    @Test func `a rescue needs a name, a file that nobody writes, and a folder without the account`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("hi", at: 1, in: session)])
        await #expect(throws: ArchiveError.self) { try await rescue() }
        try await writer.close()
        _ = try await rescue()
        let again = await #expect(throws: ArchiveError.self) { try await rescue() }
        #expect(again?.code == .backup)
        try write([UInt8](repeating: 0, count: 4096), page: try pages(of: "account")[0])
        try FileManager.default.removeItem(atPath: target.folder)
        let nameless = await #expect(throws: ArchiveError.self) { try await rescue() }
        #expect(nameless?.code == .corrupt && nameless?.detail.contains("--account") == true)
        let named = try await target.rescue(
            try fixture.file(), as: AccountIdentity(name: "새 이름", network: "streamchat"))
        #expect(named.account.name == "새 이름" && named.messages == 1)
        try await checkRescued()
        let garbage = fixture.folder.path + "/garbage"
        try Data(repeating: 0x20, count: 100_000).write(to: URL(fileURLWithPath: garbage))
        let nothing = await #expect(throws: ArchiveError.self) { try await target.rescue(garbage) }
        #expect(nothing?.code == .corrupt)
    }

    @Test func `a changed letter is listed with its time, and no message is lost`() async throws {
        try await fill()
        let file = URL(fileURLWithPath: try fixture.file())
        var bytes = try Data(contentsOf: file)
        bytes[try #require(bytes.range(of: Data("메시지 1500 text".utf8))).upperBound - 1] = UInt8(ascii: "T")
        try bytes.write(to: file)
        let report = try await rescue()
        #expect(report.losses.map(\.what) == [.changed])
        let time = ArchiveFixture.day.advanced(byMicroseconds: Self.later + 1501 * 1_000_000)
        #expect(report.losses.allSatisfy { $0.from.map { $0 <= time } ?? false && $0.to.map { $0 >= time } ?? false })
        try await checkRescued()
    }

    @Test(
        arguments: [
            "change SET subject_id", "session SET last_sign_of_life_us", "session SET clock_lead_us",
            "coverage SET from_us", "coverage SET to_us", "message_digest SET block", "digest_reach SET from_block",
            "room_name SET first_seen_us", "user_name SET last_seen_us", "read_marker SET seq", "message SET id",
        ], [Int64.min, -1, .max])
    func `numbers that nobody wrote are no obstacle`(column: String, value: Int64) async throws {
        try await fill(messages: 300)
        let table = try #require(column.split(separator: " ").first)
        try fixture.execute(
            "PRAGMA ignore_check_constraints = ON; UPDATE OR REPLACE \(column) = \(value) WHERE rowid = (SELECT max(rowid) FROM \(table))"
                .replacing("rowid", with: table.hasSuffix("_name") ? "first_seen_us" : "rowid"))
        try fixture.vacuum("PRAGMA wal_checkpoint(TRUNCATE)")
        let leaves = try pages(of: "message")
        try write([UInt8](repeating: 0, count: 4096), page: leaves[leaves.count / 2])
        try write([UInt8](repeating: 0, count: 4096), page: try pages(of: RescueLost.index)[0])
        let report = try await rescue()
        #expect(report.messages > 200)
        #expect(try await target.check().map(\.state) != [.unchecked])
    }

    /// The whole of a damaged file, as it was written before.
    private struct Original {
        var bytes: Data
        /// The rooms of the messages, by their ids.
        var rooms: [MessageID: Int64]
    }

    /// Damages the original file, rescues it, and checks what came back.
    ///
    /// - Returns: The number of messages that are lost.
    @discardableResult
    private func rescueDamaged(
        _ original: Original, _ comment: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ damage: (inout Data) -> Void
    ) async throws -> Int {
        var bytes = original.bytes
        damage(&bytes)
        try FileManager.default.removeItemIfThere(target.folder)
        let path = fixture.folder.path + "/damaged.sqlite"
        try bytes.write(to: URL(fileURLWithPath: path))
        let report = try await target.rescue(path, as: AccountIdentity(name: "demo", network: "streamchat"))
        let after = Set(try await messages(target).map(\.id))
        let before = Set(original.rooms.keys)
        #expect(
            after.subtracting(before) == [], "\(comment): messages that nobody sent", sourceLocation: sourceLocation)
        let lost = before.subtracting(after)
        #expect(
            lost.isEmpty || report.losses.contains { $0.what == .messages }, "\(comment): \(lost.count) lost silently",
            sourceLocation: sourceLocation)
        for id in lost {
            let isCovered = try covered(id, original.rooms[id])
            #expect(!isCovered, "\(comment): \(id) is lost without a gap", sourceLocation: sourceLocation)
        }
        let problems = try await target.check().flatMap(\.problems)
        #expect(problems == [], "\(comment)", sourceLocation: sourceLocation)
        return lost.count
    }

    /// True if the rescued file claims that a room is complete at an instant.
    private func covered(_ id: MessageID, _ room: Int64?) throws -> Bool {
        let folder = try FileManager.default.contentsOfDirectory(atPath: target.folder + "/accounts")
            .first { !$0.hasPrefix(".") }
        let queue = try DatabaseQueue(path: "\(target.folder)/accounts/\(try #require(folder))/1.sqlite")
        defer { try? queue.close() }
        return try queue.read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM coverage JOIN session ON session.id = session_id
                      WHERE room_id = ?1 AND from_us <= ?2 AND ifnull(to_us, heard_until_us) >= ?2)
                    """,
                arguments: [room, id.microseconds]) ?? false
        }
    }

    private func original(messages count: Int = 3000) async throws -> Original {
        try await fill(messages: count)
        let queue = try DatabaseQueue(path: try fixture.file())
        defer { try? queue.close() }
        let rooms = try await queue.read { db in
            try Row.fetchAll(db, sql: "SELECT id, room_id FROM message").map { row in
                (MessageID(microseconds: try row.value(0)), try row.value(1) as Int64)
            }
        }
        return Original(
            bytes: try Data(contentsOf: URL(fileURLWithPath: fixture.file())),
            rooms: Dictionary(rooms, uniquingKeysWith: { first, _ in first }))
    }

    @Test func `a file whose header or first page is lost is rescued whole`() async throws {
        let original = try await original()
        let damages: [(name: String, apply: (inout Data) -> Void)] = [
            ("the header", { $0.replaceSubrange(0..<100, with: Data(count: 100)) }),
            ("the first page", { $0.replaceSubrange(0..<4096, with: Data(count: 4096)) }),
            ("the version", { $0[63] = 3 }),
            ("garbage", { $0.replaceSubrange(0..<4096, with: Data(repeating: 0xA5, count: 4096)) }),
        ]
        for damage in damages {
            #expect(try await rescueDamaged(original, damage.name, damage.apply) == 0, "\(damage.name)")
        }
    }

    @Test func `a lost page of any table or index costs what was on it, and no more`() async throws {
        let original = try await original(messages: 400)
        let queue = try DatabaseQueue(path: try fixture.file())
        let pages = try await queue.read { db in
            try Row.fetchAll(
                db, sql: "SELECT name, pageno, pagetype, ncell FROM dbstat WHERE pagetype <> 'overflow' ORDER BY pageno"
            ).map { row in
                let (name, number, type, cells): (String, Int, String, Int) =
                    try (row.value(0), row.value(1), row.value(2), row.value(3))
                return (name: name, number: number, type: type, cells: cells)
            }
        }
        try queue.close()
        // Most pages are of the search index.
        let some = pages.filter { Torture.isWhole || !$0.name.hasPrefix("message_search") && $0.number % 3 == 0 }
        for page in some {
            let place = (page.number - 1) * 4096
            let lost = try await rescueDamaged(original, "page \(page.number), \(page.name) \(page.type)") {
                $0.replaceSubrange(place..<place + 4096, with: Data(count: 4096))
            }
            #expect(lost <= (page.name == "message" && page.type == "leaf" ? page.cells : 0), "\(page)")
        }
    }

    /// Bit 7 is 128 µs: the order holds. Bits 20 and 23 are 1 s and 8 s: with bit 20 cleared, the message or the one before it
    /// may be wrong.
    @Test(arguments: [7, 20, 23], [true, false])
    func `a message whose time is damaged gets it back`(bit: Int, isSet: Bool) async throws {
        let original = try await original(messages: 200)
        let before = try await messages(fixture.archive)
        let cells = before.filter { ($0.id.microseconds >> bit & 1 == 1) == isSet }.compactMap {
            message -> Range<Int>? in
            let bytes = Data(Self.variable(message.id.microseconds))
            // An id may also be a key of an inner page.
            guard let first = original.bytes.range(of: bytes), !original.bytes[first.upperBound...].contains(bytes)
            else { return nil }
            return first
        }
        let damaged = cells[cells.count * 3 / 4]
        let lost = try await rescueDamaged(original, "bit \(bit)") {
            $0[damaged.upperBound - 1 - bit / 7] ^= 1 << UInt8(bit % 7)
        }
        #expect(lost == 0)
        #expect(
            try await messages(target).map { [$0.id.description, $0.body] }
                == before.map { [$0.id.description, $0.body] })
    }

    @Test func `a page in the place of another costs what was there, and doubles nothing`() async throws {
        let original = try await original(messages: 200)
        let before = Dictionary(
            try await messages(fixture.archive).map { ($0.id, $0.body) }, uniquingKeysWith: { first, _ in first })
        let queue = try DatabaseQueue(path: try fixture.file())
        let pages = try await queue.read { db in
            try Int.fetchAll(
                db, sql: "SELECT pageno FROM dbstat WHERE name = 'message' AND pagetype = 'leaf' ORDER BY path")
        }
        try queue.close()
        let (from, to) = (pages[1] - 1, pages[3] - 1)
        let lost = try await rescueDamaged(original, "page \(from) over page \(to)") {
            $0.replaceSubrange(to * 4096..<(to + 1) * 4096, with: original.bytes[from * 4096..<(from + 1) * 4096])
        }
        let after = try await messages(target)
        #expect(lost > 0)
        #expect(after.count == before.count - lost)
        #expect(after.allSatisfy { before[$0.id] == .some($0.body) })
    }

    /// Returns SQLite's form of a row id: 7 bits a byte, the highest first, with bit 7 in all but the last.
    private static func variable(_ number: Int64) -> [UInt8] {
        let groups = sequence(first: number) { $0 > 127 ? $0 >> 7 : nil }.map { UInt8($0 & 127) }.reversed()
        return groups.dropLast().map { $0 | 128 } + [groups.last ?? 0]
    }

    @Test(arguments: [
        (
            damage: "UPDATE session SET started_at_us = ended_at_us + 1 WHERE id = 1",
            reported: RescueReport.What.coverage
        ),
        ("UPDATE session SET last_sign_of_life_us = last_sign_of_life_us + 4096 WHERE id = 1", .coverage),
        ("UPDATE room_name SET last_seen_us = first_seen_us + 1 WHERE last_seen_us IS NULL", nil),
        ("UPDATE user_name SET last_seen_us = first_seen_us + 1 WHERE last_seen_us IS NULL", nil),
    ])
    func `values that contradict each other are settled`(damage: String, reported: RescueReport.What?) async throws {
        try await fill(messages: 100)
        let names = try await messages(fixture.archive).map { [$0.sender?.name, $0.room] }
        let queue = try DatabaseQueue(path: try fixture.file())
        try await queue.writeWithoutTransaction { db in
            try db.execute(sql: "\(damage); PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try queue.close()
        let report = try await rescue()
        #expect(report.losses.map(\.what) == (reported.map { [$0] } ?? []))
        try await checkRescued()
        #expect(try await messages(target).map { [$0.sender?.name, $0.room] } == names)
    }

    @Test(arguments: UInt64(1)...(Torture.isWhole ? 200 : 4))
    func `random damage is never fatal and never silent`(seed: UInt64) async throws {
        let original = try await original(messages: 600)
        var random = SeededGenerator(seed: seed)
        for round in 0..<4 {
            try await rescueDamaged(original, "seed \(seed), round \(round)") { bytes in
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    for _ in 0..<20 {
                        let place = Int.random(in: 0..<bytes.count, using: &random)
                        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    }
                case 1:
                    for _ in 0..<5 {
                        let place = Int.random(in: 0..<bytes.count - 512, using: &random) / 512 * 512
                        bytes.replaceSubrange(
                            place..<place + 512,
                            with: (0..<512).map { _ in UInt8.random(in: 0...255, using: &random) })
                    }
                case 2: bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random))
                default:
                    let (from, to) = (
                        Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096,
                        Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096
                    )
                    bytes.replaceSubrange(to..<to + 4096, with: bytes[from..<from + 4096])
                }
            }
        }
    }
}

extension FileManager {
    fileprivate func removeItemIfThere(_ path: String) throws {
        if fileExists(atPath: path) { try removeItem(atPath: path) }
    }
}
