import ChatModel
import Synchronization
import Testing

@testable import Accounts
@testable import Archive
@testable import Files
@testable import Moves
@testable import Reading
@testable import Schema
@testable import Writing

struct ReadLimitTests {
    private let fixture: ArchiveFixture

    init() async throws {
        fixture = try ArchiveFixture()
        let writer = try await fixture.openWriter()
        let session = try await writer.openSession()
        _ = try await writer.append((0..<2000).map { .said("hello \($0)", at: Int64($0) * 1000, in: session) })
        try await writer.close()
    }

    /// Counts with so many steps that it would not end.
    private static let endless: SQLText = """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number) SELECT count(*) FROM number
        """

    private func read(_ limit: ReadLimit) async throws {
        let reading = fixture.archive.reading()
        try ReadLimit.$current.withValue(limit) {
            _ = try reading.collect(of: ["demo"], into: 0) { _, reader in
                _ = try reader.read { db in try db.integer(Self.endless) }
            }
        }
    }

    @Test func `a statement stops when its time is over`() async throws {
        let calls = Mutex(0)
        let start = ContinuousClock.now
        // A clock that passes the end while the statement runs.
        let limit = ReadLimit {
            start
                + .seconds(
                    calls.withLock {
                        $0 += 1
                        return $0 > 10 ? 20 : 0
                    })
        }
        limit.end(in: 15)
        let error = await #expect(throws: ArchiveError.self) { try await read(limit) }
        #expect(error?.code == .stopped && error?.detail == "reading took longer than 15 s", "\(error as Any)")
    }

    @Test func `a statement stops when nobody waits for it, and its connection stays usable`() async throws {
        let limit = ReadLimit()
        let reading = Task { try await read(limit) }
        limit.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(try fixture.archive.reading().page(fixture.query()).messages.count == 50)
    }

    @Test func `expanding an account for one answer can be cancelled`() async throws {
        _ = try fixture.archive.evict(account: "demo", level: 3)
        let reading = Archive(folder: fixture.archive.folder, cold: .several).reading()
        let limit = ReadLimit()
        limit.cancel()
        #expect(throws: CancellationError.self) {
            try ReadLimit.$current.withValue(limit) { try reading.roomList() }
        }
        #expect(try reading.roomList().count == 1)
    }
}
