import Bytes

/// The JOINs for a list of rooms, in as few lines as the server's limits allow.
package struct JoinLines: Sendable, Hashable {
    /// A channel to join.
    package struct Channel: Sendable, Hashable {
        package var name: [UInt8]
        /// The channel's key (mode `k`); nil if it has none.
        package var key: [UInt8]?

        package init(_ name: [UInt8], key: [UInt8]? = nil) {
            (self.name, self.key) = (name, key)
        }
    }

    /// The JOINs, with the channels that have keys first.
    package let lines: [IRCMessage]
    /// The channels that can't exist on this server: not a channel's name, or too long for a line.
    package let refused: [Channel]

    package init(_ channels: [Channel], support: ISupport) {
        let limit = support.lineLength - "JOIN  \r\n".utf8.count
        let isPossible = { (channel: Channel) in
            channel.isWritable && channel.bytes <= limit && support.isChannel(channel.name)
        }
        refused = channels.filter { !isPossible($0) }
        var (groups, bytes) = ([[Channel]](), 0)
        // Channels with keys come first, because the keys of a line belong to its first channels.
        let possible = channels.filter(isPossible)
        for channel in possible.filter({ $0.key != nil }) + possible.filter({ $0.key == nil }) {
            let isFull = (groups.last?.count ?? 0) >= max(1, support.joinTargets ?? .max)
            if groups.isEmpty || isFull || bytes + channel.bytes + 2 > limit {
                groups.append([])
                bytes = 0
            }
            groups[groups.count - 1].append(channel)
            bytes += channel.bytes + 2
        }
        lines = groups.map { group in
            let keys = group.compactMap(\.key)
            let lists = [group.map(\.name)] + (keys.isEmpty ? [] : [keys])
            return IRCMessage("JOIN", lists.map { Array($0.joined(separator: [Byte.comma])) })
        }
    }
}

extension JoinLines.Channel {
    fileprivate var bytes: Int { name.count + (key?.count ?? 0) }

    fileprivate var isWritable: Bool {
        Self.isWord(name) && (key.map(Self.isWord) ?? true)
    }

    /// Returns true if the word is valid in a list of channels or keys (RFC 2812 §2.3.1).
    private static func isWord(_ word: [UInt8]) -> Bool {
        let bell: UInt8 = 0x07
        guard let first = word.first, first != Byte.colon else { return false }
        return !word.contains { $0 == Byte.space || $0 == Byte.comma || $0 == bell || Byte.endsLine($0) }
    }
}
