import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Archive
@testable import Reading
@testable import Writing

/// Pins of imported messages.
extension ImportedExtrasTests {
    private func pinned(_ body: String, at seconds: Int, id: String, _ isPinned: Bool, asOf: Int?) -> ImportedMessage {
        var message = said(body, at: seconds, id: id)
        message.flags = isPinned ? .pinned : []
        message.pinsAt = asOf.map(ArchiveFixture.at)
        return message
    }

    private func pins() throws -> String? {
        try fixture.strings("SELECT remote_id AS text FROM message WHERE flags & 512 ORDER BY id")
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `the latest export decides pins, and an earlier one changes none`() async throws {
        let early = [pinned("a", at: 0, id: "m1", true, asOf: 5), pinned("b", at: 1, id: "m2", false, asOf: 5)]
        try await fixture.store(early[0], early[1], is: ImportTally(new: 2))
        #expect(try pins() == "m1")
        try await fixture.store(
            pinned("a", at: 0, id: "m1", false, asOf: 20), pinned("b", at: 1, id: "m2", true, asOf: 20),
            pinned("c", at: 10, id: "m3", false, asOf: 20), is: ImportTally(new: 1, changed: 2))
        #expect(try pins() == "m2")
        try await fixture.store(early[0], early[1], is: ImportTally(known: 2))
        #expect(try pins() == "m2")
        #expect(try fixture.archive.reading().page(fixture.query(accounts: ["old"])).messages[1].flags == .pinned)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a source that doesn't list unpinned messages only adds pins`() async throws {
        try await fixture.store(
            pinned("a", at: 0, id: "m1", true, asOf: nil), said("b", at: 1, id: "m2"), is: ImportTally(new: 2))
        try await fixture.store(
            said("a"), pinned("b", at: 1, id: "m2", true, asOf: nil), is: ImportTally(changed: 1, known: 1))
        #expect(try pins() == "m1 m2")
    }
}
