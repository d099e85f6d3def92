import ChatModel
import SocketIOWire

/// A way to carry the packets of one Engine.IO session.
protocol EngineTransport: Sendable {
    /// Hands over one packet after the other, in order, until `body` returns false or the server ends the stream; while it
    /// waits, no more than a fixed amount is read. One caller only, once.
    func receive(_ body: (Decoded<EnginePacket>, ClockReading) async throws -> Bool) async throws

    /// Returns when the packets are on their way, or the server has taken them. One caller at a time.
    func send(_ packets: [EnginePacket]) async throws
}
