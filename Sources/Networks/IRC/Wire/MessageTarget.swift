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
    ///
    /// A byte may be both a status mark and a channel type: ngircd 26 has `PREFIX=(qaohv)~&@%+` and `CHANTYPES=#&+`. So
    /// `&#example` is that channel if the account is in it, or else `#example` if the account is in that or STATUSMSG has
    /// `&`. `@&example` is `&example`.
    ///
    /// - Parameter isJoined: Returns true for a channel that the account is in.
    package func target(_ name: [UInt8], isJoined: ([UInt8]) -> Bool = { _ in false }) -> MessageTarget {
        // A server may send to marks that its STATUSMSG lacks.
        let all = channels(name, after: statusMarks + prefixes.map(\.mark))
        let named = isChannel(name) ? channels(name, after: self["STATUSMSG"] ?? []) : all
        if let channel = all.first(where: isJoined) ?? named.last {
            return .channel(channel, mark: channel.count < name.count ? name.first : nil)
        }
        guard let first = name.first, first != Byte.star, first != Byte.dollar else { return .server }
        return .direct(name)
    }

    /// Returns the channels that a name may mean: itself, and the names after its first marks.
    private func channels(_ name: [UInt8], after marks: [UInt8]) -> [[UInt8]] {
        (0...name.prefix { marks.contains($0) }.count).map { Array(name.dropFirst($0)) }.filter(isChannel)
    }

    /// Returns true if a name is a channel's on this server.
    package func isChannel(_ name: [UInt8]) -> Bool {
        name.first.map(channelTypes.contains) ?? false
    }

    /// Returns the room of a PRIVMSG, NOTICE or TAGMSG. A conversation has the other person's nick, also for our own
    /// messages.
    ///
    /// - Parameter isJoined: Returns true for a channel that the account is in.
    package func room(
        of message: IRCMessage, nick: [UInt8], isJoined: ([UInt8]) -> Bool = { _ in false }
    ) -> MessageTarget {
        let target = target(message.param(0), isJoined: isJoined)
        guard case .direct(let name) = target else { return target }
        guard let source = message.source else { return .server }
        let mapping = caseMapping
        guard mapping.fold(source.nick) != mapping.fold(nick) else { return .direct(name) }
        return source.isServer ? .server : .direct(source.nick)
    }
}
