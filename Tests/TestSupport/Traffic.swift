import Synchronization

/// A client that sends messages without end: `word 1`, `word 2`, …
package final class Traffic: Sendable {
    private let state = Mutex((count: 0, isOver: false))
    private let socket: ChatSocket
    private let padding: String

    package init(_ socket: ChatSocket, padding: Int = 0) {
        self.socket = socket
        self.padding = String(repeating: "x", count: padding)
    }

    /// The number of sent messages.
    package var count: Int { state.withLock { $0.count } }

    /// Sends messages while `body` runs. No message is in flight when this returns.
    package func run<Result>(while body: () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.talk() }
            defer { state.withLock { $0.isOver = true } }
            let result = try await body()
            state.withLock { $0.isOver = true }
            try await group.waitForAll()
            return result
        }
    }

    private func talk() async throws {
        while !state.withLock({ $0.isOver }) {
            try socket.send("MSG::word \(count + 1)\(padding)::END")
            state.withLock { $0.count += 1 }
            // Leaves processor time to others.
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
