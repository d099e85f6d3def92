import ChatModel
import Testing

@testable import Archive
@testable import Files
@testable import Reading
@testable import Writing

struct OpenAccountTests {
    @Test func `an account that is no longer read is released, and one in use stays open`() async throws {
        let fixture = try ArchiveFixture()
        for name in ["one", "two"] { try await fixture.openWriter(name).close() }
        let reading = fixture.archive.reading()
        func read(_ account: String) async throws {
            _ = try reading.page(MessageQuery(scope: .accounts([account]), anchor: .latest))
        }
        func isFree(_ account: String) throws -> Bool {
            let lock = try fixture.file(of: account).replacing("1.sqlite", with: "lock")
            return try FileLock(path: lock, mode: .exclusive) != nil
        }
        try await read("one")
        try await read("two")
        let between = ContinuousClock.now
        try await read("two")
        #expect(try !isFree("one") && !isFree("two"))
        reading.release(unusedFor: .now - between)
        #expect(try isFree("one") && !isFree("two"))
    }
}
