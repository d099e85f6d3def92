import Archive
import ChatModel
import FoundationEssentials
import HTTPTypes
import Hummingbird
import MCP
import NIOCore
import Rendering
import Settings

/// The Model Context Protocol over HTTP, for whoever has a token: one message a request, one answer a response.
struct MCPRoute {
    private let site: Site
    private let server: MCPServer

    static let path = "/mcp"

    /// The limit of a body in bytes: that of a message.
    private static let bodyLimit = 1 << 20

    init(site: Site) {
        self.site = site
        server = MCPServer(version: ProgramVersion.current, excluded: site.excluded, places: site.places) {
            site.context(utc: $0)
        }
    }

    func add(to router: Router<ServeContext>) {
        router.post(RouterPath(Self.path)) { request, context in try await answer(request, context) }
        APIRoutes.refuseOthers(than: .post, at: RouterPath(Self.path), router)
    }

    private func answer(_ request: Request, _ context: ServeContext) async throws -> Response {
        let visitor = try context.known()
        // A page of another site can make a browser send its cookie, but not a token.
        guard case .token = visitor else {
            throw Problem(
                .unauthorized, "unauthorized", "an assistant needs a token",
                hint: "make one with scrollback serve token add NAME; a client sends it as Authorization: Bearer TOKEN")
        }
        let body = try await site.body(of: request, upTo: Self.bodyLimit, from: visitor)
        let message: MCPServer.Request
        switch server.request(Array(body.readableBytesView)) {
        case .failure(let refusal): return Self.response(refusal.answer)
        case .success(let read): message = read
        }
        if let refused = refuse(message, request.headers) { return Self.response(refused) }
        return Self.response(
            await server.answer(message) { [site] cold, body in
                try await site.read(as: visitor, cold: cold, body)
            })
    }

    /// Returns the answer to a message whose headers don't fit; nil for others. Proxies route by the headers.
    private func refuse(_ message: MCPServer.Request, _ headers: HTTPFields) -> MCPServer.Answer? {
        let version = headers[.mcpProtocolVersion]
        func mismatch(_ name: HTTPField.Name) -> MCPServer.Answer {
            server.refuse(message, .headerMismatch, "the header \(name) and the message differ")
        }
        guard message.version != nil || version == MCPServer.protocolVersion else {
            // Earlier protocols have no header in their first message.
            guard let version, !MCPServer.earlierVersions.contains(version) else { return nil }
            return server.refuse(message, .invalidRequest, "no protocol version \(Sanitizer.value(version))")
        }
        if version != message.version { return mismatch(.mcpProtocolVersion) }
        if headers[.mcpMethod] != message.method { return mismatch(.mcpMethod) }
        if let tool = message.tool, Self.decoded(headers[.mcpName]) != tool { return mismatch(.mcpName) }
        return nil
    }

    /// Returns the value of a header, which may be in base64: `=?base64?…?=`.
    private static func decoded(_ value: String?) -> String? {
        guard let value, let match = value.wholeMatch(of: /=\?base64\?(.*)\?=/) else { return value }
        return Data(base64Encoded: String(match.1)).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func response(_ answer: MCPServer.Answer) -> Response {
        guard let text = answer.text else { return Response(status: .accepted) }
        return Response(
            status: status(answer.error), headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .counted(ByteBuffer(string: text)))
    }

    private static func status(_ error: MCPError.Code?) -> HTTPResponse.Status {
        switch error {
        case nil, .internalError?: .ok
        case .unknownMethod?: .notFound
        case .parse?, .invalidRequest?, .invalidParameters?, .headerMismatch?, .unsupportedVersion?: .badRequest
        }
    }
}

extension HTTPField.Name {
    fileprivate static let mcpProtocolVersion = known("MCP-Protocol-Version")
    fileprivate static let mcpMethod = known("Mcp-Method")
    fileprivate static let mcpName = known("Mcp-Name")
}
