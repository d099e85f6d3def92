import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// Logs whose clock went back: a line's place by their order is in a later minute than its time.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ImportedClockTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    /// - Parameter place: Where its order puts it, in seconds of the day, where that is not its time.
    private func said(
        _ body: String, at seconds: Int, place: Int? = nil, resolution: TimeResolution = .minute,
        in room: String = "#example"
    ) -> ImportedMessage {
        ImportedMessage(
            room: room, kind: .message, sender: "alice", body: body, time: resolution.floor(ArchiveFixture.at(seconds)),
            resolution: resolution, place: place.map(ArchiveFixture.at))
    }

    private static let messages: [(String, Int, Int?)] = [
        ("a", 600, nil), ("b", 660, nil), ("hi", 300, 660), ("hi", 300, 660), ("c", 360, 660), ("hi", 660, nil),
        ("d", 720, nil), ("e", 659, 720),
    ]

    private func log(_ count: Int = messages.count, _ resolution: TimeResolution = .minute) -> [ImportedMessage] {
        Self.messages.prefix(count).map { said($0.0, at: $0.1, place: $0.2, resolution: resolution) }
    }

    private func bodies() async throws -> [String] {
        try fixture.archive.reading().page(fixture.query(accounts: ["old"])).bodies
    }

    @Test(arguments: [TimeResolution.minute, .second], [1, 3, 100])
    func `a log keeps its order and its claimed times, and a longer one adds the rest`(
        resolution: TimeResolution, batch: Int
    ) async throws {
        #expect(try await fixture.store(fixture.source(log(4, resolution)), batch: batch).new == 4)
        #expect(try await fixture.store(fixture.source(log(4, resolution)), batch: batch) == ImportTally(known: 4))
        let longer = fixture.source(log(8, resolution))
        #expect(try await fixture.archive.rehearseImport(into: "old").add(longer) == ImportTally(new: 4, known: 4))
        #expect(try await fixture.store(longer, batch: batch) == ImportTally(new: 4, known: 4))
        let rows = try fixture.rows("old")
        #expect(try await fixture.store(longer, batch: batch) == ImportTally(known: 8))
        #expect(try fixture.rows("old") == rows)
        #expect(try await bodies() == ["a", "b", "hi", "hi", "c", "hi", "d", "e"])
        #expect(
            try fixture.strings("SELECT source_time_us / 1000000 % 86400 AS text FROM message WHERE body = 'c'")
                == "360")
    }

    @Test func `two overlapping logs whose clock went back are joined`() async throws {
        #expect(try await fixture.store(fixture.source(log(5))).new == 5)
        let later = Array(log().dropFirst(1)) + [said("f", at: 780)]
        #expect(try await fixture.store(fixture.source(later)) == ImportTally(new: 4, known: 4))
        #expect(try await bodies() == ["a", "b", "hi", "hi", "c", "hi", "d", "e", "f"])
    }

    @Test func `a listener's own log matches what it heard, after its clock went back`() async throws {
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append([
            .said("a", at: 600_000_000, in: session), .said("b", at: 661_000_000, in: session),
            .said("hi", at: 662_000_000, in: session),
        ])
        let own = [
            said("a", at: 600, in: "lobby"), said("b", at: 660, in: "lobby"),
            said("hi", at: 300, place: 660, in: "lobby"),
            said("new", at: 300, place: 660, in: "lobby"),
        ]
        let tally = try await writer.importLines(fixture.source(own), at: ArchiveFixture.importTime)
        #expect(tally == ImportTally(new: 1, known: 3))
        try await writer.close()
    }

    @Test func `messages of one microsecond at the end of a minute match again`() async throws {
        let last = ArchiveFixture.at(660).advanced(byMicroseconds: -1)
        let messages = (0..<5).map { index in
            ImportedMessage(
                room: "#example", kind: .message, sender: "alice", body: "\(index)", time: last,
                resolution: .microsecond, remoteID: nil)
        }
        #expect(try await fixture.store(fixture.source(messages)).new == 5)
        #expect(try await fixture.store(fixture.source(messages)) == ImportTally(known: 5))
    }
}
