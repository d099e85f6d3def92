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
@testable import Rescue
@testable import Writing

/// The messages that a rescue brings back, and the conditions of a rescue.
@Suite(.disabled(if: QuickCheck.isRunning))
struct RescueTests {
    private let fixture: RescueFixture

    init() throws { fixture = try RescueFixture() }

    @Test(arguments: UInt64(1)...3)
    func `an intact file is rescued completely`(seed: UInt64) async throws {
        try await fixture.fill(seed: seed)
        let before = try await fixture.messages(fixture.source.archive)
        let report = try await fixture.rescue()
        #expect(report.losses == [])
        #expect(report.messages == Int64(try fixture.source.archive.reading().accountSummaries()[0].messages))
        #expect(try await fixture.messages(fixture.target) == before)
        #expect(try fixture.target.reading().rooms() == fixture.source.archive.reading().rooms())
        #expect(
            try fixture.target.reading().gaps(scope: .accounts(["demo"]))
                == fixture.source.archive.reading().gaps(scope: .accounts(["demo"])))
        try await fixture.checkRescued()
    }

    @Test func `messages of a lost page are listed and leave a gap`() async throws {
        try await fixture.fill()
        let before = try await fixture.messages(fixture.source.archive)
        let lost = try fixture.pages(of: "message")
        try fixture.write([UInt8](repeating: 0, count: 4096), page: lost[lost.count / 2])
        let report = try await fixture.rescue()
        let after = try await fixture.messages(fixture.target)
        let missing = Set(before.map(\.id)).subtracting(after.map(\.id))
        #expect(!missing.isEmpty && missing.count < 200)
        #expect(report.losses.map(\.what) == [.messages])
        #expect(report.losses.map(\.count) == [Int64(missing.count)])
        #expect(report.losses[0].room == "lobby")
        #expect(report.losses[0].from == missing.min().map { Timestamp(microseconds: $0.microseconds) })
        let gaps = try fixture.target.reading().gaps(scope: .accounts(["demo"]))
        for id in missing {
            #expect(
                gaps.contains {
                    $0.from.microseconds < id.microseconds && ($0.to?.microseconds ?? .max) > id.microseconds
                })
        }
        #expect(gaps.contains { $0.reason == "damaged" })
        #expect(Set(after.map(\.id)).subtracting(before.map(\.id)) == [])
        try await fixture.checkRescued()
    }

    @Test func `messages that are only in the -wal are rescued, even after a damaged place in it`() async throws {
        let writer = try await fixture.source.openWriter()
        let session = try await writer.openSession()
        for number in 0..<200 {
            _ = try await writer.append([
                .said("\(number) " + String(repeating: "글 ", count: 300), at: Int64(number), in: session)
            ])
        }
        let folder = fixture.source.folder.path + "/copy"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: fixture.source.file() + ending, toPath: folder + "/1.sqlite" + ending)
        }
        try await writer.close()
        let whole = try Archive(folder: folder + "/whole").rescue(folder + "/1.sqlite")
        #expect(whole.messages == 200 && whole.losses == [])
        var log = try Data(contentsOf: URL(fileURLWithPath: folder + "/1.sqlite-wal"))
        let place = log.count / 2
        log[place] ^= 0xFF
        try log.write(to: URL(fileURLWithPath: folder + "/1.sqlite-wal"))
        let damaged = try Archive(folder: folder + "/damaged").rescue(folder + "/1.sqlite")
        #expect(damaged.messages >= 198, "\(damaged.messages)")
    }

    @Test func `a truncated compressed file is rescued up to its end`() async throws {
        try await fixture.fill()
        let before = try await fixture.messages(fixture.source.archive).count
        _ = try fixture.source.archive.evict(account: "demo", level: 3)
        let cold = try fixture.source.file() + ".zst"
        let whole = try fixture.target.rescue(cold)
        #expect(whole.messages == Int64(before) && whole.losses == [])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: cold))
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(fileURLWithPath: cold))
        try FileManager.default.removeItem(atPath: fixture.target.folder)
        let cut = try fixture.target.rescue(cold)
        #expect((1..<Int64(before)).contains(cut.messages))
        #expect(cut.losses.contains { $0.what == .messages })
        try await fixture.checkRescued()
    }

    @Test func `a rescue needs a name, an unused file and a folder without the account`() async throws {
        let writer = try await fixture.source.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([.said("hi", at: 1, in: session)])
        await #expect(throws: ArchiveError.self) { try await fixture.rescue() }
        try await writer.close()
        _ = try await fixture.rescue()
        let again = await #expect(throws: ArchiveError.self) { try await fixture.rescue() }
        #expect(again?.code == .backup)
        try fixture.write([UInt8](repeating: 0, count: 4096), page: try fixture.pages(of: "account")[0])
        try FileManager.default.removeItem(atPath: fixture.target.folder)
        let nameless = await #expect(throws: ArchiveError.self) { try await fixture.rescue() }
        #expect(nameless?.code == .corrupt && nameless?.detail.contains("--account") == true)
        let named = try fixture.target.rescue(
            try fixture.source.file(), as: AccountIdentity(name: "새 이름", network: "streamchat"))
        #expect(named.account.name == "새 이름" && named.messages == 1)
        try await fixture.checkRescued()
        let garbage = fixture.source.folder.path + "/garbage"
        for bytes in [Data(repeating: 0x20, count: 100_000), Data([0x20]), Data()] {
            try bytes.write(to: URL(fileURLWithPath: garbage))
            let nothing = #expect(throws: ArchiveError.self) { try fixture.target.rescue(garbage) }
            #expect(nothing?.code == .corrupt)
        }
    }

    @Test func `a changed letter is listed with its time, and every message is rescued`() async throws {
        try await fixture.fill()
        let file = URL(fileURLWithPath: try fixture.source.file())
        var bytes = try Data(contentsOf: file)
        bytes[try #require(bytes.range(of: Data("메시지 1500 text".utf8))).upperBound - 1] = UInt8(ascii: "T")
        try bytes.write(to: file)
        let report = try await fixture.rescue()
        #expect(report.losses.map(\.what) == [.changed])
        let time = ArchiveFixture.day.advanced(byMicroseconds: RescueFixture.later + 1501 * 1_000_000)
        #expect(report.losses.allSatisfy { $0.from.map { $0 <= time } ?? false && $0.to.map { $0 >= time } ?? false })
        try await fixture.checkRescued()
    }

    @Test(
        arguments: [
            "change SET subject_id", "session SET last_sign_of_life_us", "session SET clock_lead_us",
            "coverage SET from_us", "coverage SET to_us", "message_digest SET block", "digest_reach SET from_block",
            "room_name SET first_seen_us", "user_name SET last_seen_us", "read_marker SET seq", "message SET id",
        ], [Int64.min, -1, .max])
    func `numbers that no program wrote don't stop a rescue`(column: String, value: Int64) async throws {
        try await fixture.fill(messages: 300)
        let table = try #require(column.split(separator: " ").first)
        try fixture.source.execute(
            "PRAGMA ignore_check_constraints = ON; UPDATE OR REPLACE \(column) = \(value) WHERE rowid = (SELECT max(rowid) FROM \(table))"
                .replacing("rowid", with: table.hasSuffix("_name") ? "first_seen_us" : "rowid"))
        try fixture.source.vacuum("PRAGMA wal_checkpoint(TRUNCATE)")
        let leaves = try fixture.pages(of: "message")
        try fixture.write([UInt8](repeating: 0, count: 4096), page: leaves[leaves.count / 2])
        try fixture.write([UInt8](repeating: 0, count: 4096), page: try fixture.pages(of: RescueLost.index)[0])
        let report = try await fixture.rescue()
        #expect(report.messages > 200)
        #expect(try fixture.target.check().map(\.state) != [.unchecked])
    }
}
