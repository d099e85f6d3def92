import HTTPTypes
import Hummingbird
import Rendering
import Settings

/// Answers requests below a path, for a proxy that has other sites beside the archive: `https://example.org/chat/`.
///
/// The proxy may pass requests on with the path or without it. All addresses in answers have it.
struct BelowPath<Inner: HTTPResponder>: HTTPResponder where Inner.Context == ServeContext {
    private let inner: Inner
    /// The configured path; empty for none.
    private let path: String
    private let proxies: ProxyRule

    init(_ inner: Inner, settings: ServeSettings) {
        (self.inner, path, proxies) = (inner, settings.path, ProxyRule(settings))
    }

    @concurrent func respond(to request: Request, context: ServeContext) async throws -> Response {
        let root = path.isEmpty ? proxies.path(request.headers, from: context.peer) : path
        guard !root.isEmpty else { return try await inner.respond(to: request, context: context) }
        var head = request.head
        if let address = head.path, address.hasPrefix(root) {
            let rest = address.dropFirst(root.count)
            if rest.isEmpty || rest.hasPrefix("?") { return Response.redirect(to: "\(root)/\(rest)") }
            if rest.hasPrefix("/") { head.path = String(rest) }
        }
        let inside = Request(head: head, body: request.body)
        var response = try await HTMLAddress.$root.withValue(root) {
            try await inner.respond(to: inside, context: context)
        }
        if let location = response.headers[.location], !location.hasPrefix(root + "/") {
            response.headers[.location] = root + location
        }
        return response
    }
}
