import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Rescue
@testable import Schema

/// Files that are damaged at any place. A rescue lists its losses, which leave a gap, and loses only what the place had.
@Suite(.disabled(if: QuickCheck.isRunning))
struct DamageRescueTests {
    private let fixture: RescueFixture

    init() throws { fixture = try RescueFixture() }

    @Test func `a file without its header or first page is rescued completely`() async throws {
        let original = try await fixture.original()
        let damages: [(name: String, apply: (inout Data) -> Void)] = [
            ("the header", { $0.replaceSubrange(0..<100, with: Data(count: 100)) }),
            ("the first page", { $0.replaceSubrange(0..<4096, with: Data(count: 4096)) }),
            ("the version", { $0[63] = 3 }),
            ("garbage", { $0.replaceSubrange(0..<4096, with: Data(repeating: 0xA5, count: 4096)) }),
        ]
        for damage in damages {
            #expect(try await fixture.rescueDamaged(original, damage.name, damage.apply) == 0, "\(damage.name)")
        }
    }

    @Test func `a lost page of a table or index loses only its own rows`() async throws {
        let original = try await fixture.original(messages: 400)
        let queue = try DatabaseQueue(path: try fixture.source.file())
        let pages = try queue.read { db in
            try db.all(
                sql: "SELECT name, pageno, pagetype, ncell FROM dbstat WHERE pagetype <> 'overflow' ORDER BY pageno"
            ) { row in
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
            let lost = try await fixture.rescueDamaged(original, "page \(page.number), \(page.name) \(page.type)") {
                $0.replaceSubrange(place..<place + 4096, with: Data(count: 4096))
            }
            #expect(lost <= (page.name == "message" && page.type == "leaf" ? page.cells : 0), "\(page)")
        }
    }

    /// Bit 7 is 128 µs: the order holds. Bits 20 and 23 are 1 s and 8 s: with bit 20 cleared, the message or the one before it
    /// may be wrong.
    @Test(arguments: [7, 20, 23], [true, false])
    func `a message with a damaged time gets its time back`(bit: Int, isSet: Bool) async throws {
        let original = try await fixture.original(messages: 200)
        let before = try await fixture.messages(fixture.source.archive)
        let cells = before.filter { ($0.id.microseconds >> bit & 1 == 1) == isSet }.compactMap {
            message -> Range<Int>? in
            let bytes = Data(Self.variable(message.id.microseconds))
            // An id may also be a key of an inner page.
            guard let first = original.bytes.range(of: bytes), !original.bytes[first.upperBound...].contains(bytes)
            else { return nil }
            return first
        }
        let damaged = cells[cells.count * 3 / 4]
        let lost = try await fixture.rescueDamaged(original, "bit \(bit)") {
            $0[damaged.upperBound - 1 - bit / 7] ^= 1 << UInt8(bit % 7)
        }
        #expect(lost == 0)
        #expect(
            try await fixture.messages(fixture.target).map { [$0.id.description, $0.body] }
                == before.map { [$0.id.description, $0.body] })
    }

    @Test func `a page that overwrites another loses that page's rows and repeats none`() async throws {
        let original = try await fixture.original(messages: 200)
        let before = Dictionary(
            try await fixture.messages(fixture.source.archive).map { ($0.id, $0.body) },
            uniquingKeysWith: { first, _ in first })
        let queue = try DatabaseQueue(path: try fixture.source.file())
        let pages = try queue.read { db in
            try Int.fetchAll(
                db, sql: "SELECT pageno FROM dbstat WHERE name = 'message' AND pagetype = 'leaf' ORDER BY path")
        }
        try queue.close()
        let (from, to) = (pages[1] - 1, pages[3] - 1)
        let lost = try await fixture.rescueDamaged(original, "page \(from) over page \(to)") {
            $0.replaceSubrange(to * 4096..<(to + 1) * 4096, with: original.bytes[from * 4096..<(from + 1) * 4096])
        }
        let after = try await fixture.messages(fixture.target)
        #expect(lost > 0)
        #expect(after.count == before.count - lost)
        #expect(after.allSatisfy { before[$0.id] == .some($0.body) })
    }

    /// Returns ten hours of a log with a message each minute, and its span.
    private func log(_ room: String, from start: Int) -> [ImportedLine] {
        let messages = (0..<600).map { number in
            ImportedMessage(
                room: room, kind: .message, sender: "alice", body: "\(number) " + String(repeating: "text ", count: 20),
                time: ArchiveFixture.at(start + number * 60), resolution: .second)
        }
        let span = ImportedSpan(
            room: room, roomKey: nil, from: ArchiveFixture.at(start), to: ArchiveFixture.at(start + 599 * 60))
        return fixture.source.source(messages) + [.imported(span)]
    }

