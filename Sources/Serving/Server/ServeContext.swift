import Hummingbird
import NIOCore

/// The state of a request while it is handled.
struct ServeContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The sender of the request; nil for routes that need no login.
    var visitor: Visitor?
    /// The IP address at the other end of the connection; nil for a socket's path.
    let peer: String?
    /// The channel of the connection.
    let channel: ObjectIdentifier

    init(source: ApplicationRequestContextSource) {
        channel = ObjectIdentifier(source.channel)
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress
    }

    /// Returns the sender.
    ///
    /// - Throws: ``Problem`` if the sender is unknown.
    func known() throws -> Visitor {
        guard let visitor else { throw Problem.notFound }
        return visitor
    }
}
