import ChatModel
import Foundation

/// Counts hits message by message, for searches that SQLite alone can't answer.
struct HitCounter {
    private let grouping: HitGrouping
    private var counts: [Key: HitCount] = [:]
    private var days = LocalDays(zone: .gmt)

    private struct Key: Hashable {
        var account: String?
        /// The number of a room, a user or a day.
        var id: Int64
    }

    init(_ grouping: HitGrouping) {
        self.grouping = grouping
        if case .day(let zone) = grouping { days = LocalDays(zone: zone) }
    }

    mutating func add(_ message: Message) {
        switch grouping {
        case .all: add(Key(id: 0), name: nil)
        case .room: add(Key(account: message.account, id: message.roomID), name: message.room)
        case .user:
            if let sender = message.sender { add(Key(account: message.account, id: sender.id), name: sender.name) }
        case .day:
            let day = days.day(of: message.id.microseconds)
            add(Key(id: day), name: LocalDays.name(of: day))
        }
    }

    private mutating func add(_ key: Key, name: @autoclosure () -> String?) {
        counts[key, default: HitCount(account: key.account, name: name(), count: 0)].count += 1
    }

    var hitCounts: [HitCount] {
        grouping.order(Array(counts.values))
    }
}

/// Finds the day of an instant in a zone, quickly for instants in order.
struct LocalDays {
    let zone: TimeZone
    /// The quarter of an hour of the last instant. Within a quarter of an hour of UTC, no zone changes its offset.
    private var quarter = Int64.min
    private var offset: Int64 = 0

    init(zone: TimeZone) {
        self.zone = zone
    }

    /// Returns the day of an instant.
    ///
    /// - Parameter instant: Microseconds since 1970 UTC.
    /// - Returns: The days since 1970 in the zone.
    mutating func day(of instant: Int64) -> Int64 {
        if instant / 900_000_000 != quarter {
            quarter = instant / 900_000_000
            let date = Date(timeIntervalSince1970: Double(instant) / 1_000_000)
            offset = Int64(zone.secondsFromGMT(for: date)) * 1_000_000
        }
        let (local, day) = (instant + offset, Int64(86_400_000_000))
        return local / day - (local % day < 0 ? 1 : 0)
    }

    /// `2026-11-21`
    static func name(of day: Int64) -> String {
        String(Timestamp(microseconds: 0).advanced(by: .seconds(day * 86_400)).description.prefix(10))
    }
}
