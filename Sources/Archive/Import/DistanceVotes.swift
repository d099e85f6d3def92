import ChatModel

/// The distances of two clocks that lines of a log and stored messages with the same words have. Each line votes for the
/// distances of its messages.
struct DistanceVotes {
    let pairs: [Pair]

    /// The lines' times minus the messages', for one line and one message.
    struct Pair {
        let line: Int
        let distance: Int64
        /// The tolerances below and above the distance.
        let (below, above): (Int64, Int64)
    }

    /// A distance up to this one is compared with an equal time by the number of lines alone: fewer bots repeat their texts
    /// so soon.
    private static let near: Int64 = 10_000_000
    /// The fewest different contents that show a distance. Fewer can be equal by chance, such as those of bots.
    private static let fewest = 8

    /// Returns the distance of the clocks that explains most of the lines that have no message yet; nil if none does.
    ///
    /// - Parameter content: Returns the content of a line.
    func distance(content: (Int) -> OccurrenceKey) -> Int64? {
        guard let (range, votes) = densest() else { return nil }
        let atOnce = Set(pairs.lazy.filter { Self.agrees($0, 0) }.map(\.line)).count
        // Lines of a log with minutes lie apart by chance, which leaves some seconds open.
        let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
        let open = max(0, (range.upperBound - range.lowerBound) / 2 - LineAlignment.jitter) + LineAlignment.negligible
        var distance = atOnce == votes || middle.magnitude <= open ? 0 : middle
        func contents() -> Int {
            var found: Set<OccurrenceKey> = []
            for pair in pairs where Self.agrees(pair, distance) { found.insert(content(pair.line)) }
            return found.count
        }
        if contents() < Self.fewest {
            guard distance.magnitude <= LineAlignment.jitter else { return nil }
            distance = 0
        }
        guard contents() >= LineAlignment.fewestAtOnce, votes * 10 >= Set(pairs.map(\.line)).count * 6 else {
            return nil
        }
        // A bot that repeats its texts every minute agrees with itself a minute later.
        if distance.magnitude > Self.near, votes < atOnce + 3 { return nil }
        return distance
    }

    private static func agrees(_ pair: Pair, _ distance: Int64) -> Bool {
        pair.distance - pair.below < distance && distance < pair.distance + pair.above
    }

    /// Returns the distances that agree with nearly the most lines, and the most lines; of several, those nearest to 0.
    private func densest() -> (range: ClosedRange<Int64>, votes: Int)? {
        var ends: [(at: Int64, isBeginning: Bool, line: Int)] = []
        ends.reserveCapacity(pairs.count * 2)
        for pair in pairs {
            let (low, high) = (pair.distance - pair.below, pair.distance + pair.above)
            guard high > -LineAlignment.largest, low < LineAlignment.largest else { continue }
            ends.append((max(low, -LineAlignment.largest), true, pair.line))
            ends.append((min(high, LineAlignment.largest), false, pair.line))
        }
        ends.sort { $0.at < $1.at }
        // The number of lines that agree with the distances from each end to the next.
        var (open, votes) = ([Int: Int](), 0)
        let counts = ends.map { end in
            let count = open[end.line] ?? 0
            open[end.line] = end.isBeginning ? count + 1 : count - 1
            if end.isBeginning, count == 0 { votes += 1 }
            if !end.isBeginning, count == 1 { votes -= 1 }
            return votes
        }
        func range(_ index: Int) -> ClosedRange<Int64> { ends[index].at...ends[index + 1].at }
        let best = counts.indices.dropLast().max { one, other in
            (counts[one], Self.distance(of: range(other))) < (counts[other], Self.distance(of: range(one)))
        }
        guard let best else { return nil }
        // One line more may agree by chance at the edge of what the others agree with.
        let enough = counts[best] - max(1, counts[best] / 50)
        let first = counts[..<best].lastIndex { $0 < enough }.map { $0 + 1 } ?? 0
        let end = counts[best...].firstIndex { $0 < enough } ?? counts.count - 1
        return (ends[first].at...ends[end].at, counts[best])
    }

    private static func distance(of range: ClosedRange<Int64>) -> UInt64 {
        range.contains(0) ? 0 : min(range.lowerBound.magnitude, range.upperBound.magnitude)
    }
}
