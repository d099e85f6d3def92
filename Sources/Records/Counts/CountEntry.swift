import ChatModel

/// The messages that are counted together: those of one sender that were read on their arrival, or those that were not.
package struct CountKey: Sendable, Hashable, Comparable {
    /// Twice the sender's number, and 1 more for read messages.
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// - Parameter sender: Nil for the server's own lines. A number that no program gives counts as nil.
    package init(sender: Int64?, isRead: Bool) {
        let sender = sender ?? 0
        rawValue = (Self.senders.contains(sender) ? sender << 1 : 0) | (isRead ? 1 : 0)
    }

    private static let senders: ClosedRange<Int64> = 0...(Self.limit >> 1)
    /// The largest value.
    static let limit: Int64 = 1 << 60

    /// The sender's number; 0 for the server's own lines.
    package var sender: Int64 { rawValue >> 1 }

    /// True for messages that were imported as read.
    package var isRead: Bool { rawValue & 1 != 0 }

    package static func < (one: CountKey, other: CountKey) -> Bool { one.rawValue < other.rawValue }
}

/// The number of messages of a key in a quarter of an hour of a room.
package struct CountEntry: Sendable, Hashable {
    package var quarter: Int64
    package var key: CountKey
    package var count: Int64

    package init(quarter: Int64, key: CountKey, count: Int64) {
        (self.quarter, self.key, self.count) = (quarter, key, count)
    }

    func precedes(_ other: CountEntry) -> Bool {
        quarter != other.quarter ? quarter < other.quarter : key < other.key
    }
}

/// A change of the counts of a room.
package struct CountChange: Sendable, Hashable {
    package let room: Int64
    package var entry: CountEntry

    /// - Returns: Nil for a message that is not counted (``CountPlace``).
    package init?(room: Int64, id: Int64, key: CountKey, by count: Int64) {
        let quarter = QuarterHour.number(of: id)
        guard CountPlace.id(room: room, quarter: quarter) != nil else { return nil }
        self.room = room
        entry = CountEntry(quarter: quarter, key: key, count: count)
    }

    fileprivate func precedes(_ other: CountChange) -> Bool {
        room != other.room ? room < other.room : entry.precedes(other.entry)
    }
}

extension [CountChange] {
    /// Returns the changes in the order of rooms, quarters and keys, each key of a quarter once, without those that change nothing.
    func combined() -> [CountChange] {
        var all: [CountChange] = []
        for change in sorted(by: { $0.precedes($1) }) {
            if let last = all.last, last.room == change.room, last.entry.quarter == change.entry.quarter,
                last.entry.key == change.entry.key
            {
                all[all.count - 1].entry.count += change.entry.count
            } else {
                if all.last?.entry.count == 0 { all.removeLast() }
                all.append(change)
            }
        }
        if all.last?.entry.count == 0 { all.removeLast() }
        return all
    }
}

extension SearchEntry {
    /// The key by which the message is counted.
    var countKey: CountKey { CountKey(sender: sender, isRead: isRead) }
}
