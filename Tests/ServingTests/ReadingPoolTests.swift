import Archive
import ChatModel
import Foundation
import Logging
import Moves
import Reading
import Synchronization
import TestSupport
import Testing
import Writing

@testable import Files
@testable import Serving

/// The numbers of requests that run and that were refused.
private final class Counts: Sendable {
    let running = Mutex((now: 0, most: 0))
    let refused = Mutex(0)
}

/// Stops threads until it is opened.
private final class ThreadGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }
}

struct ReadingPoolTests {
    private static let limits = FairQueue.Limits()
    private let folder: TemporaryFolder
    private let archive: Archive
    private let pool: ReadingPool

    init() throws {
        folder = try TemporaryFolder()
        archive = Archive(folder: folder.path)
        pool = ReadingPool(source: .folder(archive))
    }

    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func `requests up to the number of places read at once, and the others wait`() async throws {
        let (pool, counts) = (pool, Counts())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await pool.perform(as: number % 2 == 0 ? .owner : .token("a")) { _ in
                        counts.running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        sched_yield()
                        counts.running.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counts.running.withLock(\.most) <= Self.limits.running && counts.running.withLock(\.now) == 0)
    }

    @Test func `requests beyond the limit are refused at once`() async throws {
        let (pool, counts) = (pool, Counts())
        let gate = ThreadGate()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<(Self.limits.running + Self.limits.waitingOfSender + 50) {
                group.addTask {
                    do {
                        try await pool.perform(as: .owner) { _ in gate.wait() }
                    } catch is ReadingPool.Busy {
                        if counts.refused.withLock({
                            $0 += 1; return $0
                        }) == 50 {
                            gate.open()
                        }
                    } catch {}
                }
            }
        }
        #expect(counts.refused.withLock(\.self) == 50)
    }

    /// Runs the body while requests of a token have all the places that they may have.
    private func whileOccupied(
        by share: Share = .token("bad"), _ body: @Sendable (ReadingPool) async throws -> Void
    ) async throws {
        let (pool, counts) = (pool, Counts())
        let gate = ThreadGate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.limits.runningOfToken {
                group.addTask {
                    try await pool.perform(as: share) { _ in
                        counts.running.withLock { $0.now += 1 }
                        gate.wait()
                    }
                }
            }
            while counts.running.withLock(\.now) < Self.limits.runningOfToken { await Task.yield() }
            defer { gate.open() }
            try await body(pool)
            gate.open()
            try await group.waitForAll()
        }
    }

    @Test func `the owner and other tokens are answered while one token has all its places`() async throws {
        try await whileOccupied { pool in
            try await pool.perform(as: .owner) { _ in }
            try await pool.perform(as: .token("good")) { _ in }
        }
    }

    @Test func `a request that is cancelled while waiting takes no place`() async throws {
        try await whileOccupied { pool in
            let waiting = Task { try await pool.perform(as: .token("bad")) { _ in } }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        try await pool.perform(as: .token("bad")) { _ in }
    }

    @Test func `a request whose client is gone takes no place`() async throws {
        let unsent = UnsentBytes(logger: Self.logger)
        try await whileOccupied { pool in
            let connection = Connection(unsent)
            let waiting = Task {
                try await Connection.$current.withValue(connection) {
                    try await pool.perform(as: .token("bad")) { _ in }
                }
            }
            connection.end()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }

    @Test func `reading stops when the client leaves, and frees its place`() async throws {
        let pool = ReadingPool(
            source: .folder(archive), limits: FairQueue.Limits(running: 1, runningOfToken: 1, runningOfTokens: 1))
        let connection = Connection(UnsentBytes(logger: Self.logger))
        let (started, start) = AsyncStream<Void>.makeStream()
        let reading = Task {
            try await Connection.$current.withValue(connection) {
                try await pool.perform(as: .token("bad")) { _ in
                    start.finish()
                    while true {
                        try ReadLimit.current?.check()
                        sched_yield()
                    }
                }
            }
        }
        for await _ in started {}
        connection.end()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try await pool.perform(as: .token("bad")) { _ in }
    }

    @Test func `reads within a place take no other place`() async throws {
        let pool = ReadingPool(
            source: .folder(archive), limits: FairQueue.Limits(running: 1, runningOfToken: 1, runningOfTokens: 1))
        let accounts = try await pool.perform(as: .owner) { _ in
            try pool.performInPlace(as: .owner) { try $0.accounts() }
        }
        #expect(accounts.isEmpty)
    }

    @Test func `a waiting request starts no work if its sender's answers are unread`() async throws {
        let unsent = UnsentBytes(UnsentBytes.Limits(ofToken: 10), logger: Self.logger)
        let connection = Connection(unsent)
        unsent.add(10, of: .token("bad"))
        await #expect(throws: Problem.self) {
            try await Connection.$current.withValue(connection) { try await pool.perform(as: .token("bad")) { _ in } }
        }
        unsent.remove(1, of: .token("bad"))
        try await Connection.$current.withValue(connection) { try await pool.perform(as: .token("bad")) { _ in } }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `an account without readers is released`() async throws {
        try await archive.openWriter(AccountIdentity(name: "demo", network: "log")).close()
        _ = try await pool.perform(as: .owner) { try $0.rooms() }
        #expect(throws: ArchiveError.self) { try Archive(folder: folder.path).erase(account: "demo") }
        pool.release(unusedFor: .zero)
        _ = try Archive(folder: folder.path).erase(account: "demo")
        #expect(try await pool.perform(as: .owner) { try $0.accounts().isEmpty })
    }
}