    @Test func `lost messages of an imported log leave a hole in its span`() async throws {
        try await fixture.importLog(log("#a", from: 0))
        let before = try await fixture.messages(fixture.source.archive)
        let pages = try fixture.pages(of: "message")
        try fixture.write([UInt8](repeating: 0, count: 4096), page: pages[pages.count / 2])
        let report = try await fixture.rescue()
        #expect(report.losses.map(\.what) == [.messages])
        let after = try await fixture.messages(fixture.target)
        let lost = Set(before.map(\.id)).subtracting(after.map(\.id))
        let (first, last) = (try #require(lost.min()), try #require(lost.max()))
        let start = try #require(after.last { $0.id < first }).id
        let end = try #require(after.first { $0.id > last }).id
        let gaps = try fixture.target.reading().gaps(scope: .accounts(["demo"]))
        #expect(gaps.map(\.state) == [.imported, .imported])
        #expect(gaps.map(\.from) == [ArchiveFixture.at(0), Timestamp(microseconds: end.microseconds)])
        #expect(gaps.map(\.to) == [Timestamp(microseconds: start.microseconds), ArchiveFixture.at(599 * 60)])
        try await fixture.checkRescued()
    }

    @Test func `the span of an imported log ends before its lost end`() async throws {
        try await fixture.importLog(log("#a", from: 0))
        for page in try fixture.pages(of: "message").suffix(2) {
            try fixture.write([UInt8](repeating: 0, count: 4096), page: page)
        }
        _ = try await fixture.rescue()
        let last = try #require(try await fixture.messages(fixture.target).last).id
        let gaps = try fixture.target.reading().gaps(scope: .accounts(["demo"]))
        #expect(gaps.map(\.from) == [ArchiveFixture.at(0)])
        #expect(gaps.map(\.to) == [Timestamp(microseconds: last.microseconds)])
        try await fixture.checkRescued()
    }

    /// Without the index and the change feed, nothing names the lost messages.
    @Test(arguments: [true, false])
    func `lost messages cut both the coverage and the imported span of a room`(isNamed: Bool) async throws {
        let original = try await fixture.original(messages: 600, log: log("lobby", from: -86_400))
        let pages = try fixture.pages(of: "message")
        var damaged = [pages[2], pages[pages.count * 3 / 4]]
        if !isNamed { damaged += try fixture.pages(of: RescueLost.index) + fixture.pages(of: "change") }
        let lost = try await fixture.rescueDamaged(original, "pages \(damaged)") { bytes in
            for page in damaged { bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096)) }
        }
        #expect(lost > 0)
        let gaps = try fixture.target.reading().gaps(scope: .accounts(["demo"])).filter { $0.room == "lobby" }
        #expect(gaps.filter { $0.state == .imported }.count == 2)
        #expect(gaps.contains { $0.state == .lost && $0.reason == "damaged" })
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
        (
            """
            INSERT INTO coverage (room_id, from_us, to_us, session_id)
              SELECT room_id, from_us + 1, to_us, session_id FROM coverage
            """, .coverage
        ),
        ("UPDATE room_name SET last_seen_us = first_seen_us + 1 WHERE last_seen_us IS NULL", nil),
        ("UPDATE user_name SET last_seen_us = first_seen_us + 1 WHERE last_seen_us IS NULL", nil),
    ])
    func `a rescue resolves values that contradict each other`(damage: String, reported: RescueReport.What?)
        async throws
    {
        try await fixture.fill(messages: 100)
        let names = try await fixture.messages(fixture.source.archive).map { [$0.sender?.name, $0.room] }
        let queue = try DatabaseQueue(path: try fixture.source.file())
        try queue.sync { db in
            try db.execute(sql: "\(damage); PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try queue.close()
        let report = try await fixture.rescue()
        #expect(report.losses.map(\.what) == (reported.map { [$0] } ?? []))
        try await fixture.checkRescued()
        #expect(try await fixture.messages(fixture.target).map { [$0.sender?.name, $0.room] } == names)
    }

    @Test(arguments: UInt64(1)...(Torture.isWhole ? 200 : 4))
    func `random damage never crashes a rescue and never goes unreported`(seed: UInt64) async throws {
        let original = try await fixture.original(messages: 600)
        var random = SeededGenerator(seed: seed)
        for round in 0..<4 {
            try await fixture.rescueDamaged(original, "seed \(seed), round \(round)") { bytes in
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
