import Bytes

/// Where a message belongs.
package enum MessageTarget: Sendable, Hashable {
    /// `mark` is the status it was confined to: `@#example` belongs to `#example`.
    case channel([UInt8], mark: UInt8?)
    /// A conversation with this nick.
    case direct([UInt8])
    /// What the server itself says to us or to all: `*`, `$$mask`, a notice before registration.
    case server
}

extension ISupport {
    /// What kind of target a name is, on its own.
    package func target(_ name: [UInt8]) -> MessageTarget {
        let unmarked = Array(name.drop(while: statusMarks.contains))
        if unmarked.count < name.count, isChannel(unmarked) { return .channel(unmarked, mark: name.first) }
        if isChannel(name) { return .channel(name, mark: nil) }
        guard let first = name.first, first != Byte.star, first != Byte.dollar else { return .server }
        return .direct(name)
    }

    package func isChannel(_ name: [UInt8]) -> Bool {
        name.first.map(channelTypes.contains) ?? false
    }

    /// The room of a PRIVMSG, NOTICE or TAGMSG: a conversation is the other's, whoever speaks.
    package func room(of message: IRCMessage, nick: [UInt8]) -> MessageTarget {
        let target = target(message.param(0))
        guard case .direct(let name) = target else { return target }
        guard let source = message.source else { return .server }
        let mapping = caseMapping
        guard mapping.fold(source.nick) != mapping.fold(nick) else { return .direct(name) }
        return source.isServer ? .server : .direct(source.nick)
    }
}
