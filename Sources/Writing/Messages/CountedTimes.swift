/// Ranges of time in microseconds since 1970 that don't overlap: the times whose stored messages are counted.
struct CountedTimes {
    /// In order of time. Ranges that touch are merged.
    private var ranges: [Range<Int64>] = []
    /// The index of the range that was added last. Most look-ups are about it.
    private var latest = 0

    var count: Int { ranges.count }
    var isEmpty: Bool { ranges.isEmpty }

    func contains(_ time: Int64) -> Bool {
        if ranges.isEmpty { return false }
        if ranges[latest].contains(time) { return true }
        let index = firstIndex(endingAfter: time)
        return index < ranges.count && ranges[index].contains(time)
    }

    /// Returns the beginning of the first range after a time that no range contains; `Int64.max` if there is none.
    func beginning(after time: Int64) -> Int64 {
        let index = firstIndex(endingAfter: time)
        return index < ranges.count ? ranges[index].lowerBound : .max
    }

    /// - Parameter range: A range that overlaps no other.
    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        var (range, index) = (range, firstIndex(endingAfter: range.lowerBound))
        if index < ranges.count, ranges[index].lowerBound == range.upperBound {
            range = range.lowerBound..<ranges[index].upperBound
            ranges.remove(at: index)
        }
        if index > 0, ranges[index - 1].upperBound == range.lowerBound {
            index -= 1
            range = ranges[index].lowerBound..<range.upperBound
            ranges[index] = range
        } else {
            ranges.insert(range, at: index)
        }
        latest = index
    }

    mutating func removeAll() { self = CountedTimes() }

    private func firstIndex(endingAfter time: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > time { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
