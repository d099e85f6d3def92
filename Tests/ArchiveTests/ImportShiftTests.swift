import ChatModel
import TestSupport
import Testing

@testable import Archive

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct ImportShiftTests {
    private static let hour = 3600
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private func said(_ bodies: [String], every seconds: Int = 90, from start: Int = 0) -> [ImportedMessage] {
        bodies.enumerated().map { index, body in
            ImportedMessage(
                room: "#example", kind: .message, sender: "alice", body: body,
                time: TimeResolution.minute.floor(ArchiveFixture.at(start + index * seconds)), resolution: .minute)
        }
    }

    private func shift(_ messages: [ImportedMessage]) async throws -> Int? {
        try await fixture.archive.compareImport(into: "old", writes: false).shifts.find(in: fixture.source(messages))?
            .seconds
    }

    private static let texts = ["hi", "hello", "ok", "the train is late", "ok", "see you"]

    @Test(arguments: [9 * hour, -5 * hour, 5 * hour + 1800, -26 * hour])
    func `messages at a constant distance from stored ones show a shift`(seconds: Int) async throws {
        _ = try await fixture.store(fixture.source(said(Self.texts)))
        #expect(try await shift(said(Self.texts, from: seconds)) == seconds)
    }

    @Test(arguments: [0, 300])
    func `a newer export with earlier and later messages shows its shift`(earlier: Int) async throws {
        let texts = (0..<320 + earlier).map { "text \($0)" }
        _ = try await fixture.store(fixture.source(said(Array(texts[earlier..<(earlier + 8)]), from: earlier * 90)))
        let search = try fixture.archive.compareImport(into: "old", writes: false).shifts
        let lines = fixture.source(said(texts, from: Self.hour))
        let first = try await search.find(in: Array(lines.prefix(earlier + 2)))
        #expect(earlier == 0 || first == nil)
        #expect(try await search.find(in: Array(lines.dropFirst(earlier)))?.seconds == Self.hour)
    }

    @Test func `lines without a time show no shift`() async throws {
        _ = try await fixture.store(fixture.source(said(Self.texts, every: 5, from: Self.hour)))
        var lines = said(Self.texts, every: 0)
        #expect(try await shift(lines) == -Self.hour)
        for index in lines.indices { lines[index].isTimed = false }
        #expect(try await shift(lines) == nil)
    }

    @Test func `the larger part decides the shift across the end of daylight saving time`() async throws {
        let texts = (0..<20).map { "text \($0)" }
        _ = try await fixture.store(fixture.source(said(texts)))
        let summer = said(Array(texts.prefix(8)), from: 2 * Self.hour)
        let winter = said(Array(texts.dropFirst(8)), from: Self.hour + 8 * 90)
        #expect(try await shift(summer + winter) == Self.hour)
    }

    @Test(arguments: [
        (texts, 0), (["good morning", "lunch", "good night"], 24 * hour), (["ding", "dong"], hour),
        (["other", "texts", "than", "these"], hour), (texts, 7 * 60),
    ])
    func `equal times, a bot's day, few or other texts and other distances show no shift`(
        bodies: [String], seconds: Int
    ) async throws {
        _ = try await fixture.store(
            fixture.source(said(bodies == ["other", "texts", "than", "these"] ? Self.texts : bodies)))
        #expect(try await shift(said(bodies, from: seconds)) == nil)
    }

    @Test func `an unknown room or account has no shift`() async throws {
        #expect(try await shift(said(Self.texts)) == nil)
        _ = try await fixture.store(fixture.source(said(Self.texts)))
        var others = said(Self.texts, from: Self.hour)
        for index in others.indices { others[index].room = "#other" }
        #expect(try await shift(others) == nil)
    }
}
