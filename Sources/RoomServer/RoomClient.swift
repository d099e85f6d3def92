import Logging
import NIOCore
import StreamChatWire

/// One client's connection to the room.
struct RoomClient: Sendable {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// The limit of bytes in one write, for framings with delimiters. NIO reports a client as slow above this limit.
    private static let batchBytes = 64 * 1024

    private let id: ServedRoom.ClientID
    private let room: ServedRoom
    private let configuration: RoomServerConfiguration
    private let logger: Logger

    init(id: ServedRoom.ClientID, room: ServedRoom, configuration: RoomServerConfiguration, logger: Logger) {
        (self.id, self.room, self.configuration, self.logger) = (id, room, configuration, logger)
    }

    /// Serves the client until it leaves, disconnects, is refused or cut off, or the task is cancelled. Its errors
    /// affect no other client.
    func serve(_ connection: Connection) async {
        log("client connected")
        do {
            try await connection.executeThenClose { inbound, outbound in
                let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
                let outlet = ServedRoom.Outlet(wake: { waker.yield() }, cut: { connection.channel.close(promise: nil) })
                try await withThrowingTaskGroup { tasks in
                    defer {
                        room.leave(id)
                        tasks.cancelAll()
                    }
                    tasks.addTask { try await write(wakes, to: outbound) }
                    try await read(inbound, outlet)
                }
            }
            log("client disconnected")
        } catch {
            log("client lost", ["error": "\(error)"])
        }
    }

    /// Closes the connection: the protocol has no frame for a refusal.
    func refuse(_ connection: Connection) async {
        log("room full")
        try? await connection.executeThenClose { _, _ in }
    }

    /// Reads until the client leaves or its side of the connection has ended, with or without LEAVE.
    private func read(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ outlet: ServedRoom.Outlet) async throws {
        var decoder = ClientFrameDecoder(configuration.revision, maximumPayload: configuration.limits.frameBytes)
        var hasJoined = false
        for try await buffer in inbound {
            for decoded in decoder.read(Array(buffer.readableBytesView)) {
                switch decoded {
                case .malformed(_, let reason): log("malformed frame ignored", ["reason": "\(reason)"])
                case .frame(.leave): return
                case .frame(.message(let text)): post(text)
                case .frame(.join) where hasJoined: log("second join ignored")
                case .frame(.join(let name)):
                    guard isAcceptable(name) else { return log("name refused") }
                    room.join(id, name: name, outlet: outlet)
                    hasJoined = true
                    log("client joined")
                }
            }
        }
        if decoder.finish() != nil { log("malformed frame ignored", ["reason": "unterminated"]) }
    }

    /// Sends a message to the room. Ignores one that comes before the join, is too long or contains reserved texts.
    private func post(_ text: String) {
        do {
            try Outgoing.validate(text: text)
            room.post(text, by: id)
        } catch {
            log("message ignored", ["reason": "\(error.code)"])
        }
    }

    /// Returns true if a name is valid: 1 to 10 Characters without `::` and without control characters, which would
    /// break notices.
    private func isAcceptable(_ name: String) -> Bool {
        guard (try? Outgoing.validate(name: name)) != nil else { return false }
        return !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    private func write(_ wakes: AsyncStream<Void>, to outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws
    {
        for await _ in wakes {
            while case let lines = room.take(id, bytes: Self.batchBytes), !lines.isEmpty {
                if configuration.framing == .chunk {
                    // Writes each line separately, so that lines of different times come in different reads of the
                    // client.
                    for line in lines { try await outbound.write(line) }
                } else {
                    try await outbound.write(Self.joined(lines))
                }
            }
        }
    }

    private static func joined(_ lines: ArraySlice<ByteBuffer>) -> ByteBuffer {
        var all = ByteBuffer()
        all.reserveCapacity(lines.reduce(0) { $0 + $1.readableBytes })
        for line in lines { all.writeImmutableBuffer(line) }
        return all
    }

    private func log(_ message: Logger.Message, _ metadata: Logger.Metadata = [:]) {
        logger.debug(message, metadata: metadata.merging(["client": "\(id)"]) { value, _ in value })
    }
}
