import ChatModel
import HTTPTypes
import Hummingbird
import Operations
import Options
import Reading
import Rendering

/// The routes that answer with the documents of commands.
struct APIRoutes {
    let site: Site

    /// An operation with its address below `/api/v1`.
    struct Route: Sendable {
        var path: String
        var operation: any ArchiveOperation.Type
        /// The command that prints the same document.
        var command: String
        /// The parameters in the path.
        var pathParameters: [String] = []
        /// True if equal requests within a second may get one answer.
        var isKept = true
    }

    static let routes: [Route] = [
        Route(path: "accounts", operation: AccountsOperation.self, command: "accounts"),
        Route(path: "rooms", operation: RoomsOperation.self, command: "rooms"),
        Route(path: "users", operation: UsersOperation.self, command: "users"),
        Route(path: "unread", operation: UnreadOperation.self, command: "unread"),
        Route(path: "gaps", operation: GapsOperation.self, command: "gaps"),
        Route(path: "status", operation: StatusOperation.self, command: "status", isKept: false),
        Route(path: "attachments", operation: AttachmentsOperation.self, command: "attachments"),
        Route(path: "days", operation: StatisticsOperation.self, command: "stats"),
        Route(path: "messages", operation: HistoryOperation.self, command: "history"),
        Route(path: "search", operation: SearchOperation.self, command: "search"),
        Route(
            path: "messages/{account}/{message}", operation: MessageOperation.self, command: "show",
            pathParameters: ["account", "message"]),
        Route(
            path: "messages/{account}/{message}/thread", operation: ThreadOperation.self, command: "show --thread",
            pathParameters: ["account", "message"]),
    ]

    static let root = "/api/v1"

    func add(to router: Router<ServeContext>) {
        for route in Self.routes {
            let path = RouterPath("\(Self.root)/\(route.path)")
            router.get(path) { request, context in try await answer(route, request, context) }
            Self.refuseOthers(than: .get, at: path, router)
        }
        let description = RouterPath("\(Self.root)/openapi.json")
        let document = Answer.Document(ByteBuffer(string: OpenAPIDocument.text), type: "application/json")
        router.get(description) { request, _ in document.response(to: request) }
        Self.refuseOthers(than: .get, at: description, router)
    }

    /// Answers other methods than the route's own with status 405 and the allowed method.
    static func refuseOthers(than method: HTTPRequest.Method, at path: RouterPath, _ router: Router<ServeContext>) {
        let allowed = method == .get ? "GET, HEAD" : method.rawValue
        for other in [.get, .post, .put, .patch, .delete, .options, .trace] as [HTTPRequest.Method]
        where other != method {
            router.on(path, method: other) { _, _ in
                var response = Problem(.methodNotAllowed, "usage", "this address takes \(allowed)").response
                response.headers[.allow] = allowed
                return response
            }
        }
    }

    private func answer(_ route: Route, _ request: Request, _ context: ServeContext) async throws -> Response {
        let visitor = try context.known()
        let question = RecentAnswers.Question(access: visitor.access, address: request.uri.string)
        if let known = site.recent.answer(to: question) { return known.response(to: request) }
        return try await site.answer(visitor) { try answer(route, request, context, question) }
    }

    private func answer(
        _ route: Route, _ request: Request, _ context: ServeContext, _ question: RecentAnswers.Question
    ) throws -> Response {
        let (visitor, start) = (try context.known(), Timestamp.now())
        var items = try Query.items(request.uri.query)
        for name in route.pathParameters {
            let value = context.parameters.get(name) ?? ""
            items.append((name, try Query.decode(Substring(value).utf8, plusIsSpace: false)))
        }
        let parameters = try OperationParameters(items, known: route.operation.parameters + Parameter.everywhere)
        let operation = try route.operation.init(parameters)
        let isCold = parameters.has("cold")
        let (found, stamp) = try site.readInPlace(as: visitor, cold: isCold) { reading in
            let context = site.context(utc: parameters.has("utc"), isOwner: visitor.isOwner)
            var answer = try operation.answer(in: reading, context)
            answer.document = site.places.hidden(in: answer.document)
            return (answer, isCold || !route.isKept ? nil : reading.stamp(since: start))
        }
        var headers: HTTPFields = [:]
        let links = Self.links(
            found, path: HTMLAddress.local(request.uri.path),
            items: items.filter { !route.pathParameters.contains($0.name) })
        if !links.isEmpty { headers[.link] = links }
        let document = Answer.Document(ByteBuffer(string: found.json), type: "application/json", headers: headers)
        if let stamp { site.recent.keep(document, to: question, stamp) }
        return document.response(to: request)
    }

    /// Returns the addresses of the pages beside an answer (RFC 8288); empty if there are none.
    private static func links(
        _ answer: OperationAnswer, path: String, items: [(name: String, value: String)]
    ) -> String {
        let places: Set = ["before", "after", "around", "between", "day", "oldest", "unread"]
        var rest = items.filter { !places.contains($0.name) }
        if let order = answer.limit.order, !rest.contains(where: { $0.name == "sort" }) { rest.append(("sort", order)) }
        func link(_ relation: String, _ place: [(String, String?)]) -> String {
            "<\(path)\(Query.text(rest + place.compactMap { name, value in value.map { (name, $0) } }))>; rel=\"\(relation)\""
        }
        let limit = answer.limit
        let older = answer.older.map { id in
            link(
                "prev",
                [
                    (limit.until == nil ? "before" : "between", id.description), ("between", limit.until),
                    ("after", limit.after),
                ])
        }
        let newer = answer.newer.map { link("next", [("after", $0.description), ("before", limit.before)]) }
        return [older, newer].compactMap(\.self).joined(separator: ", ")
    }
}
