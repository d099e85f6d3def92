import SLPWire
import Synchronization
import Testing

@testable import SLP
@testable import Sessions

struct EngineOutboxTests {
    private func sent(_ outbox: EngineOutbox, maximumBytes: Int = 1_000_000) async throws -> [[EnginePacket]] {
        outbox.finish()
        var sent: [[EnginePacket]] = []
        try await outbox.drain(maximumBytes: maximumBytes) { sent.append($0) }
        return sent
    }

    private func message(_ bytes: Int) -> EnginePacket {
        .message([UInt8](repeating: 0x61, count: bytes))
    }

    @Test func `no request body has more packets than a server accepts`() async throws {
        let outbox = EngineOutbox()
        let packets = (0..<40).map { message($0) }
        #expect(outbox.push(packets))
        #expect(try await sent(outbox).map(\.count) == [16, 16, 8, 1])
    }

    @Test func `only a single large packet can exceed the server's body limit`() async throws {
        let outbox = EngineOutbox()
        let packets = [40, 40, 200, 10, 10].map(message)
        #expect(outbox.push(packets))
        let bodies = try await sent(outbox, maximumBytes: 100)
        #expect(bodies == [Array(packets[0...1]), [packets[2]], Array(packets[3...4]), [.close]])
        #expect(PolledBody.encode(bodies[0]).count <= 100)
    }

    @Test func `one pong answers all earlier pings`() async throws {
        let outbox = EngineOutbox()
        for _ in 0..<1000 { outbox.pushPong() }
        #expect(outbox.push([message(1)]))
        #expect(try await sent(outbox) == [[.pong([]), message(1)], [.close]])
    }

    @Test func `a full or closed outbox accepts nothing`() async throws {
        let outbox = EngineOutbox()
        #expect(outbox.push(Array(repeating: .noop, count: EngineOutbox.limit)))
        #expect(!outbox.push([.noop]))
        #expect(try await sent(outbox).count == EngineOutbox.limit / 16 + 1)
        #expect(!outbox.push([.noop]))
    }
}
