import ChatModel
import TestSupport
import Testing

@testable import Archive
@testable import Checks

/// Messages that one export has with their text, and a later export only as deleted.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct DeletedLaterTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func said(_ body: String, at minute: Int, by sender: String = "alice") -> ImportedMessage {
        ImportedMessage(
            room: "#example", kind: .message, sender: sender, body: body, time: ArchiveFixture.at(minute * 60),
            resolution: .minute)
    }

    private func deleted(_ place: Int, at minute: Int, by sender: String = "alice") -> ImportedMessage {
        var message = said("", at: minute, by: sender)
        (message.body, message.deletedAt, message.placeOfDeleted) = (nil, message.time, place)
        return message
    }

    private var bodies: String? {
        get throws {
            try fixture.strings(
                """
                SELECT ifnull(body, '-') || CASE WHEN deleted_at_us IS NULL THEN '' ELSE '!' END AS text
                FROM message ORDER BY id
                """)
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [(0, "a! x b c d"), (1, "a x b! c d"), (2, "a x b c! d")])
    func `a deleted message is matched by its sender and its place in the minute`(place: Int, result: String)
        async throws
    {
        let alice = [said("a", at: 0), said("b", at: 0), said("c", at: 0)]
        let first = [alice[0], said("x", at: 0, by: "bob"), alice[1], alice[2], said("d", at: 1)]
        _ = try await fixture.store(fixture.source(first))
        var later = alice
        later[place] = deleted(place, at: 0)
        let lines = fixture.source(later + [said("d", at: 1)])
        let expected = ImportTally(changed: 1, known: 3)
        #expect(try await fixture.archive.rehearseImport(into: "old").add(lines) == expected)
        #expect(try await fixture.store(lines) == expected)
        #expect(try bodies == result)
        #expect(try await fixture.store(lines) == ImportTally(known: 4))
        #expect(try await fixture.store(fixture.source(first)) == ImportTally(known: 5), "the earlier export again")
        #expect(try bodies == result)
        #expect(try fixture.archive.check(accounts: ["old"]).flatMap(\.problems) == [])
    }

    @Test func `a message that both exports show as deleted is stored once`() async throws {
        _ = try await fixture.store(fixture.source([said("a", at: 0), deleted(1, at: 0), said("d", at: 1)]))
        let later = fixture.source([deleted(0, at: 0), deleted(1, at: 0), said("d", at: 1)])
        #expect(try await fixture.store(later) == ImportTally(changed: 1, known: 2))
        #expect(try bodies == "a! -! d")
    }

    @Test func `a deleted message in the last minute of an earlier export may be new`() async throws {
        _ = try await fixture.store(fixture.source([said("a", at: 0)]))
        let later = fixture.source([said("a", at: 0), deleted(1, at: 0), said("d", at: 1)])
        #expect(try await fixture.store(later) == ImportTally(new: 2, known: 1))
        #expect(try bodies == "a -! d")
    }

    @Test func `a deleted message never matches another sender, another minute or a place that isn't stored`()
        async throws
    {
        _ = try await fixture.store(fixture.source([said("a", at: 0), said("d", at: 9)]))
        let later = fixture.source([deleted(0, at: 0, by: "bob"), deleted(1, at: 0), deleted(0, at: 1)])
        #expect(try await fixture.store(later) == ImportTally(new: 3))
        #expect(try bodies == "a -! -! -! d")
    }
}
