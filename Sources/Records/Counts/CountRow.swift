/// The content of a row of `message_count`: for each quarter of an hour, how many messages each sender wrote.
///
/// The bytes are unsigned numbers of 7 bits a byte, the lowest bits first; a byte with more to follow has the high bit (LEB128). The first
/// part is enough for counts by time and room:
///
/// - the number of quarters
/// - for each quarter: twice the number of quarters since the one before (0 for the first), and 1 more if several keys have messages; in
///   that case, the number of these keys less 2; the number of messages less that of the keys
///
/// The second part has the senders:
///
/// - the number of keys, and the keys in order, each as the difference from the one before
/// - for each quarter and each of its keys but the last: four times the number of keys left out since the one before, and the number of
///   messages less 1, up to 3; for 3, the number of messages less 4 follows
/// - for the last key of a quarter: the number of keys left out. The other messages of the quarter are its own
package struct CountRow {
    /// In order of time; at least one.
    package private(set) var quarters: [Quarter] = []
    /// Empty if only the first part was read, as ``pairs``.
    package private(set) var keys: [CountKey] = []
    /// The counts of all quarters; there may be others behind them.
    package private(set) var pairs: [Pair] = []

    package init() {}

    package struct Quarter: Sendable, Hashable {
        package let number: Int64
        /// The places of its counts in ``CountRow/pairs``.
        package let pairs: Range<Int>
        package let messages: Int64
    }

    package struct Pair: Sendable, Hashable {
        /// The place in ``CountRow/keys``.
        package var key: Int = 0
        package var messages: Int64 = 0
    }

    /// The largest number of messages and of quarters, so that sums don't overflow.
    private static let most: UInt64 = 1 << 40

    /// Returns the counts, one after the other.
    package var entries: [CountEntry] {
        var entries: [CountEntry] = []
        entries.reserveCapacity(quarters.last?.pairs.upperBound ?? 0)
        for quarter in quarters {
            for pair in pairs[quarter.pairs] {
                entries.append(CountEntry(quarter: quarter.number, key: keys[pair.key], count: pair.messages))
            }
        }
        return entries
    }

    // MARK: Reading

    /// Replaces the content by that of a row.
    ///
    /// - Parameters:
    ///   - first: The row's first quarter.
    ///   - hasPeople: False to read the first part alone.
    /// - Returns: False for bytes that no program wrote.
    package mutating func read(_ bytes: UnsafeRawBufferPointer, from first: Int64, hasPeople: Bool = true) -> Bool {
        quarters.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        var reader = Reader(bytes)
        guard CountPlace.quarters.contains(first), readQuarters(from: first, &reader) else { return false }
        return !hasPeople || readKeys(&reader) && readPairs(&reader) && reader.isAtEnd
    }

    private mutating func readQuarters(from first: Int64, _ reader: inout Reader) -> Bool {
        guard let count = reader.number(), count > 0, count <= UInt64(reader.left) else { return false }
        var (number, place, all): (Int64, Int, UInt64) = (first, 0, 0)
        for index in 0..<count {
            guard let head = reader.number() else { return false }
            let distance = head >> 1
            guard (index == 0) == (distance == 0), distance < Self.most else { return false }
            number += Int64(distance)
            var keys: UInt64 = 1
            if head & 1 != 0 {
                guard let more = reader.number(), more < UInt64(reader.left) else { return false }
                keys = more + 2
            }
            guard CountPlace.quarters.contains(number), let more = reader.number(), more < Self.most else {
                return false
            }
            all += more + keys
            // Each key takes a byte.
            guard all <= Self.most, keys <= UInt64(reader.left) else { return false }
            quarters.append(
                Quarter(number: number, pairs: place..<(place + Int(keys)), messages: Int64(more + keys)))
            place += Int(keys)
        }
        return place <= reader.left
    }

    private mutating func readKeys(_ reader: inout Reader) -> Bool {
        guard let count = reader.number(), count > 0, count <= UInt64(reader.left) else { return false }
        let limit = UInt64(CountKey.limit)
        var last: UInt64 = 0
        for place in 0..<count {
            guard let more = reader.number(), more > 0 || place == 0, more <= limit else { return false }
            last += more
            guard last <= limit else { return false }
            keys.append(CountKey(rawValue: Int64(last)))
        }
        return true
    }

    private mutating func readPairs(_ reader: inout Reader) -> Bool {
        let missing = (quarters.last?.pairs.upperBound ?? 0) - pairs.count
        if missing > 0 { pairs += repeatElement(Pair(), count: missing) }
        let keys = keys.count
        return pairs.withUnsafeMutableBufferPointer { pairs in
            quarters.allSatisfy { quarter in
                Self.readPairs(of: quarter, &reader, keys, UnsafeMutableBufferPointer(rebasing: pairs[quarter.pairs]))
            }
        }
    }

    /// - Parameter keys: The number of keys.
    private static func readPairs(
        of quarter: Quarter, _ reader: inout Reader, _ keys: Int, _ pairs: UnsafeMutableBufferPointer<Pair>
    ) -> Bool {
        var (key, left) = (0, quarter.messages)
        for place in 0..<(pairs.count - 1) {
            guard let head = reader.number() else { return false }
            var messages = Int64(head & 3) + 1
            if messages == 4 {
                guard let more = reader.number(), more < most else { return false }
                messages += Int64(more)
            }
            guard head >> 2 < UInt64(keys - key) else { return false }
            key += Int(head >> 2)
            pairs[place] = Pair(key: key, messages: messages)
            key += 1
            left -= messages
            guard left > 0 else { return false }
        }
        guard let skipped = reader.number(), skipped < UInt64(keys - key) else { return false }
        pairs[pairs.count - 1] = Pair(key: key + Int(skipped), messages: left)
        return true
    }

    private struct Reader {
        private var place: UnsafePointer<UInt8>?
        private let end: UnsafePointer<UInt8>?

        init(_ bytes: UnsafeRawBufferPointer) {
            place = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            end = place.map { $0 + bytes.count }
        }

        /// The number of bytes that are left.
        var left: Int {
            guard let place, let end else { return 0 }
            return end - place
        }

        var isAtEnd: Bool { place == end }

        /// Returns the next number; nil at the end, and for one of more than 63 bits.
        @inline(__always)
        mutating func number() -> UInt64? {
            guard let start = place, start != end else { return nil }
            // Most numbers have one byte.
            guard start.pointee >= 0x80 else {
                place = start + 1
                return UInt64(start.pointee)
            }
            return longNumber(start)
        }

        private mutating func longNumber(_ start: UnsafePointer<UInt8>) -> UInt64? {
            var (number, shift, next): (UInt64, UInt64, UnsafePointer<UInt8>) = (0, 0, start)
            while next != end, shift < 63 {
                let byte = next.pointee
                next += 1
                number |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 {
                    place = next
                    return number
                }
                shift += 7
            }
            return nil
        }
    }

    // MARK: Writing

    /// Returns the bytes of a row.
    ///
    /// - Parameter entries: Counts above 0 in order of quarters and keys; at least one.
    package static func pack(_ entries: ArraySlice<CountEntry>) -> [UInt8] {
        var quarters: [ArraySlice<CountEntry>] = []
        var place = entries.startIndex
        while place < entries.endIndex {
            let end = entries[place...].firstIndex { $0.quarter != entries[place].quarter } ?? entries.endIndex
            quarters.append(entries[place..<end])
            place = end
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * 2 + quarters.count * 3 + 16)
        append(UInt64(quarters.count), to: &bytes)
        var last = entries.first?.quarter ?? 0
        for quarter in quarters { append(quarter, after: &last, to: &bytes) }
        let keys = Self.keys(of: entries)
        append(UInt64(keys.count), to: &bytes)
        var key: Int64 = 0
        for next in keys {
            append(UInt64(next.rawValue - key), to: &bytes)
            key = next.rawValue
        }
        for quarter in quarters { append(quarter, keys, to: &bytes) }
        return bytes
    }

    private static func append(_ quarter: ArraySlice<CountEntry>, after last: inout Int64, to bytes: inout [UInt8]) {
        guard let first = quarter.first else { return }
        append(UInt64(first.quarter - last) << 1 | (quarter.count == 1 ? 0 : 1), to: &bytes)
        last = first.quarter
        if quarter.count > 1 { append(UInt64(quarter.count - 2), to: &bytes) }
        let messages = quarter.reduce(0) { $0 + $1.count }
        append(UInt64(messages - Int64(quarter.count)), to: &bytes)
    }

    private static func append(_ quarter: ArraySlice<CountEntry>, _ keys: [CountKey], to bytes: inout [UInt8]) {
        var next = 0
        for (place, entry) in zip(quarter.indices, quarter) {
            let key = Self.place(of: entry.key, in: keys)
            guard place < quarter.endIndex - 1 else { return append(UInt64(key - next), to: &bytes) }
            let more = UInt64(entry.count - 1)
            append(UInt64(key - next) << 2 | min(more, 3), to: &bytes)
            if more >= 3 { append(more - 3, to: &bytes) }
            next = key + 1
        }
    }

    private static func keys(of entries: ArraySlice<CountEntry>) -> [CountKey] {
        var keys: [CountKey] = []
        for key in entries.map(\.key).sorted() where keys.last != key { keys.append(key) }
        return keys
    }

    private static func place(of key: CountKey, in keys: [CountKey]) -> Int {
        var (low, high) = (0, keys.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if keys[middle] <= key { low = middle } else { high = middle }
        }
        return low
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
