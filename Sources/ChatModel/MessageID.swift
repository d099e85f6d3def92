/// A message's place in its account's history, which is also its time and the cursor that pages go on from.
///
/// Unique in one account only: two accounts in one room have nearly every id twice.
package struct MessageID: Sendable, Hashable, Comparable, Codable {
    /// Later than the message's claimed time by as many microseconds as there were ties.
    package var time: Timestamp

    package init(_ time: Timestamp) {
        self.time = time
    }

    package init(microseconds: Int64) {
        time = Timestamp(microseconds: microseconds)
    }

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
