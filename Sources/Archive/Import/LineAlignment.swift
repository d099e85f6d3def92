import ChatModel

/// Lays the lines of a log beside a room's stored messages, in order, and says which line is which message.
///
/// Lines that an earlier import of the log stored are found by their times. The clocks of the others may differ from the
/// archive's: the network takes its time, and a client may stamp its own lines earlier. A distance of some seconds that
/// explains most lines is accepted, and each line is then compared at that distance, to ``jitter``. Without such a distance,
/// only equal times match. Each message is one line at most, so that two equal lines stay two.
struct LineAlignment {
    /// The compared parts of a line or a message.
    struct Entry {
        /// The content without the sender: kind and text.
        let content: OccurrenceKey
        /// The stored user; for a line of a person whom the archive lacks, a number below 0 for each name; nil without a
        /// sender.
        let sender: Int64?
        /// True for words of a person; false for an event such as a join.
        let isSaid: Bool
        /// In microseconds since 1970. A line's is rounded down to ``resolution``, a message's may be some microseconds later.
        let time: Int64
        /// The unit of ``time``, in microseconds.
        let resolution: Int64
        /// True for a line whose sender had this name at that time, so that nobody of another name sent it.
        var hasNameOfItsTime = false

        /// The largest delay of the true time after ``time``.
        fileprivate var slack: Int64 { resolution == 1 ? 0 : resolution }
    }

    private struct Said: Hashable {
        let content: OccurrenceKey
        let sender: Int64?
    }

    /// In order of time.
    let lines: [(index: Int, entry: Entry)]
    /// In order of time.
    let messages: [(index: Int, entry: Entry)]
    /// The places of a content in ``lines`` and in ``messages``, in order of time.
    private let places: [Said: (lines: [Int], messages: [Int])]
    /// For each line, by its index, the index of its message; nil if none is known.
    var matches: [Int?]
    /// True for each of ``messages`` that is a line.
    var isTaken: [Bool]

    /// The largest distance of two clocks, in microseconds: 90 s, and what is open in a minute's lines.
    static let largest: Int64 = 95_000_000
    /// The largest deviation of a line from the distance of its neighbours. WeeChat 3.8 stamps its own lines up to 3 s before its
    /// flood control sends them.
    static let jitter: Int64 = 3_000_000
    /// The largest distance between a line and its message.
    static let reach = largest + jitter + 60_000_000
    /// The largest distance that counts as none.
    static let negligible: Int64 = 500_000
    /// The largest distance of two times in microseconds at which one client stored a message in two places: profanity 0.13.1
    /// stamps its text log up to 277 µs after its database.
    static let simultaneous: Int64 = 1000
    /// The fewest that show that the clocks are about the same.
    static let fewestAtOnce = 3
    /// The limit of messages before a line, and of messages after it, that are compared with it.
    static let mostCompared = 8

    init(lines: [Entry], messages: [Entry]) {
        let order = { (entries: [Entry]) in
            entries.enumerated().map { (index: $0.offset, entry: $0.element) }
                .sorted { ($0.entry.time, $0.index) < ($1.entry.time, $1.index) }
        }
        (self.lines, self.messages) = (order(lines), order(messages))
        var places: [Said: (lines: [Int], messages: [Int])] = [:]
        for (place, line) in self.lines.enumerated() {
            let said = Said(content: line.entry.content, sender: line.entry.sender)
            places[said, default: ([], [])].lines.append(place)
        }
        for (place, message) in self.messages.enumerated() {
            let said = Said(content: message.entry.content, sender: message.entry.sender)
            // Skips a text that no line has.
            if let index = places.index(forKey: said) { places.values[index].messages.append(place) }
        }
        self.places = places
        matches = [Int?](repeating: nil, count: lines.count)
        isTaken = [Bool](repeating: false, count: messages.count)
    }

    /// The limit of distances: a clock that was set has two.
    private static let mostDistances = 3

    /// Finds the lines' messages.
    ///
    /// - Parameter before: The distance of the room's earlier lines, which counts if these lines are too few to show one; nil
    ///   if none is known.
    /// - Returns: The distance of most lines in microseconds, the lines' times minus the messages'; nil if none was found. True
    ///   if these lines show it.
    mutating func align(before: Int64? = nil) -> (distance: Int64?, isShown: Bool) {
        let isOfOneClock = matchStoredLines() >= Self.fewestAtOnce
        var distances: [(distance: Int64, count: Int)] = []
        while distances.count < Self.mostDistances, let distance = distance() {
            let count = match(at: distance)
            distances.append((distance, count))
            if count == 0 { break }
        }
        let shown = distances.max { $0.count < $1.count }?.distance
        var distance = shown
        if shown == nil {
            var moved = self
            if let before, moved.match(at: before) > matchEqualTimes() { (self, distance) = (moved, before) }
            _ = pair { Self.nearness($0, $1) }
            // Two clients of one machine may give a line different seconds.
            if isOfOneClock, distance == nil { _ = match(at: 0) }
        }
        matchRenamed()
        return (distance, shown != nil)
    }

    /// The distance of the clocks that explains most of the lines that have no message yet; nil if none does.
    private func distance() -> Int64? {
        DistanceVotes(pairs: pairs).distance { lines[$0].entry.content }
    }

    /// The lines that have no message yet, each with the messages near it.
    private var pairs: [DistanceVotes.Pair] {
        places.values.flatMap { found in
            let free = found.messages.filter { !isTaken[$0] }
            return found.lines.flatMap { line -> [DistanceVotes.Pair] in
                let (index, entry) = lines[line]
                if matches[index] != nil { return [] }
                let next = self.index(in: free, at: entry.time)
                let near = free[max(0, next - Self.mostCompared)...].prefix(2 * Self.mostCompared)
                return near.compactMap { place in
                    let message = messages[place].entry
                    guard isInReach(entry.time, message.time) else { return nil }
                    return DistanceVotes.Pair(
                        line: line, distance: entry.time - message.time,
                        below: message.slack + Self.jitter, above: entry.slack + Self.jitter)
                }
            }
        }
    }

