import Hummingbird
import NIOCore

/// A request on its way to its route.
struct ServeContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Whoever sent the request; nil where nobody has to say.
    var visitor: Visitor?
    /// The IP address at the other end of the connection; nil for a socket's path.
    let peer: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress
    }

    /// - Throws: ``Problem`` for a request without a known sender.
    func known() throws -> Visitor {
        guard let visitor else { throw Problem.notFound }
        return visitor
    }
}
