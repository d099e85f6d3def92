import Archive
import Bytes
import Synchronization

/// Speaks the protocol over a stream in each direction, one message a line, as clients that start the program do.
package struct MCPStream: Sendable {
    private let server: MCPServer
    private let read: MCPServer.Reading
    private let write: @Sendable (String) throws -> Void

    /// The number of messages that are answered at once. Further ones wait unread.
    private static let atOnce = 4

    /// - Parameters:
    ///   - read: Reads the archive.
    ///   - write: Writes a line. Is called by one task at a time.
    package init(
        server: MCPServer, read: @escaping MCPServer.Reading, write: @escaping @Sendable (String) throws -> Void
    ) {
        (self.server, self.read, self.write) = (server, read, write)
    }

    /// The running requests by id, so that they can be cancelled.
    private final class Running: Sendable {
        private let tasks = Mutex<[String: Task<MCPServer.Answer, Never>]>([:])

        func add(_ id: String, _ task: Task<MCPServer.Answer, Never>) { tasks.withLock { $0[id] = task } }
        func remove(_ id: String) { tasks.withLock { $0[id] = nil } }
        /// Cancels a request. Its answer is not sent.
        func cancel(_ id: String) { tasks.withLock { $0.removeValue(forKey: id) }?.cancel() }
        func has(_ id: String) -> Bool { tasks.withLock { $0[id] != nil } }
    }

    /// Answers until the client closes its stream.
    ///
    /// - Parameter parts: The received bytes, in any parts.
    /// - Throws: ``ReaderLeft`` if the client no longer reads; other errors of writing.
    package func run<Parts: AsyncSequence>(_ parts: Parts) async throws where Parts.Element == [UInt8] {
        var lines = LineBuffer(limit: MCPMessage.limit)
        let running = Running()
        let output = OneByOne(write)
        try await withThrowingTaskGroup(of: Void.self) { group in
            var count = 0
            for try await part in parts {
                var rest = part[...]
                while let line = lines.next(in: &rest) {
                    guard let task = try await begin(line, running, output) else { continue }
                    if count == Self.atOnce { try await group.next() } else { count += 1 }
                    group.addTask { try await task() }
                }
            }
            // A client that has closed its stream may still read the last answers.
            try await group.waitForAll()
        }
    }

    /// Reads a message, and returns the rest of the work on it; nil if nothing is left.
    private func begin(
        _ line: LineBuffer.Line, _ running: Running, _ output: OneByOne
    ) async throws -> (@Sendable () async throws -> Void)? {
        // A cut line is longer than a message may be.
        let bytes = line.isCut ? line.bytes + [0] : line.bytes
        guard !bytes.allSatisfy({ $0 <= UInt8(ascii: " ") }) else { return nil }
        switch server.request(bytes) {
        case .failure(let refusal):
            try await output.write(refusal.answer)
            return nil
        case .success(let request):
            if let cancelled = request.cancelled { running.cancel(cancelled) }
            guard let id = request.id else { return nil }
            let task = Task { await server.answer(request, read) }
            running.add(id, task)
            return {
                let answer = await task.value
                guard running.has(id) else { return }
                running.remove(id)
                try await output.write(answer)
            }
        }
    }
}

/// Writes answers one by one.
private actor OneByOne {
    private let line: @Sendable (String) throws -> Void

    init(_ line: @escaping @Sendable (String) throws -> Void) { self.line = line }

    func write(_ answer: MCPServer.Answer) throws {
        if let text = answer.text { try line(text + "\n") }
    }
}
