/// What a reader should know about how a message was received.
package struct MessageFlags: OptionSet, Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Bytes that are no UTF-8 were replaced by U+FFFD, or read by the account's fallback encoding; the bytes themselves are in
    /// the journal, or kept with the message.
    package static let invalidUTF8 = MessageFlags(rawValue: 1)
    /// Cut at the listener's cap for one message; the rest follows as the next.
    package static let oversize = MessageFlags(rawValue: 2)
    /// Perhaps several messages that arrived in one read, kept whole.
    package static let maybeCoalesced = MessageFlags(rawValue: 4)
    /// From a log that tells times to the minute.
    package static let toTheMinute = MessageFlags(rawValue: 8)
    /// From a log that tells times to the second.
    package static let toTheSecond = MessageFlags(rawValue: 16)
    /// Replayed by the network without an id, and matched with nothing that is stored: where we only know when we received
    /// that, it may be one of them.
    package static let replayed = MessageFlags(rawValue: 32)

    /// Its texts were taken away when it was retracted, as the account is configured.
    package static let wiped = MessageFlags(rawValue: 64)
    /// The id is later than the message: this machine's clock had been ahead, and ids never go back. The time of receipt is the
    /// clock's.
    package static let clockAhead = MessageFlags(rawValue: 128)

    /// In the order of their bits, as `docs/json.md` lists them.
    private static let known: [(MessageFlags, String)] = [
        (.invalidUTF8, "invalid_utf8"), (.oversize, "oversize"), (.maybeCoalesced, "maybe_coalesced"),
        (.toTheMinute, "to_the_minute"), (.toTheSecond, "to_the_second"), (.replayed, "replayed"), (.wiped, "wiped"),
        (.clockAhead, "clock_ahead"),
    ]

    /// Names that are none of a flag are passed over: a newer archive may have more.
    package init(names: [String]) {
        self = Self(Self.known.filter { names.contains($0.1) }.map(\.0))
    }

    /// The names of the flags that are set, in a fixed order.
    package var names: [String] {
        Self.known.filter { contains($0.0) }.map(\.1)
    }
}