    /// Returns the index of the first of some messages that is not earlier than a time.
    func index(in places: [Int], at time: Int64) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if messages[places[middle]].entry.time < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func isInReach(_ one: Int64, _ other: Int64) -> Bool {
        let (distance, isFar) = one.subtractingReportingOverflow(other)
        return !isFar && distance.magnitude <= Self.reach.magnitude
    }

    /// Matches lines and messages that have none yet, in order of time. Returns the number of matches.
    ///
    /// - Parameter compare: Returns 0 if the line can be the message, below 0 if the message is too early, above 0 if it is too
    ///   late.
    private mutating func pair(_ compare: (Entry, Entry) -> Int64) -> Int {
        var count = 0
        for found in places.values where !found.messages.isEmpty {
            var first = 0
            for line in found.lines where matches[lines[line].index] == nil {
                while first < found.messages.count, isTaken[found.messages[first]] { first += 1 }
                var next = first
                while next < found.messages.count {
                    let message = found.messages[next]
                    let order = compare(lines[line].entry, messages[message].entry)
                    if order > 0 { break }
                    if order == 0, !isTaken[message] {
                        isTaken[message] = true
                        matches[lines[line].index] = messages[message].index
                        count += 1
                        break
                    }
                    next += 1
                    // A message that is too early for this line is too early for the next, too.
                    if order < 0 { first = next }
                }
            }
        }
        return count
    }

    /// Matches the lines that an earlier import stored at their own times, of this log or of one with the same clock. Returns the
    /// number of different contents of these lines.
    ///
    /// Equal times of a few lines are chance if another clock wrote the messages.
    private mutating func matchStoredLines() -> Int {
        var matched = self
        let count = matched.pair { Self.identity($0, $1, 0) }
        var comparable = 0
        for found in places.values where !found.messages.isEmpty {
            for line in found.lines {
                let entry = lines[line].entry
                let next = index(in: found.messages, at: entry.time)
                let near = found.messages[max(0, next - Self.mostCompared)...].prefix(2 * Self.mostCompared)
                let isComparable = near.contains {
                    messages[$0].entry.resolution == entry.resolution && isInReach(messages[$0].entry.time, entry.time)
                }
                if isComparable { comparable += 1 }
            }
        }
        guard count * 2 >= comparable else { return 0 }
        self = matched
        return places.values.count { found in found.lines.contains { matches[lines[$0].index] != nil } }
    }

    /// Matches at a distance. Returns the number of matches.
    private mutating func match(at distance: Int64) -> Int {
        // First the messages that an earlier import of this log stored, moved by the distance.
        pair { Self.identity($0, $1, distance) }
            + [Self.negligible, Self.jitter].reduce(0) { count, jitter in
                count + pair { Self.order($0, $1, distance, jitter: jitter) }
            }
    }

    /// Matches equal times, at the coarser of the two resolutions. Returns the number of matches.
    private mutating func matchEqualTimes() -> Int {
        pair { Self.identity($0, $1, 0) } + pair { Self.equality($0, $1) }
    }

    /// Returns the distance by which an import moves a line, so that its time keeps its resolution.
    static func move(_ distance: Int64, resolution: Int64) -> Int64 {
        let rest = distance % resolution
        return distance - (rest < 0 ? rest + resolution : rest)
    }

    /// Returns 0 if the message has the time at which an import of this line stored it, or else below 0 if it is earlier.
    private static func identity(_ line: Entry, _ message: Entry, _ distance: Int64) -> Int64 {
        let moved = line.time - move(distance, resolution: line.resolution)
        return message.time == moved && message.resolution != line.resolution ? -1 : message.time - moved
    }

    /// Returns 0 if the times are equal at the coarser of the two resolutions, or else below 0 if the message is earlier.
    static func equality(_ line: Entry, _ message: Entry) -> Int64 {
        let unit = max(line.resolution, message.resolution)
        return move(message.time, resolution: unit) - move(line.time, resolution: unit)
    }

    /// Returns 0 if both times are in microseconds and at most ``simultaneous`` apart, or else below 0 if the message is
    /// earlier.
    private static func nearness(_ line: Entry, _ message: Entry) -> Int64 {
        let later = message.time &- line.time
        guard later.magnitude <= simultaneous.magnitude else { return later }
        return line.resolution == 1 && message.resolution == 1 ? 0 : -1
    }

    /// Returns 0 if the line can be the message, below 0 if the message is too early, above 0 if it is too late.
    private static func order(_ line: Entry, _ message: Entry, _ distance: Int64, jitter: Int64) -> Int64 {
        let apart = line.time - message.time
        if apart - message.slack - jitter >= distance { return -1 }
        return apart + line.slack + jitter <= distance ? 1 : 0
    }

    /// Returns true for each line of which a message near it has the content and the sender. If the line is none of these
    /// messages, it is new, whatever their times are.
    func hasNear(_ distance: Int64) -> [Bool] {
        var near = [Bool](repeating: false, count: lines.count)
        for found in places.values where !found.messages.isEmpty {
            for line in found.lines {
                let time = lines[line].entry.time &- distance
                let next = index(in: found.messages, at: time)
                near[lines[line].index] = found.messages[max(0, next - 1)...].prefix(2).contains {
                    isInReach(messages[$0].entry.time, time)
                }
            }
        }
        return near
    }
}
