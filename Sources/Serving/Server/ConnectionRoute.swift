import Hummingbird

/// Refuses requests of senders who do not read their answers, and tells the parts of a request which connection it has.
struct ConnectionRoute: RouterMiddleware {
    typealias Context = ServeContext

    let connections: Connections

    @concurrent func handle(
        _ request: Request, context: ServeContext,
        next: @concurrent (Request, ServeContext) async throws -> Response
    ) async throws -> Response {
        guard let connection = connections[context.channel] else { return try await next(request, context) }
        let share = context.visitor?.share
        await connection.untilSent()
        connection.begin(share)
        if let share { try connection.checkUnsent(share) }
        return try await Connection.$current.withValue(connection) { try await next(request, context) }
    }
}
