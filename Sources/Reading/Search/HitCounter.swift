import ChatModel
import FoundationEssentials

/// Counts hits message by message, for searches that SQLite alone can't answer.
struct HitCounter {
    private let grouping: HitGrouping
    private var counts: [Key: HitCount] = [:]
    private var spans = LocalSpans(zone: .gmt)
    /// The counts by several properties, of each account; together for times alone.
    private var crossed: [String?: CrossTally] = [:]
    /// The number of rows that all of them may still get.
    private var left = TooManyCounts.limit
    /// The names of rooms and people in each account.
    private var names: [Key: String] = [:]

    private struct Key: Hashable {
        var account: String?
        /// The number of a room or a user.
        var id: Int64
        var isUser = false
    }

    init(_ grouping: HitGrouping) {
        self.grouping = grouping
        if case .time(_, let zone) = grouping { spans = LocalSpans(zone: zone) }
    }

    /// - Throws: ``TooManyCounts``.
    mutating func add(_ message: Message) throws {
        switch grouping {
        case .all: addHit(Key(id: 0), name: nil)
        case .room: addHit(Key(account: message.account, id: message.roomID), name: message.room)
        case .user:
            if let sender = message.sender { addHit(Key(account: message.account, id: sender.id), name: sender.name) }
        case .time: spans.add(message.id.microseconds)
        case .crossed(let properties, let zone):
            names[Key(account: message.account, id: message.roomID)] = message.room
            if let sender = message.sender {
                names[Key(account: message.account, id: sender.id, isUser: true)] = sender.name
            }
            let account = properties.areOfAccounts ? message.account : nil
            let isNew = try crossed[account, default: CrossTally(properties, zone: zone)].added(
                message.id.microseconds, room: message.roomID, sender: message.sender?.id)
            if isNew { left -= 1 }
            guard left >= 0 else { throw TooManyCounts() }
        }
    }

    private mutating func addHit(_ key: Key, name: @autoclosure () -> String?) {
        let id = key.account == nil ? nil : key.id
        counts[key, default: HitCount(account: key.account, name: name(), count: 0, id: id)].count += 1
    }

    var hitCounts: [HitCount] {
        if case .time(let unit, _) = grouping { return spans.counts(by: unit) }
        if case .crossed = grouping {
            return grouping.order(
                crossed.flatMap { account, tally in
                    tally.hitCounts(account: account) { property, numbers in
                        numbers.reduce(into: [:]) {
                            $0[$1] = names[Key(account: account, id: $1, isUser: property == .user)]
                        }
                    }
                })
        }
        return grouping.order(Array(counts.values))
    }
}
