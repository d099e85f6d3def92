import ChatModel
import Networks
import Schema
import SearchText

/// Leaves out the messages of bots, and the joins and leaves of people who wrote nothing.
extension PageReader {
    /// SQL that leaves out the messages that a column shows as a bot's; empty unless bots are hidden.
    var isNotBot: String {
        guard hidden.hidesBots else { return "" }
        return " AND flags & \(MessageFlags.bot.rawValue) = 0"
            + (noticesAreOfBots ? " AND kind <> \(MessageKind.notice.code)" : "")
    }

    private var noticesAreOfBots: Bool { NetworkTraits.of(account.network).noticesAreOfBots }

    static func bots(of account: AccountIdentity, _ hidden: HiddenMessages) -> Set<String> {
        hidden.hidesBots ? Set(hidden.bots(of: account.name).map(FoldedName.fold)) : []
    }

    /// True if ``isHidden(_:)`` finds more than SQL does: a bot's name, and hits, whose index does not know bots.
    var hidesByMessage: Bool { hidden.hidesBots && (hits != nil || !bots.isEmpty) }

    /// Returns true for a message of a bot, if bots are hidden.
    ///
    /// Decides by the name that the message shows, so that the reader of some rooms learns nothing of others.
    func isHidden(_ message: Message) -> Bool {
        guard hidden.hidesBots else { return false }
        return message.flags.contains(.bot) || message.kind == .notice && noticesAreOfBots
            || !bots.isEmpty && message.sender.map { bots.contains(FoldedName.fold($0.name)) } ?? false
    }

    /// The number of messages to read at once when some of them may be hidden.
    private static let rowsAtOnce = 200

    /// Returns the messages of a span that are not hidden, in time order, without their extras, and true if the number
    /// or the bytes ended the run.
    func shown(
        _ span: Span, hidesNoise: Bool, count: Int, _ db: ReadTransaction
    ) throws -> (messages: [Message], isCut: Bool) {
        guard hidesByMessage else { return try rows(span, hidesNoise: hidesNoise, count: count, db) }
        var (found, span, isCut) = ([Message](), span, true)
        while isCut, found.count < count, found.count < 2 || bytes == .max || found.weight <= bytes {
            let part = try rows(span, hidesNoise: hidesNoise, count: max(count, Self.rowsAtOnce), db)
            isCut = part.isCut
            let kept = part.messages.filter { !isHidden($0) }
            switch span.direction {
            case .backward:
                found = kept + found
                span.before = part.messages.first?.id.microseconds ?? span.before
            case .forward:
                found += kept
                span.after = part.messages.last?.id.microseconds ?? span.after
            }
        }
        guard found.count > count else { return (found, isCut) }
        return (nearest(found, count, span.direction), true)
    }

    private func nearest(_ messages: [Message], _ count: Int, _ direction: Direction) -> [Message] {
        direction == .backward ? messages.suffix(count) : Array(messages.prefix(count))
    }

    // MARK: Lurkers

    private static let silence = HiddenMessages.silence.components.seconds * 1_000_000

    /// SQL that is true for an event `m` whose person wrote in the room near it, for changes. What the person writes
    /// after the event was stored comes too late for those who follow.
    static var isNearSpeech: SQLText {
        """
        EXISTS (SELECT 1 FROM message AS near \(.indexed("message_room"))
          WHERE near.room_id = m.room_id AND near.noise = 0 AND near.id > m.id - \(silence)
            AND near.id < m.id + \(silence) AND near.sender_id = m.sender_id)
        """
    }

    /// Returns the messages of a span with the events of people who wrote near them.
    ///
    /// The messages without noise bound the run, and an event can be shown only near one of them. The cost therefore
    /// depends on the messages that were written and on the events within half an hour of them, not on the number of
    /// events between two messages.
    func withoutLurkers(_ span: Span, count: Int, _ db: ReadTransaction) throws -> [Message] {
        let spoken = try shown(span, hidesNoise: true, count: count, db)
        var span = span
        if spoken.isCut {
            switch span.direction {
            case .backward: span.after = spoken.messages.first?.id.microseconds ?? span.after
            case .forward: span.before = spoken.messages.last?.id.microseconds ?? span.before
            }
        }
        let events = try events(ids: eventsNearSpeech(in: span, db), span.direction, count: count, db)
        return nearest((spoken.messages + events).sorted { $0.id < $1.id }, count, span.direction)
    }

