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

/// History and logs that have removed messages again.
extension RetentionTests {
    @Test(arguments: [false, true])
    func `history does not bring back what a rule removed, even in another process`(isReopened: Bool) async throws {
        var writer = try await fill(0..<100)
        try await writer.apply(.keeping([.messages: .seconds(50)]), at: at(100))
        if isReopened {
            try await writer.close()
            writer = try await fixture.openWriter()
        }
        let session = try await writer.openSession(at: at(200))
        let again = (0..<100).map { second in
            ChatEvent.said(
                "said \(second)", at: 200_000_000, in: session, remoteID: "message-\(second)", sourceTime: at(second))
        }
        _ = try await writer.append(again)
        try await writer.close()
        #expect(try await bodies() == (50..<100).map { "said \($0)" })
    }

    @Test func `importing a log skips what a rule removed, and says so`() async throws {
        let writer = try await fill(0..<100)
        try await writer.apply(.keeping([.messages: .seconds(50)]), at: at(100))
        let lines = [Int64(10), 60].map { second in
            ImportedLine.message(
                ImportedMessage(
                    room: "lobby", kind: .message, sender: "carol", body: "from a log", time: at(second),
                    resolution: .second))
        }
        let tally = try await writer.importLines(lines, at: at(200))
        #expect(tally == ImportTally(new: 1, expired: 1))
        try await writer.close()
    }

    @Test func `history refills the time of a hold`() async throws {
        let writer = try await fill(0..<100)
        try await writer.apply(.keeping([.messages: .seconds(50)]), at: at(100))
        try await writer.retention.setHold(Hold(name: "case", start: at(20), end: at(30), setAt: at(100)))
        let session = try await writer.openSession(at: at(200))
        _ = try await writer.append(
            [Int64(10), 25].map {
                .said("again \($0)", at: 200_000_000, in: session, remoteID: "again-\($0)", sourceTime: at($0))
            })
        try await writer.close()
        #expect(try await bodies().first == "again 25")
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [RoomReference(key: "#bots", name: "#Bots", kind: .channel), ArchiveFixture.lobby])
    func `history after a restore does not bring back what a rule removed after the backup`(
        room: RoomReference
    ) async throws {
        let backup = fixture.folder.path + "/backup"
        var writer = try await fill(0..<10)
        try fixture.archive.backup(in: backup, isNew: true).add(account: "demo")
        let session = try await writer.openSession(at: at(100))
        // A room that the backup may not have.
        func said(_ second: Int64, in session: SessionID) -> ChatEvent {
            .said(
                "said \(second)", at: second * 1_000_000, in: session, room: room, remoteID: "m\(second)",
                sourceTime: at(second))
        }
        _ = try await writer.append((200..<300).map { said($0, in: session) })
        let rules = RetentionRules.keeping([.messages: .seconds(50)])
        try await writer.apply(rules, at: at(300))
        try await writer.close()
        _ = try fixture.archive.erase(account: "demo")
        _ = try fixture.archive.backup(in: backup).restore(account: "demo")
        writer = try await fixture.openWriter()
        let plan = try fixture.archive.reading().retention.plan(of: "demo", rules, at: at(300))
        #expect(plan.newRules.isEmpty && plan.waiting.isEmpty, "the rule was applied before")
        let later = try await writer.openSession(at: at(400))
        _ = try await writer.append((200..<300).map { said($0, in: later) })
        try await writer.apply(rules, at: at(300))
        try await writer.close()
        writer = try await fixture.openWriter()
        let last = try await writer.openSession(at: at(500))
        _ = try await writer.append([said(249, in: last)])
        try await writer.close()
        let left = try await fixture.walk(.oldest, limit: 1000, query: try fixture.query(room: nil)).map {
            $0.body ?? ""
        }
        #expect(left == (250..<300).map { "said \($0)" })
        #expect(try fixture.archive.check().flatMap(\.problems).isEmpty)
    }
}
