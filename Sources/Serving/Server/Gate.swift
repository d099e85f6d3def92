import ChatModel
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Operations
import Rendering
import Settings

/// Decides which requests are allowed, before any route, and adds the same headers to every answer.
struct Gate: RouterMiddleware {
    typealias Context = ServeContext

    private let hosts: HostRule
    private let secret: OwnerSecret
    private let site: Site
    private let proxies: ProxyRule

    init(settings: ServeSettings, port: BoundPort, secret: OwnerSecret, site: Site) {
        hosts = HostRule(names: settings.names, port: port)
        (self.secret, self.site, proxies) = (secret, site, ProxyRule(settings))
    }

    /// The limit of a path and its query in bytes. The longest known query is a search of 4 KiB, encoded.
    private static let addressLimit = 16 * 1024

    @concurrent func handle(
        _ request: Request, context: ServeContext,
        next: @concurrent (Request, ServeContext) async throws -> Response
    ) async throws -> Response {
        let isPage = !request.uri.path.hasPrefix("/api/") && !isForAssistants(request)
        var visitor: Visitor?
        var refusal: Problem?
        var response: Response
        do {
            try check(request)
            if let entry = try enter(request, from: context.peer) {
                response = entry
            } else {
                var context = context
                if !Self.isPublic(request.uri.path) {
                    visitor = try identify(request)
                    context.visitor = visitor
                    try limitRate(of: visitor)
                }
                response = try await next(request, context)
            }
        } catch {
            guard let problem = Problem(error) else { throw error }
            if RefusalLog.logs(problem) { refusal = problem }
            response = answer(problem, isPage: isPage)
        }
        if response.status == .notFound, response.headers[.contentType] == nil {
            response = isPage ? ErrorPage.response(Problem.notFound) : Problem.notFound.response
        }
        audit(request, context, visitor, refusal, response.status)
        secure(&response)
        return response
    }

    /// Returns true for the paths that need no login.
    static func isPublic(_ path: String) -> Bool { AssetRoutes.isPublic(path) || path == HealthRoute.path }

    private func answer(_ problem: Problem, isPage: Bool) -> Response {
        var problem = problem
        problem.detail = site.places.hidden(in: problem.detail)
        problem.hint = problem.hint.map(site.places.hidden(in:))
        return isPage ? ErrorPage.response(problem) : problem.response
    }

    // MARK: Allowed requests

    private func check(_ request: Request) throws {
        guard hosts.allows(request.head.authority) else {
            throw Problem(
                .misdirectedRequest, "host", "this server does not answer to that name",
                hint: "names of the [serve] table allow more names")
        }
        // A browser would read the links of a page at //room as links to a host "room".
        guard request.uri.string.hasPrefix("/"), !request.uri.string.hasPrefix("//") else {
            throw Problem(.badRequest, "address", "an address begins with one /")
        }
        guard request.uri.string.utf8.count <= Self.addressLimit else {
            throw Problem(.uriTooLong, "address", "the address is too long")
        }
        // The protocol requires this, also of a request with a token: "Streamable HTTP", security warning.
        guard !isForAssistants(request) || isOwnOrigin(request) else { throw Self.otherSite }
    }

    private func isForAssistants(_ request: Request) -> Bool {
        request.uri.path.split(separator: "/").elementsEqual([MCPRoute.path.dropFirst()])
    }

    private static let otherSite = Problem(
        .forbidden, "origin", "the request comes from a page of another site")

    /// Returns the answer to an address with the secret: a cookie, and the address without it; nil for other requests.
    private func enter(_ request: Request, from peer: String?) throws -> Response? {
        guard request.method == .get, let query = request.uri.query, query.contains("key=") else { return nil }
        let items = try Query.items(query)
        guard let key = items.first(where: { $0.name == "key" })?.value, secret.matches(key) else { return nil }
        let rest = items.filter { $0.name != "key" }
        var response = Response.redirect(to: LocalAddress(request.uri.path + Query.text(rest))?.text ?? "/")
        // 400 days, the longest that browsers keep a cookie (RFC 6265bis §5.5). With "Strict", browsers would not send it
        // with a link in a mail or on a wiki.
        response.headers[.setCookie] =
            "\(cookieName)=\(secret.text); Path=\(HTMLAddress.local("/")); Max-Age=34560000; HttpOnly; SameSite=Lax"
            + (proxies.usesTLS(request.headers, from: peer) ? "; Secure" : "")
        return response
    }

