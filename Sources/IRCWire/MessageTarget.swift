import Bytes

/// The room to which a message belongs.
package enum MessageTarget: Sendable, Hashable {
    /// A channel. `mark` is the status to which the message was limited: `@#example` belongs to `#example`.
    case channel([UInt8], mark: UInt8?)
    /// A conversation with this nick.
    case direct([UInt8])
    /// The server's own messages, to us or to everyone: `*`, `$$mask`, a notice before registration.
    case server
}

extension ISupport {
    /// Returns the kind of target that a name is.
    package func target(_ name: [UInt8]) -> MessageTarget {
        let unmarked = Array(name.drop(while: statusMarks.contains))
        if unmarked.count < name.count, isChannel(unmarked) { return .channel(unmarked, mark: name.first) }
        if isChannel(name) { return .channel(name, mark: nil) }
        guard let first = name.first, first != Byte.star, first != Byte.dollar else { return .server }
        return .direct(name)
    }

    /// Returns true if a name is a channel's on this server.
    package func isChannel(_ name: [UInt8]) -> Bool {
        name.first.map(channelTypes.contains) ?? false
    }

    /// Returns the room of a PRIVMSG, NOTICE or TAGMSG. A conversation has the other person's nick, also for our own
    /// messages.
    package func room(of message: IRCMessage, nick: [UInt8]) -> MessageTarget {
        let target = target(message.param(0))
        guard case .direct(let name) = target else { return target }
        guard let source = message.source else { return .server }
        let mapping = caseMapping
        guard mapping.fold(source.nick) != mapping.fold(nick) else { return .direct(name) }
        return source.isServer ? .server : .direct(source.nick)
    }
}
