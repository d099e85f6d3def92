import Crypto
import Foundation
import NIOCore
import SLPWire
import TestSupport
import Testing

@testable import SLP
@testable import Sessions

/// What a WebSocket may do and python-socketio's does not.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SocketIORawWebSocketTests {
    private static let open = #"0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000}"#

    /// A frame of up to 125 bytes (RFC 6455 §5.2); 0x80 is a message's last one, 1 text, 8 close, 9 ping, 10 pong.
    private static func frame(_ head: UInt8, _ text: String) -> [UInt8] {
        [head, UInt8(text.utf8.count)] + text.utf8
    }

    /// What a client's frame says, whose mask follows its length.
    private static func unmasked(_ frame: [UInt8]) -> [UInt8] {
        zip(frame.dropFirst(6), (0...).lazy.map { frame[2 + $0 % 4] }).map { $0 ^ $1 }
    }

    private static func accept(_ request: String) -> String {
        let key = request.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst(19) ?? ""
        let hash = Insecure.SHA1.hash(data: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(Data(hash).base64EncodedString())\r\n\r\n"
    }

    /// A server that refuses polling and says this in one write with its answer to the WebSocket; then it `replies` to what
    /// comes, and hangs up where that is nil.
    private static func withSession(
        saying frames: [[UInt8]], replies: @escaping @Sendable ([UInt8]) -> [UInt8]? = { _ in [] },
        _ body: @escaping @Sendable (SocketIOConnection, SocketIORecorder) async throws -> Void
    ) async throws {
        try await LoopbackServer.run { number, inbound, outbound in
            var isOpen = false
            for try await read in inbound {
                guard number == 1 else {
                    return try await outbound.write(
                        ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                    )
                }
                let answer =
                    isOpen
                    ? replies(Array(read.readableBytesView))
                    : Array(accept(String(buffer: read)).utf8) + frames.flatMap { $0 }
                guard let answer else { return }
                try await outbound.write(ByteBuffer(bytes: answer))
                isOpen = true
            }
        } body: { server in
            let configuration = SocketIOConfiguration(host: "127.0.0.1", port: server.port, isSecure: false)
            try await SLPTests.withSession(configuration) { connection, recorder in
                #expect(connection.transport == .webSocket)
                try await body(connection, recorder)
            }
        }
    }

    @Test func `bytes that arrive with the WebSocket's handshake are not lost`() async throws {
        let events = (0..<3).map { Self.frame(0x81, "42/a,[\"channel\",\($0)]") }
        try await Self.withSession(saying: [Self.frame(0x81, Self.open)] + events + [Self.frame(0x88, "")]) {
            _, recorder in
            #expect(await recorder.hasEnded() == nil)
            #expect(recorder.arguments == ["0", "1", "2"])
        }
    }

    @Test func `a fragmented message is one, and a ping between its parts is answered`() async throws {
        let frames = [
            Self.frame(0x81, Self.open), Self.frame(0x01, "42/a,[\"chan"), Self.frame(0x89, "hi"),
            Self.frame(0x00, "nel\","), Self.frame(0x00, ""), Self.frame(0x80, "1]"),
        ]
        let answers = Watched<[[UInt8]]>([])
        try await Self.withSession(saying: frames) { answer in
            answers.change { $0.append(answer) }
            return answers.value.count == 1 ? Self.frame(0x88, "") : []
        } _: { _, recorder in
            await answers.wait { !$0.isEmpty }
            let pong = answers.value[0]
            #expect(pong.prefix(2) == [0x8A, 0x82] && Self.unmasked(pong) == Array("hi".utf8))
            #expect(await recorder.hasEnded() == nil)
            #expect(recorder.arguments == ["1"])
        }
    }

    @Test func `an end without a closing frame is an error`() async throws {
        try await Self.withSession(saying: [Self.frame(0x81, Self.open)], replies: { _ in nil }) {
            connection, recorder in
            #expect(connection.connect("/a"))
            #expect(await recorder.hasEnded()?.code == .reset)
        }
    }

    @Test func `a frame that announces too much is refused at once`() async throws {
        let endless: [UInt8] = [0x81, 127, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]
        try await Self.withSession(saying: [Self.frame(0x81, Self.open), endless]) { _, recorder in
            #expect(await recorder.hasEnded()?.detail.contains("sent a packet of more than") == true)
        }
    }
}
