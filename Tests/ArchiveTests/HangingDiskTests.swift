import ChatModel
import Foundation
import TestSupport
import Testing

@testable import Files
@testable import Writing

/// A disk that hangs keeps nobody waiting but those whose files are on it.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct HangingDiskTests {
    private let fixture: ArchiveFixture
    /// More than Swift's tasks share threads.
    private static let count = ProcessInfo.processInfo.activeProcessorCount + 2

    init() throws {
        try #require(FaultyDisk.isInstalled)
        fixture = try ArchiveFixture()
    }

    private func folder(_ name: String) throws -> String {
        (try fixture.file(of: name) as NSString).deletingLastPathComponent
    }

    private func hangs(_ folders: [String]) async throws {
        for folder in folders {
            try await eventually("\(folder) hangs") { FaultyDisk.hanging(folder) > 0 ? true : nil }
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `accounts with hanging files don't delay appends and status of another`() async throws {
        let names = (0..<Self.count).map { "slow\($0)" }
        var writers: [(AccountWriter, SessionID)] = []
        for name in names {
            let writer = try await fixture.openWriter(name)
            writers.append((writer, try await writer.openSession()))
        }
        let other = try await fixture.openWriter("other")
        let session = try await other.openSession()
        let folders = try names.map(folder)
        // As when others needed the connection, or it was in trouble.
        for (writer, _) in writers { writer.connections.closeIdle() }
        for folder in folders { FaultyDisk.hang(folder) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { for folder in folders { FaultyDisk.mend(folder) } }
            for (writer, session) in writers {
                group.addTask {
                    let outcomes = try await writer.append([.said("late", at: 1, in: session)])
                    guard case .new? = outcomes.first else { throw TestFailure() }
                }
            }
            try await hangs(folders)
            #expect(writers.allSatisfy { $0.0.trouble == nil })
            _ = try await other.append([.said("at once", at: 1, in: session)])
            #expect(try await other.status().messages == 1)
            let error = await #expect(throws: ArchiveError.self) { try await writers[0].0.status() }
            #expect(error?.code == .storage && error?.detail.hasSuffix("the disk has not answered for 2 s") == true)
            _ = try await other.append([.said("and again", at: 2, in: session)])
            #expect(try await other.status().messages == 2)
            for folder in folders { FaultyDisk.mend(folder) }
            try await group.waitForAll()
        }
        for (writer, _) in writers {
            #expect(try await writer.status().messages == 1, "what hung is stored once the disk is back")
            try await writer.close()
        }
        try await other.close()
    }

    @Test func `accounts that hang while opening don't delay later ones`() async throws {
        let names = (0..<Self.count).map { "slow\($0)" }
        for name in names + ["other"] { try await fixture.openWriter(name).close() }
        let folders = try names.map(folder)
        for folder in folders { FaultyDisk.hang(folder) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { for folder in folders { FaultyDisk.mend(folder) } }
            for name in names {
                group.addTask { [fixture] in try await fixture.openWriter(name).close() }
            }
            try await hangs(folders)
            let other = try await fixture.openWriter("other")
            _ = try await other.append([.said("at once", at: 1, in: try await other.openSession())])
            try await other.close()
            for folder in folders { FaultyDisk.mend(folder) }
            try await group.waitForAll()
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `connections that hang while closing don't delay others`() async throws {
        let limit = ConnectionLimit(maximum: 1)
        let (isClosing, mayClose) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let holders = (0..<Self.count).map { _ in
            HangingHolder {
                isClosing.signal()
                mayClose.wait()
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for holder in holders {
                let own = ConnectionLimit(maximum: 1)
                try await own.acquireSuspending(holder)
                own.release(holder)
                group.addTask {
                    let next = HangingHolder {}
                    try await own.acquireSuspending(next)
                    own.release(next)
                }
            }
            // As many threads as Swift's tasks share would all wait by now.
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "test").async {
                    for _ in 0..<Self.count { isClosing.wait() }
                    continuation.resume()
                }
            }
            let other = HangingHolder {}
            try await limit.acquireSuspending(other)
            limit.release(other)
            for _ in holders { mayClose.signal() }
            try await group.waitForAll()
        }
    }
}

private final class HangingHolder: ConnectionHolder {
    private let closing: @Sendable () -> Void

    init(_ closing: @escaping @Sendable () -> Void) {
        self.closing = closing
    }

    func closeIdle() { closing() }
}
