/// Facts about a message, most of them about its receipt, that readers should know.
package struct MessageFlags: OptionSet, Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The standard library's own, which every `[]` calls, is generic and takes as long as reading a line's time.
    package init(arrayLiteral flags: MessageFlags...) {
        rawValue = flags.reduce(0) { $0 | $1.rawValue }
    }

    /// Invalid UTF-8 was replaced by U+FFFD, or decoded by the account's fallback encoding, or from an encoding that an
    /// import was unsure of. The bytes are in the journal or kept with the message.
    package static let invalidUTF8 = MessageFlags(rawValue: 1)
    /// The message was cut at the listener's limit for one message. The rest is the next message.
    package static let oversize = MessageFlags(rawValue: 2)
    /// Perhaps several messages that arrived in one read, kept together.
    package static let maybeCoalesced = MessageFlags(rawValue: 4)
    /// From a log with times to the minute.
    package static let toTheMinute = MessageFlags(rawValue: 8)
    /// From a log with times to the second.
    package static let toTheSecond = MessageFlags(rawValue: 16)
    /// Replayed by the network without an id, and not matched with a stored message. A stored message with only a time
    /// of receipt may be the same message.
    package static let replayed = MessageFlags(rawValue: 32)

    /// The texts were removed when the message was retracted, by the account's configuration.
    package static let wiped = MessageFlags(rawValue: 64)
    /// The id is later than the message, because this machine's clock had been ahead and ids never go back. The time of
    /// receipt is the correct one.
    package static let clockAhead = MessageFlags(rawValue: 128)

    /// Imported as read. Not a fact about the receipt: marking the room as read up to an earlier message removes it.
    package static let readOnArrival = MessageFlags(rawValue: 256)

    /// Pinned in its room, by the latest export that says so.
    package static let pinned = MessageFlags(rawValue: 512)

    /// End-to-end encrypted: only the devices of the room's members can read it. The bytes that are kept with the message
    /// have the ciphertext.
    package static let encrypted = MessageFlags(rawValue: 1024)

    /// A topic that stood when the account joined the room. The message has the time of the join, and its source's time is
    /// when the topic was set. An empty text says that no topic stood any more.
    package static let standing = MessageFlags(rawValue: 2048)

    /// From a bot, as the network or the import says: IRCv3's tag `bot`, Discord's and Slack's mark.
    package static let bot = MessageFlags(rawValue: 4096)

    /// At least one reaction stands. Computed from the reactions, so that a search finds the message; without a name.
    package static let reacted = MessageFlags(rawValue: 8192)

    /// The names in the order of the bits, as in `docs/json.md`.
    private static let known: [(MessageFlags, String)] = [
        (.invalidUTF8, "invalid_utf8"), (.oversize, "oversize"), (.maybeCoalesced, "maybe_coalesced"),
        (.toTheMinute, "to_the_minute"), (.toTheSecond, "to_the_second"), (.replayed, "replayed"), (.wiped, "wiped"),
        (.clockAhead, "clock_ahead"), (.pinned, "pinned"), (.encrypted, "encrypted"),
        (.standing, "standing"), (.bot, "bot"),
    ]

    /// Reads names. Ignores unknown ones, which a newer archive may have.
    package init(names: [String]) {
        self = Self(Self.known.filter { names.contains($0.1) }.map(\.0))
    }

    /// The names of the set flags, in the order of the bits.
    package var names: [String] {
        guard rawValue != 0 else { return [] }
        var names: [String] = []
        for (flag, name) in Self.known where contains(flag) { names.append(name) }
        return names
    }
}
