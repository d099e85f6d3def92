import ChatModel
import Foundation

/// Counts hits message by message, for searches that SQLite alone can't answer.
struct HitCounter {
    private let grouping: HitGrouping
    private var counts: [Key: HitCount] = [:]
    private var spans = LocalSpans(zone: .gmt)

    private struct Key: Hashable {
        var account: String?
        /// The number of a room or a user.
        var id: Int64
    }

    init(_ grouping: HitGrouping) {
        self.grouping = grouping
        if case .time(_, let zone) = grouping { spans = LocalSpans(zone: zone) }
    }

    mutating func add(_ message: Message) {
        switch grouping {
        case .all: add(Key(id: 0), name: nil)
        case .room: add(Key(account: message.account, id: message.roomID), name: message.room)
        case .user:
            if let sender = message.sender { add(Key(account: message.account, id: sender.id), name: sender.name) }
        case .time: spans.add(message.id.microseconds)
        }
    }

    private mutating func add(_ key: Key, name: @autoclosure () -> String?) {
        counts[key, default: HitCount(account: key.account, name: name(), count: 0)].count += 1
    }

    var hitCounts: [HitCount] {
        if case .time(let unit, _) = grouping { return spans.counts(by: unit) }
        return grouping.order(Array(counts.values))
    }
}
