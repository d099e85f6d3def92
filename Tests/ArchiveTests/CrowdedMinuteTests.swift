import ChatModel
import Testing

@testable import Archive

/// Imports of many messages of one minute.
struct CrowdedMinuteTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    private static let count = 600

    private func lines(_ count: Int) -> [ImportedLine] {
        fixture.source(
            (0..<count).map { index in
                ImportedMessage(
                    room: "#example", kind: .message, sender: "alice", body: "line \(index / 2)",
                    time: ArchiveFixture.at(60), resolution: .minute)
            })
    }

    @Test func `an import that lets go of the file between two batches reads a minute once`() async throws {
        let lines = lines(2 * Self.count)
        var writer = try await fixture.archive.openWriter(ArchiveFixture.log)
        _ = try await writer.importLines(Array(lines[..<Self.count]), at: ArchiveFixture.importTime)
        let memory = try #require(try await writer.importMemory())
        #expect(memory.stored.reads == 1)
        try await writer.close()
        writer = try await fixture.archive.openWriter(ArchiveFixture.log)
        try await writer.resume(memory)
        let again = try await writer.importLines(lines, at: ArchiveFixture.importTime)
        #expect(again == ImportTally(new: Self.count, known: Self.count))
        #expect(try await writer.importMemory()?.stored.reads == 1)
        try await writer.close()
    }

    @Test func `what an import read before somebody else wrote the file counts no more`() async throws {
        let lines = lines(2 * Self.count)
        var writer = try await fixture.archive.openWriter(ArchiveFixture.log)
        _ = try await writer.importLines(Array(lines[..<Self.count]), at: ArchiveFixture.importTime)
        let memory = try #require(try await writer.importMemory())
        try await writer.close()
        _ = try await fixture.store(lines)
        writer = try await fixture.archive.openWriter(ArchiveFixture.log)
        try await writer.resume(memory)
        let again = try await writer.importLines(lines, at: ArchiveFixture.importTime)
        #expect(again == ImportTally(known: 2 * Self.count))
        try await writer.close()
    }
}