    /// The name of the cookie, with the port, because browsers share the cookies of all ports of a host.
    private var cookieName: String { hosts.port.map { "scrollback-\($0)" } ?? "scrollback" }

    private func identify(_ request: Request) throws -> Visitor {
        if let header = request.headers[.authorization] {
            let words = header.split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bearer", let token = site.tokens.token(String(words[1]))
            else { throw unknown }
            // A proxy may add the token to every request of a browser, whichever page causes it.
            guard request.method == .get || request.method == .head || isSameOrigin(request) else {
                throw Self.otherSite
            }
            return .token(token, marks: token.hasOwnMarks ? site.marks.marks(of: token) : nil)
        }
        guard let cookie = cookie(of: request), secret.matches(cookie) else { throw unknown }
        guard isSameOrigin(request) || opensPage(request) else { throw Self.otherSite }
        return .owner
    }

    private func limitRate(of visitor: Visitor?) throws {
        guard case .token(let token, _) = visitor, let seconds = site.tokens.take(token) else { return }
        throw Problem(.tooManyRequests, "rate", "too many requests with this token", retryAfter: seconds)
    }

    private var unknown: Problem {
        Problem(
            .unauthorized, "unauthorized", "the server does not know who asks",
            hint: "if you run it, open the address that scrollback serve printed; a program sends a token: "
                + "Authorization: Bearer TOKEN")
    }

    private func cookie(of request: Request) -> String? {
        for header in request.headers[values: .cookie] {
            for pair in header.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix(cookieName + "=") { return String(pair.dropFirst(cookieName.count + 1)) }
            }
        }
        return nil
    }

    /// Returns true if a page of this server sent the request. A browser adds the cookie to every request, whichever
    /// page causes it; only these headers show the page.
    private func isSameOrigin(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite] {
            // A form's request has no origin, because pages send no referrer.
            if site == "same-origin" { return true }
            if site != "none" { return false }
        }
        return isOwnOrigin(request)
    }

    /// Returns true if a browser opens a page, in a window of its own. A link on any site does this; the other site sees
    /// nothing of the page. No page changes anything.
    private func opensPage(_ request: Request) -> Bool {
        request.method == .get && !request.uri.path.hasPrefix("/api/") && !isForAssistants(request)
            && request.headers[.secFetchMode] == "navigate" && request.headers[.secFetchDest] == "document"
    }

    /// Returns false if the request names the page of another site.
    private func isOwnOrigin(_ request: Request) -> Bool {
        guard let origin = request.headers[.origin] else { return true }
        guard let host = origin.wholeMatch(of: /https?:\/\/(.+)/)?.1 else { return false }
        return String(host) == request.head.authority
    }

    // MARK: Every answer

    private func secure(_ response: inout Response) {
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.xRobotsTag] = "noindex, nofollow"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        response.headers[.crossOriginOpenerPolicy] = "same-origin"
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.policy
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "private, no-cache" }
    }

    /// The policy of pages: everything comes from this server, and no script or style is inside a page.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// Logs the route and the token, or the refusal and its peer, and never the parameters of the request.
    private func audit(
        _ request: Request, _ context: ServeContext, _ visitor: Visitor?, _ refusal: Problem?,
        _ status: HTTPResponse.Status
    ) {
        var facts: Logger.Metadata = [
            "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? "")",
        ]
        if case .token(let token, _)? = visitor { facts["token"] = "\(token.name)" }
        if let refusal {
            site.refusals.note(refusal, peer: proxies.client(request.headers, from: context.peer), facts)
        } else if facts["token"] != nil {
            facts["status"] = "\(status.code)"
            site.logger.info("request", metadata: facts)
        }
    }
}

extension HTTPField.Name {
    static let secFetchSite = known("Sec-Fetch-Site")
    static let secFetchMode = known("Sec-Fetch-Mode")
    static let secFetchDest = known("Sec-Fetch-Dest")
    static let referrerPolicy = known("Referrer-Policy")
    static let xRobotsTag = known("X-Robots-Tag")
    static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    static let xAccelBuffering = known("X-Accel-Buffering")
    static let link = known("Link")
    static let lastEventID = known("Last-Event-ID")

    static func known(_ name: String) -> Self {
        guard let name = Self(name) else { preconditionFailure("\(name) is not the name of a header") }
        return name
    }
}
