import ChatModel
import GRDB

/// How many messages that are alike the archive has, in one minute of it: what one that is imported or replayed is matched
/// against.
///
/// A minute is read once, however many lines of it come; what is stored meanwhile has to be noted. It holds up to four
/// counts of 40 bytes a message of that minute.
struct StoredOccurrences {
    /// What makes messages alike, but for the time.
    struct Content: Hashable {
        private let first: Int
        private let second: Int

        /// Two hashes of 64 bits, so that even among millions none is taken for another.
        init(room: Int64, sender: Int64?, kind: MessageKind, body: String?) {
            func hash(_ seed: Int) -> Int {
                var hasher = Hasher()
                hasher.combine(seed)
                hasher.combine(room)
                hasher.combine(sender)
                hasher.combine(kind.code)
                hasher.combine(body.map(ExactString.init))
                return hasher.finalize()
            }
            (first, second) = (hash(1), hash(2))
        }
    }

    private struct Key: Hashable {
        var content: Content
        /// Within this long from here.
        var time: Int64
        var resolution: TimeResolution
        /// Only messages whose own resolution is this, else all that are not coarser.
        var isOwn = false
    }

    private let minute: Timestamp
    /// Whether only messages without the network's id count, and only what they say now: those of a full export, which has them
    /// each by itself.
    let isOfExport: Bool
    private var counts: [Key: Int] = [:]

    /// Reads the minute that the time is in.
    ///
    /// - Parameter isOfNetwork: Without messages of which only our time of receipt is known.
    init(around time: Timestamp, isOfNetwork: Bool = false, isOfExport: Bool = false, _ db: Database) throws {
        self.isOfExport = isOfExport
        minute = TimeResolution.minute.floor(time)
        let end = minute.advanced(byMicroseconds: TimeResolution.minute.microseconds).microseconds
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, room_id, kind, sender_id, source_time_us, flags, body,
                  source_time_us IS NOT NULL OR received_at_us IS NOT NULL, remote_id IS NOT NULL
                FROM message NOT INDEXED WHERE id >= ? ORDER BY id
                """)
        let rows = try Row.fetchCursor(statement, arguments: [minute.microseconds])
        let row = Columns(statement)
        var previous = Int64.min
        while try rows.next() != nil {
            let id = row.integer(0)
            // Of those that were made unique beyond the end, no id is free in between.
            guard id < end || id == previous.addingReportingOverflow(1).partialValue else { break }
            previous = id
            guard !isOfNetwork || row.integer(7) != 0, !isOfExport || row.integer(8) == 0 else { continue }
            note(
                Content(
                    room: row.integer(1), sender: row.optionalInteger(3), kind: try MessageKind(code: row.integer(2)),
                    body: row.optionalText(6)),
                id: id, source: row.optionalInteger(4),
                resolution: MessageFlags(rawValue: row.integer(5)).resolution)
        }
        if !isOfExport { try noteVersions(through: previous, isOfNetwork: isOfNetwork, db) }
    }

    /// A log may have what a message said before it was edited: each text counts once, whatever the message says now.
    private mutating func noteVersions(through last: Int64, isOfNetwork: Bool, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT DISTINCT id, room_id, kind, sender_id, source_time_us, flags, message_version.body
                FROM message_version CROSS JOIN message ON id = message_id
                WHERE message_id BETWEEN ? AND ? AND message_version.body IS NOT message.body
                  AND (NOT ? OR source_time_us IS NOT NULL OR received_at_us IS NOT NULL)
                """)
        for row in try Row.fetchAll(statement, arguments: [minute.microseconds, last, isOfNetwork]) {
            note(
                Content(room: row[1], sender: row[3], kind: try MessageKind(code: row[2]), body: row[6]), id: row[0],
                source: row[4], resolution: MessageFlags(rawValue: row[5]).resolution)
        }
    }

    func covers(_ time: Timestamp) -> Bool {
        TimeResolution.minute.floor(time) == minute
    }

    /// A message that is stored, or has just been.
    mutating func note(_ content: Content, id: Int64, source: Int64?, resolution: TimeResolution) {
        let time = Self.time(id: id, source: source)
        guard covers(time) else { return }
        count(content, time, .minute)
        if resolution != .minute { count(content, time, .second) }
        if resolution == .microsecond {
            count(content, time, .microsecond)
            if id != time.microseconds { count(content, Timestamp(microseconds: id), .microsecond) }
        } else {
            counts[
                Key(content: content, time: resolution.floor(time).microseconds, resolution: resolution, isOwn: true),
                default: 0] += 1
        }
    }

    /// Whether it is one of the stored ones: there are as many at least, at the coarser resolution of the two.
    func has(_ content: Content, time: Timestamp, resolution: TimeResolution, occurrence: Occurrence)
        -> Bool
    {
        switch resolution {
        case .minute:
            return number(content, time, .minute) >= occurrence.inMinute
        case .second:
            return number(content, time, .second) >= occurrence.inSecond
                || isIn(.minute, content, time, occurrence.inMinute)
        case .microsecond:
            return number(content, time, .microsecond) >= occurrence.inMicrosecond
                || isIn(.second, content, time, occurrence.inSecond)
                || isIn(.minute, content, time, occurrence.inMinute)
        }
    }

    /// Whether some stored message has that coarser resolution, and with all others there are enough.
    private func isIn(_ resolution: TimeResolution, _ content: Content, _ time: Timestamp, _ occurrence: Int) -> Bool {
        let own = Key(
            content: content, time: resolution.floor(time).microseconds, resolution: resolution, isOwn: true)
        return counts[own] != nil && number(content, time, resolution) >= occurrence
    }

    private func number(_ content: Content, _ time: Timestamp, _ resolution: TimeResolution) -> Int {
        counts[Key(content: content, time: resolution.floor(time).microseconds, resolution: resolution)] ?? 0
    }

    private mutating func count(_ content: Content, _ time: Timestamp, _ resolution: TimeResolution) {
        counts[Key(content: content, time: resolution.floor(time).microseconds, resolution: resolution), default: 0] +=
            1
    }

    /// The source's time, or the message's place where the source's clock had gone back, or was not believed.
    static func time(id: Int64, source: Int64?) -> Timestamp {
        let place = Timestamp(microseconds: id)
        return source.map { place.matched(claim: Timestamp(microseconds: $0)) } ?? place
    }
}
