/// Where the counts of a room are parted into rows.
extension CountRow {
    /// Returns the parts of a room's counts that are rows.
    ///
    /// Where a row begins depends on the quarter and the number of its counts alone, so that equal messages have equal rows, in whatever
    /// order they were stored. A row has about 500 bytes: two or three rows fit on a page, and few bytes are written for a new message.
    ///
    /// - Parameter entries: Counts in order of quarters and keys. The first one begins a row.
    package static func rows(of entries: [CountEntry]) -> [Range<Int>] {
        var (rows, start, place): ([Range<Int>], Int, Int) = ([], 0, 0)
        while place < entries.count {
            let end = self.end(ofQuarterAt: place, entries)
            if place > start, begins(entries[place].quarter, counts: end - place) {
                rows.append(start..<place)
                start = place
            }
            place = end
        }
        return entries.isEmpty ? [] : rows + [start..<entries.count]
    }

    /// Returns true if the first quarter begins a row also when there are earlier ones.
    package static func begins(_ entries: [CountEntry]) -> Bool {
        guard let first = entries.first else { return true }
        return begins(first.quarter, counts: end(ofQuarterAt: 0, entries))
    }

    private static func end(ofQuarterAt place: Int, _ entries: [CountEntry]) -> Int {
        entries[place...].firstIndex { $0.quarter != entries[place].quarter } ?? entries.count
    }

    /// The size at which a row ends on average, in counts and 2 more for each quarter, which are bytes for most.
    static let size: UInt64 = 512

    /// Returns true for a share of the quarters that grows with their counts.
    private static func begins(_ quarter: Int64, counts: Int) -> Bool {
        // The last steps of SplitMix64, so that the numbers of neighbours have nothing in common.
        var hash = UInt64(bitPattern: quarter) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return (hash ^ hash >> 31) % size < UInt64(counts) + 2
    }
}
