import ChatModel
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// The names of people in counts that show only the first ones.
@Suite struct CountedNamesTests: SearchSuite {
    let fixture: ArchiveFixture

    init() throws { fixture = try ArchiveFixture() }

    /// The numbers of messages by the keys and the names of people, of whom several have the same name.
    private static let people: [(key: String, name: String, messages: Int64)] = [
        ("alice", "alice", 9), ("bob", "bob", 7), ("민수", "민수", 7), ("carol", "carol", 5), ("c2", "Carol", 3),
        ("b2", "bob", 2),
        ("m2", "민수", 2), ("dave", "dave", 1), ("a2", "alice", 1), ("erin", "erin", 1),
    ]

    private func store() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        var events: [ChatEvent] = []
        for person in Self.people {
            for _ in 0..<person.messages {
                events.append(
                    .message(
                        IncomingMessage(
                            session: session, room: events.count % 3 == 0 ? Self.work : ArchiveFixture.lobby,
                            kind: .message, sender: UserReference(key: person.key, name: person.name), body: "word",
                            receivedAt: ArchiveFixture.after(Int64(events.count) * 60_000_000))))
            }
        }
        _ = try await writer.append(events)
        try await writer.close()
    }

    /// Expects the same people in the same order, the first ones with their names, and those who have a name of these.
    private func expect(_ counts: [HitCount], areFirst limit: Int, of all: [HitCount]) {
        #expect(counts.prefix(limit) == all.prefix(limit))
        #expect(counts.map(\.count) == all.map(\.count) && Set(counts.map(\.id)) == Set(all.map(\.id)))
        let (shown, names) = (
            Set(all.prefix(limit).map(\.name)), Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.name) })
        )
        for count in counts where count.name != nil || shown.contains(names[count.id] ?? nil) {
            #expect(count.name == names[count.id])
        }
        #expect(limit > 3 || counts.contains { $0.name == nil })
    }

    @Test(arguments: [0, 1, 2, 3, 8, 100], ["", "word", "in:lobby"])
    func `the first people have their names, and so have others with the same names`(
        limit: Int, text: String
    ) async throws {
        try await store()
        let (reading, scope) = (fixture.archive.reading(), try await scope(text))
        func counts(_ limit: Int?) throws -> [HitCount] {
            try reading.counts.hits(scope: .accounts(["demo"]), matching: scope, by: .user, named: limit)
        }
        try expect(counts(limit), areFirst: limit, of: counts(nil))
    }

    @Test(arguments: [1, 3])
    func `statistics count all people, and list the first ones and others with the same names`(limit: Int) async throws
    {
        try await store()
        for scope in [MessageQuery.Scope.accounts(["demo"]), .room(account: "demo", id: 1)] {
            func statistics(_ limit: Int?) throws -> Statistics {
                try fixture.archive.reading().counts.statistics(
                    scope: scope, after: nil, before: nil, zone: .gmt, limit: limit, now: ArchiveFixture.importTime)
            }
            var (some, all) = (try statistics(limit), try statistics(nil))
            let (first, people) = (some.counts[.user, default: []], all.counts[.user, default: []])
            #expect(first.prefix(limit) == people.prefix(limit) && first.count < people.count)
            let names = Set(people.prefix(limit).map(\.name))
            #expect(people.filter { names.contains($0.name) && !first.contains($0) }.isEmpty)
            #expect(first.allSatisfy(people.contains))
            (some.counts[.user], all.counts[.user]) = (nil, nil)
            #expect(some == all)
        }
    }
}
