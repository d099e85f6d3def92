import ChatModel
import SocketIOWire

/// Carries the packets of one Engine.IO session.
protocol EngineTransport: Sendable {
    /// Passes every packet in order to `body` until that returns false or the server ends the stream. Reads no more
    /// than a fixed amount while `body` waits. May be called once.
    func receive(_ body: (Decoded<EnginePacket>, ClockReading) async throws -> Bool) async throws

    /// Returns when the packets are on their way, or the server has accepted them. One caller at a time.
    func send(_ packets: [EnginePacket]) async throws
}
