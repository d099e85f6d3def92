/// A message's place in its account's history. It is also the message's time, and the cursor for further pages.
///
/// Unique within one account only: two accounts in the same room share nearly every id.
package struct MessageID: Sendable, Hashable, Comparable, Codable {
    /// The message's claimed time, plus one microsecond for each earlier message with the same time.
    package var time: Timestamp

    package init(_ time: Timestamp) {
        self.time = time
    }

    package init(microseconds: Int64) {
        time = Timestamp(microseconds: microseconds)
    }

    /// The microseconds since 1970-01-01 UTC.
    package var microseconds: Int64 {
        time.microseconds
    }

    package static func < (a: MessageID, b: MessageID) -> Bool {
        a.time < b.time
    }

    package init(from decoder: any Decoder) throws {
        time = try Timestamp(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try time.encode(to: encoder)
    }
}

extension MessageID: CustomStringConvertible {
    package var description: String {
        time.description
    }
}
