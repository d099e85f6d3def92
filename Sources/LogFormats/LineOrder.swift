import ChatModel

/// When a line was said.
struct LineTime: Sendable, Hashable {
    /// What its source tells, at the beginning of the resolution.
    var time: Timestamp
    var resolution: TimeResolution
    /// The instant of the line before it, where that is later: the order of the file is kept, and what it tells too.
    var place: Timestamp?
}

/// Keeps the order of a file's lines beside the times that they tell, and counts where the two do not agree.
///
/// What it says of a line depends on those before it alone, so that a file that has grown is read as it was before. A time that
/// can't be true is no line's place but its own.
struct LineOrder: Sendable {
    private(set) var last: LineTime?
    private let now: Timestamp
    private var wentBack = LineCount()
    private var repeated = LineCount()
    private var skipped = LineCount()

    init(now: Timestamp) {
        self.now = now
    }

    /// A time that occurs twice is the first one, unless a later one stood before it.
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

    mutating func settle(_ time: Timestamp, _ resolution: TimeResolution, line: Int) -> LineTime {
        var found = LineTime(time: time, resolution: resolution)
        guard time.isBelieved(at: now) else { return found }
        if let last {
            let before = last.place ?? last.time
            if time < before { found.place = before }
            // 10:05 after 10:05:30 is no step back.
            if time < resolution.floor(before) { wentBack.note(line) }
        }
        last = found
        return found
    }

    var assumptions: [String] {
        [
            wentBack.told("lines of an earlier time than one before them, which keep their place and that time"),
            repeated.told(
                "lines of a time that occurs twice, taken as the first unless a later time stands before it"),
            skipped.told("lines of a time that the zone's clocks skip, taken as so much later"),
        ].compactMap(\.self)
    }
}

/// How many lines something was seen in, and where first.
struct LineCount: Sendable {
    private var count = 0
    private var first = 0

    mutating func note(_ line: Int) {
        if count == 0 { first = line }
        count += 1
    }

    /// Nil where there was none.
    func told(_ what: String) -> String? {
        count == 0 ? nil : "\(what): \(count), the first is line \(first)"
    }
}
