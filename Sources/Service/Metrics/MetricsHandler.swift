import NIOCore
import NIOHTTP1
import Settings

/// Answers one request and closes the connection.
final class MetricsHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let time: TimeAmount
    private let metrics: @Sendable (_ isDetailed: Bool) async -> String
    private var request: HTTPRequestHead?
    private var deadline: Scheduled<Void>?

    init(time: TimeAmount, metrics: @escaping @Sendable (_ isDetailed: Bool) async -> String) {
        self.time = time
        self.metrics = metrics
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = head
        case .body:
            break
        case .end:
            guard let request else { return }
            answer(request, channel: context.channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ request: HTTPRequestHead, channel: any Channel) {
        if let refusal = MetricsRefusal(request) {
            return Self.write(
                refusal.text, status: refusal.status, headers: refusal.headers, for: request, to: channel)
        }
        let isDetailed = request.uri.hasSuffix("?detail=1")
        channel.eventLoop.makeFutureWithTask { [metrics] in await metrics(isDetailed) }.whenSuccess { text in
            let headers = HTTPHeaders([("Content-Type", MetricsText.contentType)])
            Self.write(text, status: .ok, headers: headers, for: request, to: channel)
        }
    }

    private static func write(
        _ text: String, status: HTTPResponseStatus, headers: HTTPHeaders, for request: HTTPRequestHead,
        to channel: any Channel
    ) {
        var headers = headers
        headers.add(name: "Content-Length", value: String(text.utf8.count))
        headers.add(name: "Connection", value: "close")
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        if request.method != .HEAD {
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text))), promise: nil)
        }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
    }
}

/// The reason why a request gets no metrics.
struct MetricsRefusal: Sendable {
    var status: HTTPResponseStatus
    /// The answer, for people.
    var text: String
    var headers = HTTPHeaders([("Content-Type", "text/plain; charset=utf-8")])

    /// Nil if the request gets the metrics.
    init?(_ request: HTTPRequestHead) {
        let hosts = request.headers["host"]
        guard let host = hosts.first, hosts.count == 1, MetricsAddress.isOurs(hostHeader: host) else {
            (status, text) = (.forbidden, "Use 127.0.0.1, [::1] or localhost as the host; other names are refused.\n")
            return
        }
        guard ["/metrics", "/metrics?detail=1"].contains(request.uri) else {
            (status, text) = (.notFound, "Not found; try /metrics, or /metrics?detail=1 for more of each account.\n")
            return
        }
        guard request.method == .GET || request.method == .HEAD else {
            (status, text) = (.methodNotAllowed, "Use GET or HEAD.\n")
            headers.add(name: "Allow", value: "GET, HEAD")
            return
        }
        return nil
    }
}
