import ChatModel
import NIOCore
import NIOWebSocket
import SocketIOWire

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
                // RFC 6455 §5.5.1: answered in kind; who closes first does not matter to us.
                try? await outbound.write(.own(.connectionClose, Array(frame.bytes.prefix(2))))
                return
            default:
                break
            }
        }
        // No close frame, nor a close packet before.
        if !Task.isCancelled { throw ChannelError.eof }
    }

    func send(_ packets: [EnginePacket]) async throws {
        for packet in packets {
            try await outbound.write(.own(packet.isBinary ? .binary : .text, packet.encoded))
        }
    }
}

/// A frame, and the clocks when it was read.
struct StampedFrame: Sendable {
    var frame: WebSocketFrame
    var at: ClockReading
}

extension WebSocketFrame {
    var bytes: [UInt8] { Array(unmaskedData.readableBytesView) }

    /// Makes a masked frame, as a client has to (RFC 6455 §5.3).
    static func own(_ opcode: WebSocketOpcode, _ bytes: [UInt8]) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: ByteBuffer(bytes: bytes))
    }
}
