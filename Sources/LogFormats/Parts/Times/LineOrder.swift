import ChatModel

/// The time of a line.
struct LineTime: Sendable, Hashable {
    /// The time that the source gives, rounded down to its resolution.
    var time: Timestamp
    var resolution: TimeResolution
    /// The time of the line before, if that is later. It keeps the file's order, beside the given time.
    var place: Timestamp?
}

/// Keeps the order of a file's lines beside their times, and counts the lines at which the two disagree.
///
/// The result for a line depends only on the lines before it, so a file that has grown gives the same result. An
/// implausible time affects no other line.
struct LineOrder: Sendable {
    /// The time of the line before; nil before the first one. The reader of a source of several rooms sets it when the
    /// room changes.
    var last: LineTime?
    private let now: Timestamp
    private var wentBack = LineCount()
    private var repeated = LineCount()
    private var skipped = LineCount()

    init(now: Timestamp) {
        self.now = now
    }

    /// Returns the time of a line of a day. Of a time that the clock shows twice, takes the first instant, unless the
    /// file had a later time before it.
    mutating func settle(_ day: LocalDay, _ stamp: LineStamp, line: Int) -> LineTime {
        let instants = day.instants(of: stamp.seconds)
        if instants.second != nil { repeated.note(line) }
        if instants.isSkipped { skipped.note(line) }
        let (first, second) = (
            instants.first.advanced(byMicroseconds: stamp.microseconds),
            instants.second?.advanced(byMicroseconds: stamp.microseconds)
        )
        let isPast = last.map { first < stamp.resolution.floor($0.time) } ?? false
        return settle(isPast ? second ?? first : first, stamp.resolution, line: line)
    }

    /// Returns the time of a line, and remembers it when it is plausible.
    mutating func settle(_ time: Timestamp, _ resolution: TimeResolution, line: Int) -> LineTime {
        var found = LineTime(time: time, resolution: resolution)
        guard time.isPlausible(at: now) else { return found }
        if let last {
            let before = last.place ?? last.time
            if time < before { found.place = before }
            // 10:05 after 10:05:30 is not a step back.
            if time < resolution.floor(before) { wentBack.note(line) }
        }
        last = found
        return found
    }

    var assumptions: [String] {
        [
            wentBack.sentence("lines with an earlier time than a line before, which get that line's time"),
            repeated.sentence(
                "lines at a time that occurs twice, read as the first unless a later time precedes it"),
            skipped.sentence("lines at a time that the zone's clocks skip, moved later by the skipped span"),
        ].compactMap(\.self)
    }
}

/// A count of lines, with the number of the first one.
struct LineCount: Sendable {
    private(set) var count = 0
    private var first = 0

    mutating func note(_ line: Int) {
        if count == 0 { first = line }
        count += 1
    }

    /// Returns a sentence for people; nil if there was none.
    func sentence(_ subject: String) -> String? {
        count == 0 ? nil : "\(subject): \(count), the first is line \(first)"
    }
}
