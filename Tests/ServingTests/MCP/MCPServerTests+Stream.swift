import Archive
import ChatModel
import Foundation
import MCP
import Operations
import Rendering
import Synchronization
import TestSupport
import Testing

/// Requests that come as a stream of bytes.
extension MCPServerTests {
    @Test func `a stream gets answers in complete lines, at every split`() async throws {
        try await fixture.store { [said("hello", 1, in: $0)] }
        let input = Array(
            """
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}\r
            {"jsonrpc": "2.0", "method": "notifications/initialized"}

            {"jsonrpc": "2.0", "id": "말", "method": "tools/call", "params": {"name": "list_rooms"}}
            garbage
            {"jsonrpc": "2.0", "id": 3, "method": "ping"}

            """.utf8)
        let reading = fixture.archive.reading()
        for place in stride(from: 0, through: input.count, by: 7) {
            let written = Mutex<[String]>([])
            let stream = MCPStream(server: server()) { _, body in
                try body(reading)
            } write: { line in
                written.withLock { $0.append(line) }
            }
            let (parts, parting) = AsyncStream<[UInt8]>.makeStream()
            for part in [input[..<place], input[place...]] where !part.isEmpty { parting.yield(Array(part)) }
            parting.finish()
            try await stream.run(parts)
            let lines = written.withLock(\.self)
            #expect(lines.count == 4 && lines.allSatisfy { $0.hasSuffix("}\n") && $0.filter(\.isNewline).count == 1 })
            for id in ["1", "\"말\"", "null", "3"] {
                let count = lines.count { $0.hasPrefix("{\"jsonrpc\": \"2.0\", \"id\": \(id),") }
                #expect(count == 1, "\(place): \(id)")
            }
        }
    }

    @Test func `a line that is too long is refused, and the next one is answered`() async throws {
        let reading = fixture.archive.reading()
        let written = Mutex<[String]>([])
        let stream = MCPStream(server: server()) { _, body in
            try body(reading)
        } write: { line in
            written.withLock { $0.append(line) }
        }
        let (parts, parting) = AsyncStream<[UInt8]>.makeStream()
        for _ in 0..<64 { parting.yield([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)) }
        parting.yield(Array("\n{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": \"ping\"}\n".utf8))
        parting.finish()
        try await stream.run(parts)
        let lines = written.withLock(\.self)
        #expect(lines.count == 2 && lines[0].contains("-32600") && lines[1].contains(#""id": 3"#), "\(lines)")
    }

    @Test func `a cancelled request is not answered`() async throws {
        let (reached, reaching) = AsyncStream<Void>.makeStream()
        let written = Mutex<[String]>([])
        let stream = MCPStream(server: server()) { _, _ in
            reaching.yield()
            try await Task.sleep(for: .seconds(3600))
            return .null
        } write: { line in
            written.withLock { $0.append(line) }
        }
        let (parts, parting) = AsyncStream<[UInt8]>.makeStream()
        parting.yield(
            Array(#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "list_rooms"}}"#.utf8) + [10]
        )
        let running = Task { try await stream.run(parts) }
        for await _ in reached { break }
        let cancel = #"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}"#
        parting.yield(Array(cancel.utf8) + [10])
        parting.finish()
        try await running.value
        let isEmpty = written.withLock(\.isEmpty)
        #expect(isEmpty)
    }
}
