import Bytes
package import ChatModel

/// The constant distance between the times of imported messages and the times of equal stored ones, as two imports of a
/// log with different time zones have it.
package struct ImportShift: Sendable, Hashable {
    /// The room's name.
    package let room: String
    /// The time of an imported message.
    package let time: Timestamp
    /// The imported times minus the stored ones: a multiple of 15 minutes, never 0.
    package let seconds: Int

    package init(room: String, time: Timestamp, seconds: Int) {
        (self.room, self.time, self.seconds) = (room, time, seconds)
    }
}

/// The texts of some imported messages of a room, compared with stored messages.
struct ShiftedTexts {
    /// The first time of each text, rounded down to its minute.
    private var times: [ExactString: Int64] = [:]
    /// The texts that are stored at each distance, in microseconds.
    private var texts: [Int64: Set<ExactString>] = [:]

    /// The largest distance of two zones: from -12:00 to +14:00, in microseconds.
    static let largest: Int64 = 26 * 3600 * 1_000_000
    /// Zones differ by multiples of 15 minutes.
    private static let step: Int64 = 15 * 60 * 1_000_000
    private static let hour: Int64 = 4 * step
    /// Fewer texts can be equal by chance, such as those of a bot; a part of the texts more easily than all of them.
    private static let (fewest, fewestOfPart) = (3, 5)

    /// The result of the comparison.
    enum Result: Equatable {
        /// Most texts are stored at their times.
        case equal
        /// Nearly all texts of a time are stored at this distance, in microseconds.
        case shifted(Int64)
        case different
    }

    mutating func add(_ text: String, at time: Timestamp) {
        let text = ExactString(text)
        if times[text] == nil { times[text] = TimeResolution.minute.floor(time).microseconds }
    }

    mutating func compare(_ text: String, storedAt time: Timestamp) {
        let text = ExactString(text)
        guard let imported = times[text] else { return }
        let (distance, isFar) = imported.subtractingReportingOverflow(TimeResolution.minute.floor(time).microseconds)
        guard !isFar, distance.magnitude <= Self.largest, distance % Self.step == 0 else { return }
        texts[distance, default: []].insert(text)
    }

    /// Ignores the distance of a day, at which a bot repeats its texts.
    var result: Result {
        if let same = texts[0], same.count * 2 >= times.count { return .equal }
        let shifted = texts.filter { $0.key != 0 && $0.key.magnitude != 24 * Self.hour.magnitude }
        guard let (best, found) = shifted.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }) else {
            return .different
        }
        // The sample may cross the beginning or the end of daylight saving time.
        let all =
            [-Self.hour, Self.hour].map { found.union(shifted[best + $0] ?? []) }
            .max { $0.count < $1.count } ?? found
        return isConvincing(all) ? .shifted(best) : .different
    }

    /// Returns true if the texts are nearly all texts between the first and the last of them. The others may be earlier
    /// or later than everything that is stored.
    private func isConvincing(_ found: Set<ExactString>) -> Bool {
        let used = found.compactMap { times[$0] }
        guard let first = used.min(), let last = used.max() else { return false }
        let between = times.values.count { (first...last).contains($0) }
        return found.count * 10 >= between * 9
            && found.count >= (between == times.count ? Self.fewest : Self.fewestOfPart)
    }
}
