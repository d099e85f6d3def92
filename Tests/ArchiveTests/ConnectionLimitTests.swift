import ChatModel
import Foundation
import SearchText
import TestSupport
import Testing

@testable import Archive
@testable import Files
@testable import Reading
@testable import Writing

@Suite struct ConnectionLimitTests {
    private final class Holder: ConnectionHolder {
        private let closing: @Sendable (Holder) -> Void

        init(_ closing: @escaping @Sendable (Holder) -> Void = { _ in }) {
            self.closing = closing
        }

        func closeIdle() { closing(self) }
    }

    @Test func `the limit closes the least recently used connection, and none in use`() throws {
        let closed = Names()
        let limit = ConnectionLimit(maximum: 3, timeout: .milliseconds(1))
        let holders = ["a", "b", "c", "d", "e"].map { name in Holder { _ in closed.add(name) } }
        for index in 0..<3 {
            try limit.acquire(holders[index])
            limit.release(holders[index])
        }
        try limit.acquire(holders[0])
        try limit.acquire(holders[3])
        #expect(closed.all == ["b"])
        try limit.acquire(holders[4])
        #expect(closed.all == ["b", "c"] && limit.count == 3)
        let error = #expect(throws: ArchiveError.self) { try limit.acquire(holders[1]) }
        #expect(error == ArchiveError(code: .tooManyOpen, detail: "3 accounts are open, and all are in use"))
        try limit.acquire(holders[4])
        limit.release(holders[4])
        #expect(throws: ArchiveError.self) { try limit.acquire(holders[1]) }
        limit.release(holders[4])
        try limit.acquire(holders[1])
        #expect(closed.all == ["b", "c", "e"])
        limit.remove(holders[0])
        try limit.acquire(holders[2])
        #expect(closed.all == ["b", "c", "e"] && limit.count == 3)
    }

    @Test func `closing one connection doesn't block others, and its owner waits for the end`() throws {
        let outcome = Names()
        let limit = ConnectionLimit(maximum: 2, timeout: .seconds(0))
        let other = Holder()
        let closing = Holder { itself in
            if (try? limit.acquire(other)) != nil { outcome.add("the other is used") }
            limit.release(other)
            if (try? limit.acquire(itself)) == nil { outcome.add("it is not") }
        }
        for holder in [closing, other] {
            try limit.acquire(holder)
            limit.release(holder)
        }
        try limit.acquire(Holder())
        #expect(outcome.all == ["the other is used", "it is not"] && limit.count == 2)
    }

    @Test(.timeLimit(.minutes(MachineSpeed.minutes(5))))
    func `a waiting thread or task gets a connection as soon as one is released`()
        async throws
    {
        let limit = ConnectionLimit(maximum: 1, timeout: .seconds(3600))
        let holders = (0..<3).map { _ in Holder() }
        try limit.acquire(holders[0])
        async let aside: Void = limit.acquireSuspending(holders[1])
        try await eventually("it waits") { limit.waiting == 1 ? true : nil }
        limit.release(holders[0])
        try await aside
        async let blocked: Void = DispatchQueue(label: "test").runBlocking { try limit.acquire(holders[2]) }
        try await eventually("it waits") { limit.waiting == 1 ? true : nil }
        limit.remove(holders[1])
        try await blocked
        #expect(limit.waiting == 0 && limit.count == 1)
    }

    @Test(.timeLimit(.minutes(MachineSpeed.minutes(5))))
    func `a cancelled task does not wait for a connection`() async throws {
        let limit = ConnectionLimit(maximum: 1, timeout: .seconds(3600))
        let (user, other) = (Holder(), Holder())
        try limit.acquire(user)
        let task = Task { try await limit.acquireSuspending(other) }
        try await eventually("it waits") { limit.waiting == 1 ? true : nil }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(limit.waiting == 0)
    }

    @Test func `many accounts share a few connections and lose nothing`() async throws {
        let fixture = try ArchiveFixture()
        let archive = Archive(folder: fixture.archive.folder, openConnections: 3)
        let names = (0..<12).map { "account\($0)" }
        var writers: [(AccountWriter, SessionID)] = []
        for name in names {
            let writer = try await archive.openWriter(AccountIdentity(name: name, network: "streamchat"))
            writers.append((writer, try await writer.openSession()))
        }
        for round in 0..<5 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (writer, session) in writers {
                    group.addTask { _ = try await writer.append([.said("서버 \(round)", at: Int64(round), in: session)]) }
                }
                try await group.waitForAll()
            }
            #expect(try openFiles(below: fixture.archive.folder) <= 9)
        }
        let page = try archive.reading().page(
            MessageQuery(scope: .accounts(names), limit: 1000),
            matching: SearchScope(query: SearchQuery(parsing: "서버")))
        #expect(page.messages.count == 60)
        #expect(try openFiles(below: fixture.archive.folder) <= 9)
        for (writer, _) in writers { try await writer.close() }
    }

    /// Descriptors of account files and what SQLite keeps beside them.
    private func openFiles(below folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
            return target.map { $0.hasPrefix(folder + "/accounts") && $0.contains(".sqlite") } ?? false
        }
    }
}

private final class Names: @unchecked Sendable {
    private let lock = NSLock()
    private var names: [String] = []

    func add(_ name: String) { lock.withLock { names.append(name) } }

    var all: [String] { lock.withLock { names } }
}
