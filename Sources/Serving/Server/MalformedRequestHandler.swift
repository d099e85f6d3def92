import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers a request that can't be parsed with a problem, in place of the library's answer, which has no body.
final class MalformedRequestHandler: ChannelOutboundHandler, RemovableChannelHandler, Sendable {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The answer of the library (Hummingbird 2.28), after which it closes the connection. No route answers so.
    private static let empty = HTTPResponse(
        status: .badRequest, headerFields: [.connection: "close", .contentLength: "0"])

    private let refusals: RefusalLog

    init(refusals: RefusalLog) {
        self.refusals = refusals
    }

    private static let problem = Problem(
        .badRequest, "usage", "the request can't be read as HTTP",
        hint: "percent-encode the address, such as %EC%95%88 for 안; check the method; send at most 48 KiB of headers")

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head == Self.empty else {
            return context.write(data, promise: promise)
        }
        refusals.note(Self.problem, reason: "malformed", peer: context.remoteAddress?.ipAddress)
        let body = ByteBuffer(string: Self.problem.document)
        head.headerFields[.contentType] = Problem.mediaType
        head.headerFields[.contentLength] = String(body.readableBytes)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: promise)
    }
}
