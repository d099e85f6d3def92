import Crypto
import Foundation
import NIOCore
import NIOPosix

/// A server with a test's script, which answers correctly up to a stage, and hangs after that in one of several ways.
package struct StalledServer: Sendable {
    package enum Way: String, Sendable, CaseIterable {
        /// Sends nothing more.
        case silent
        /// Sends a byte now and then, and never the end of a message.
        case trickling
        /// Sends as much as the client takes.
        case flooding
    }

    /// The server's texts before it hangs. Each character is a byte.
    package struct Script: Sendable {
        /// The answers in order: each for a line with certain words.
        package var steps: [(awaits: String, says: String)] = []
        /// The answers to HTTP requests whose first line has certain words, once each. A request without an answer
        /// hangs, and so does a connection that becomes a WebSocket.
        package var routes: [(awaits: String, says: String)] = []
        /// The beginning of the bytes that trickle or flood.
        package var head = ""
        /// Returns one unit of the flood by its number. As many units as fill some reads are repeated.
        package var unit: @Sendable (Int) -> String = { _ in "" }

        fileprivate func floodBuffer(bytes: Int) -> ByteBuffer {
            var buffer = ByteBuffer()
            var number = 0
            while buffer.readableBytes < bytes {
                buffer.writeBytes(unit(number).latin1)
                number += 1
            }
            return buffer
        }

        package init() {}
    }

    package let port: Int
    /// The number of connections that hang.
    package let stalled: Watched<Int>
    private let channel: any Channel

    /// The number of bytes of a flood that are written at once. They are prepared once, so that the test takes little
    /// processor time.
    private static let floodBytes = 256 * 1024

    package static func start(_ script: Script, _ way: Way) async throws -> StalledServer {
        let stalled = Watched(0)
        let flood = way == .flooding ? script.floodBuffer(bytes: floodBytes) : ByteBuffer()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 16)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(StalledPeer(script, way, flood, stalled))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return StalledServer(port: channel.localAddress?.port ?? 0, stalled: stalled, channel: channel)
    }

    package func stop() {
        channel.close(promise: nil)
    }

    /// Returns the answer with which a connection becomes a WebSocket (RFC 6455 §4.2.2).
    ///
    /// - Parameter key: The request's `Sec-WebSocket-Key`.
    package static func webSocket(key: String) -> String {
        let accepted = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(Data(accepted).base64EncodedString())\r\n\r\n"
    }

    /// Returns an HTTP answer with this body.
    package static func answer(_ body: String, status: String = "200 OK") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}

private final class StalledPeer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let trickle = TimeAmount.milliseconds(100)
    private var script: StalledServer.Script
    private let way: StalledServer.Way
    private let flood: ByteBuffer
    private let stalled: Watched<Int>
    private var heard = ""
    private var isStalled = false

    init(
        _ script: StalledServer.Script, _ way: StalledServer.Way, _ flood: ByteBuffer, _ stalled: Watched<Int>
    ) {
        (self.script, self.way, self.flood, self.stalled) = (script, way, flood, stalled)
    }

    func channelActive(context: ChannelHandlerContext) {
        if script.steps.isEmpty, script.routes.isEmpty { stall(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isStalled else { return }
        heard += String(buffer: unwrapInboundIn(data))
        if script.routes.isEmpty { followSteps(context) } else { followRoutes(context) }
    }

    private func followSteps(_ context: ChannelHandlerContext) {
        while let step = script.steps.first, let found = heard.range(of: step.awaits) {
            heard = String(heard[found.upperBound...])
            script.steps.removeFirst()
            say(step.says, context)
        }
        if script.steps.isEmpty { stall(context) }
    }

    private func followRoutes(_ context: ChannelHandlerContext) {
        while !isStalled, let request = takeRequest() {
            guard let index = script.routes.firstIndex(where: { request.line.contains($0.awaits) }) else {
                return stall(context)
            }
            let says = script.routes.remove(at: index).says
            guard let key = request.key else {
                say(says, context)
                continue
            }
            say(StalledServer.webSocket(key: key) + says, context)
            stall(context)
        }
    }

    /// Takes a complete request. Returns its first line, and the key of a request for a WebSocket; nil if the request
    /// is not complete.
    private func takeRequest() -> (line: String, key: String?)? {
        guard let head = heard.range(of: "\r\n\r\n") else { return nil }
        let fields = heard[..<head.lowerBound].split(separator: "\r\n")
        func value(_ name: String) -> String? {
            let field = fields.first { $0.lowercased().hasPrefix(name + ":") }
            return field.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
        let bytes = value("content-length").flatMap { Int($0) } ?? 0
        let rest = heard[head.upperBound...]
        guard rest.utf8.count >= bytes else { return nil }
        heard = String(decoding: rest.utf8.dropFirst(bytes), as: UTF8.self)
        return fields.first.map { (String($0), value("sec-websocket-key")) }
    }

    private func stall(_ context: ChannelHandlerContext) {
        isStalled = true
        stalled.change { $0 += 1 }
        guard way != .silent else { return }
        say(script.head, context)
        if way == .trickling { trickle(context) } else { sendFlood(context) }
    }

    private func trickle(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        say("a", context)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.trickle) { bound.value.0.trickle(bound.value.1) }
    }

    private func sendFlood(_ context: ChannelHandlerContext) {
        guard flood.readableBytes > 0 else { return }
        while context.channel.isActive, context.channel.isWritable {
            context.writeAndFlush(wrapOutboundOut(flood), promise: nil)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard isStalled, way == .flooding else { return }
        // Writes later, because this may run within another write.
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.execute { bound.value.0.sendFlood(bound.value.1) }
    }

    private func say(_ text: String, _ context: ChannelHandlerContext) {
        guard !text.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: text.latin1)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

extension String {
    fileprivate var latin1: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
