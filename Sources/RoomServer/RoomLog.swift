import NIOCore

/// The newest lines of the room, in the order in which every client receives them.
///
/// Each client has a place in the log instead of a queue, so the memory does not depend on the number of clients.
struct RoomLog {
    private var entries: [ByteBuffer] = []
    /// The number of entries at the front that are no longer kept.
    private var dropped = 0
    private var cost = 0
    private let maximumCost: Int

    /// The place of the first kept entry.
    private(set) var start = 0
    /// The place of the next entry.
    var end: Int { start + entries.count - dropped }

    init(maximumBytes: Int) {
        self.maximumCost = maximumBytes
    }

    /// Appends an entry. Returns true if older entries were dropped.
    mutating func append(_ entry: ByteBuffer) -> Bool {
        entries.append(entry)
        cost += Self.cost(entry)
        guard cost > maximumCost else { return false }
        dropFront()
        return true
    }

    /// Returns the entries from `place` on, at most `bytes` or a single one; empty if there are none.
    func entries(from place: Int, bytes: Int) -> ArraySlice<ByteBuffer> {
        let first = min(max(place, start), end) - start + dropped
        var last = first
        var total = 0
        while last < entries.count, last == first || total + entries[last].readableBytes <= bytes {
            total += entries[last].readableBytes
            last += 1
        }
        return entries[first..<last]
    }

    /// Drops entries until a quarter of the log is free, so that drops are rare.
    private mutating func dropFront() {
        while cost > maximumCost / 4 * 3, dropped < entries.count - 1 {
            cost -= Self.cost(entries[dropped])
            entries[dropped] = ByteBuffer()
            dropped += 1
            start += 1
        }
        if dropped > entries.count / 2 {
            entries.removeFirst(dropped)
            dropped = 0
        }
    }

    /// Returns the bytes of an entry with its overhead.
    private static func cost(_ entry: ByteBuffer) -> Int {
        entry.readableBytes + 64
    }
}
