import Archive
import ChatModel
import Synchronization
import TestSupport
import Testing

@testable import Serving

/// The numbers of requests that run and that were refused.
private final class Counts: Sendable {
    let running = Mutex((now: 0, most: 0))
    let refused = Mutex(0)
}

struct ReadingPoolTests {
    @Test func `as many requests read at once as there are places, and the others wait for their turn`() async throws {
        let folder = try TemporaryFolder()
        let pool = ReadingPool(source: .folder(Archive(folder: folder.path)))
        let counts = Counts()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await pool.read { _ in
                        counts.running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        await Task.yield()
                        counts.running.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counts.running.withLock(\.most) <= ReadingPool.places && counts.running.withLock(\.now) == 0)
    }

    @Test func `requests beyond the limit are refused at once`() async throws {
        let folder = try TemporaryFolder()
        let pool = ReadingPool(source: .folder(Archive(folder: folder.path)))
        let (gate, open) = AsyncStream<Void>.makeStream()
        let counts = Counts()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<(ReadingPool.places + ReadingPool.waiting + 50) {
                group.addTask {
                    do {
                        try await pool.read { _ in for await _ in gate {} }
                    } catch is ReadingPool.Busy {
                        if counts.refused.withLock({
                            $0 += 1; return $0
                        }) == 50 {
                            open.finish()
                        }
                    } catch {}
                }
            }
        }
        #expect(counts.refused.withLock(\.self) == 50)
    }

    @Test func `a request that is cancelled while it waits takes no place`() async throws {
        let folder = try TemporaryFolder()
        let pool = ReadingPool(source: .folder(Archive(folder: folder.path)))
        let (gate, open) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<ReadingPool.places { group.addTask { try await pool.read { _ in for await _ in gate {} } } }
            let waiting = Task { try await pool.read { _ in } }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            open.finish()
            try await group.waitForAll()
        }
        try await pool.read { _ in }
    }

    @Test func `an account is let go when nobody reads it`() async throws {
        let folder = try TemporaryFolder()
        let archive = Archive(folder: folder.path)
        try await archive.openWriter(AccountIdentity(name: "demo", network: "log")).close()
        let pool = ReadingPool(source: .folder(archive))
        _ = try await pool.read { try await $0.rooms() }
        await #expect(throws: ArchiveError.self) { try await Archive(folder: folder.path).erase(account: "demo") }
        pool.release(unusedFor: .zero)
        _ = try await Archive(folder: folder.path).erase(account: "demo")
        #expect(try await pool.read { try await $0.accounts().isEmpty })
    }
}