    /// Returns the first events that are not hidden.
    ///
    /// - Parameter ids: The events, the first in the direction first.
    private func events(ids: [Int64], _ direction: Direction, count: Int, _ db: ReadTransaction) throws -> [Message] {
        var (found, rest) = ([Message](), ids[...])
        while !rest.isEmpty, found.count < count {
            found += try bare(Array(rest.prefix(count)), db).filter { !isHidden($0) }
            rest = rest.dropFirst(count)
        }
        return found
    }

    /// Returns the ids of the events in a span whose people wrote near them, the first in the direction first.
    private func eventsNearSpeech(in span: Span, _ db: ReadTransaction) throws -> [Int64] {
        let speech = try Speech(in: span, within: Self.silence, db)
        let windows = span.direction == .backward ? speech.windows.reversed() : speech.windows
        var found: [Int64] = []
        for window in windows {
            try db.forEach(
                """
                SELECT id, room_id, sender_id FROM message \(span.selection)
                  AND noise = 1 AND sender_id IS NOT NULL AND id > ?1 AND id < ?2\(isNotBot)
                ORDER BY id \(span.direction.order)
                """,
                [
                    .integer(max(span.after, window.lowerBound)), .integer(min(span.before, window.upperBound)),
                    span.subject,
                ]
            ) { row in
                let person = try Speech.Person(room: row.integer(1), user: row.integer(2))
                if try speech.has(person, near: row.integer(0)) { found.append(try row.integer(0)) }
            }
        }
        return found
    }
}

extension PageReader.Span {
    /// SQL that selects the subject's messages, a room ?3 or all of them.
    fileprivate var selection: SQLText {
        if case .integer(_?) = subject { return "\(.indexed("message_room")) WHERE room_id = ?3" }
        return "\(.notIndexed) WHERE ?3 IS NULL"
    }
}

/// The times at which people wrote in rooms, around a span.
private struct Speech {
    struct Person: Hashable {
        let room: Int64
        let user: Int64
    }

    /// The times of each person, in order.
    private var times: [Person: [Int64]] = [:]
    /// The times near any of them, in order; no two overlap.
    private(set) var windows: [Range<Int64>] = []
    private let distance: Int64

    /// - Parameter distance: The largest distance of an event, in microseconds.
    init(in span: PageReader.Span, within distance: Int64, _ db: ReadTransaction) throws {
        self.distance = distance
        let (lower, upper) = (Self.moved(span.after, -distance), Self.moved(span.before, distance))
        try db.forEach(
            """
            SELECT id, room_id, sender_id FROM message \(span.selection)
              AND noise = 0 AND sender_id IS NOT NULL AND id > ?1 AND id < ?2 ORDER BY id
            """, [.integer(lower), .integer(upper), span.subject]
        ) { row in try add(row.integer(0), Person(room: row.integer(1), user: row.integer(2))) }
    }

    private mutating func add(_ time: Int64, _ person: Person) {
        times[person, default: []].append(time)
        let window = Self.moved(time, -distance)..<Self.moved(time, distance)
        if let last = windows.last, last.upperBound >= window.lowerBound {
            windows[windows.count - 1] = last.lowerBound..<window.upperBound
        } else {
            windows.append(window)
        }
    }

    /// Returns true if the person wrote near that time.
    func has(_ person: Person, near time: Int64) -> Bool {
        guard let times = times[person] else { return false }
        // The first time that is not before the nearest possible one.
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] > Self.moved(time, -distance) { high = middle } else { low = middle + 1 }
        }
        return low < times.count && times[low] < Self.moved(time, distance)
    }

    /// Returns a time moved by a distance, at most to the end of time.
    private static func moved(_ time: Int64, _ distance: Int64) -> Int64 {
        let (sum, overflows) = time.addingReportingOverflow(distance)
        return overflows ? (distance < 0 ? .min : .max) : sum
    }
}
