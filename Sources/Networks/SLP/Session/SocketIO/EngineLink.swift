import AsyncAlgorithms
import ChatModel
import SLPWire
import Sessions

/// Runs one session over its transport, with three tasks that read, write and watch for silence. Passes on the server's
/// events one by one: the consumer takes each before the next is read.
final class EngineLink: Sendable {
    let events = AsyncThrowingChannel<SocketIOEvent, any Error>()
    let outbox = EngineOutbox()
    let watch: SilenceWatch

    private let transport: any EngineTransport
    private let opening: EngineOpening
    private let configuration: SocketIOConfiguration
    private let clock: any Clock<Duration>

    init(
        _ transport: any EngineTransport, opening: EngineOpening, configuration: SocketIOConfiguration,
        clock: any Clock<Duration>
    ) {
        (self.transport, self.opening, self.configuration, self.clock) = (transport, opening, configuration, clock)
        watch = SilenceWatch(clock: clock)
    }

    /// Runs until the session ends or the task is cancelled. The events end with an error, unless the server closed the
    /// session.
    func run() async {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.read() }
                group.addTask { try await self.write() }
                group.addTask { try await self.watchForSilence() }
                try await group.next()
                group.cancelAll()
            }
            events.finish()
        } catch {
            events.fail(ConnectionError(error, configuration))
        }
    }

    /// Ends the session, after the waiting packets are sent.
    func leave() {
        outbox.finish()
    }

    private func write() async throws {
        try await outbox.drain(maximumBytes: opening.handshake.maximumPayload, transport.send)
    }

    private func watchForSilence() async throws {
        let limit = opening.handshake.silenceLimit
        await watch.waitForSilence(of: limit)
        guard !Task.isCancelled else { return }
        throw ConnectionError(
            code: .timedOut,
            detail: "\(configuration.peer) has been silent for \(limit.rounded), longer than it announced")
    }

    private func read() async throws {
        var decoder = SocketDecoder(limits: configuration.limits)
        var last = opening.at
        for packet in opening.others {
            guard try await handle(packet, last, &decoder) else { return }
        }
        try await transport.receive { packet, at in
            last = at
            return try await handle(packet, at, &decoder)
        }
        for packet in decoder.finish() { try await deliver(packet, last) }
    }

    /// Handles a packet. Returns false at the session's end.
    private func handle(
        _ packet: Decoded<EnginePacket>, _ at: ClockReading, _ decoder: inout SocketDecoder
    ) async throws -> Bool {
        watch.pause()
        defer { watch.resume() }
        switch packet {
        case .packet(.message(let text)):
            for packet in decoder.read(message: text) { try await deliver(packet, at) }
        case .packet(.binary(let data)):
            for packet in decoder.read(attachment: data) { try await deliver(packet, at) }
        case .packet(.ping):
            outbox.pushPong()
            await events.send(SocketIOEvent(content: .signOfLife, at: at))
        case .packet(.close):
            return false
        case .packet(.open), .packet(.pong), .packet(.upgrade), .packet(.noop):
            await events.send(SocketIOEvent(content: .signOfLife, at: at))
        case .malformed(let bytes, let reason):
            try await deliver(.malformed(bytes, reason), at)
        }
        return !Task.isCancelled
    }

    private func deliver(_ packet: Decoded<SocketPacket>, _ at: ClockReading) async throws {
        switch packet {
        case .packet(let packet):
            let content = SocketIOEvent.Content(packet) ?? .unreadable(packet.payload, .invalidPayload)
            await events.send(SocketIOEvent(content: content, at: at))
        case .malformed(_, .tooLong):
            throw ConnectionError.tooLong(configuration)
        case .malformed(let bytes, let reason):
            await events.send(SocketIOEvent(content: .unreadable(bytes, reason), at: at))
        }
    }
}

/// The beginning of a session.
struct EngineOpening: Sendable {
    var handshake: Handshake
    /// Packets that came together with the handshake.
    var others: [Decoded<EnginePacket>] = []
    var at: ClockReading
}
