import ChatModel
import SLPWire

/// A transport of the packets of one Engine.IO session.
protocol EngineTransport: Sendable {
    /// Calls `body` with every packet in order until it returns false or the server ends the stream. Reads no more than
    /// a fixed amount while `body` waits. May be called once.
    func receive(_ body: (Decoded<EnginePacket>, ClockReading) async throws -> Bool) async throws

    /// Sends packets. Returns when they are on their way, or the server has accepted them. One caller at a time.
    func send(_ packets: [EnginePacket]) async throws
}
