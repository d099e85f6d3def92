import NIOCore

/// The newest of what the room was told, in the one order that every client gets it in.
///
/// Clients have a place in it instead of a queue each, so what is kept doesn't grow with them.
struct RoomLog {
    private var entries: [ByteBuffer] = []
    /// Entries at the front that are no longer kept.
    private var dropped = 0
    private var cost = 0
    private let maximumCost: Int

    /// Place of the first entry that is kept.
    private(set) var start = 0
    /// Place of the next entry.
    var end: Int { start + entries.count - dropped }

    init(maximumBytes: Int) {
        self.maximumCost = maximumBytes
    }

    /// Returns whether older entries had to go.
    mutating func append(_ entry: ByteBuffer) -> Bool {
        entries.append(entry)
        cost += Self.cost(entry)
        guard cost > maximumCost else { return false }
        dropFront()
        return true
    }

    /// Entries from `place` on, of `bytes` together or a single one; empty if there are none.
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

    /// Down to three quarters, so that it is seldom done.
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

    /// The bytes and what an entry itself takes.
    private static func cost(_ entry: ByteBuffer) -> Int {
        entry.readableBytes + 64
    }
}
