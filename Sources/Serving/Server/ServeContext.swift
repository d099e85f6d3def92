import Hummingbird

/// A request on its way to its route.
struct ServeContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Whoever sent the request; nil where nobody has to say.
    var visitor: Visitor?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }

    /// - Throws: ``Problem`` for a request without a known sender.
    func known() throws -> Visitor {
        guard let visitor else { throw Problem.notFound }
        return visitor
    }
}
