import ChatModel
import NIOCore
import NIOWebSocket
import SLPWire

/// Carries packets over a WebSocket, one per message.
struct WebSocketTransport: EngineTransport {
    let inbound: NIOAsyncChannelInboundStream<StampedFrame>
    let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>

    func receive(_ body: (Decoded<EnginePacket>, ClockReading) async throws -> Bool) async throws {
        for try await stamped in inbound {
            let (frame, at) = (stamped.frame, stamped.at)
            switch frame.opcode {
            case .text:
                guard try await body(EnginePacket.decode(text: frame.bytes), at) else { return }
            case .binary:
                guard try await body(.packet(.binary(frame.bytes)), at) else { return }
            case .ping:
                try await outbound.write(.own(.pong, frame.bytes))
            case .connectionClose:
                // Answers a close frame with a close frame (RFC 6455 §5.5.1). Who closes first does not matter.
                try? await outbound.write(.own(.connectionClose, Array(frame.bytes.prefix(2))))
                return
            default:
                break
            }
        }
        // The connection ended without a close frame or a close packet.
        if !Task.isCancelled { throw ChannelError.eof }
    }

    func send(_ packets: [EnginePacket]) async throws {
        for packet in packets {
            try await outbound.write(.own(packet.isBinary ? .binary : .text, packet.encoded))
        }
    }
}

/// A frame, with the clocks at the time of the read.
struct StampedFrame: Sendable {
    var frame: WebSocketFrame
    var at: ClockReading
}

extension WebSocketFrame {
    var bytes: [UInt8] { Array(unmaskedData.readableBytesView) }

    /// Returns a masked frame, as required of clients (RFC 6455 §5.3).
    static func own(_ opcode: WebSocketOpcode, _ bytes: [UInt8]) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: ByteBuffer(bytes: bytes))
    }
}
