import ChatModel
import GRDB

/// How many messages that are alike the archive has, in one minute of it: what one that is imported or replayed is matched
/// against.
///
/// A minute is read once, however many lines of it come; what is stored meanwhile has to be noted. Of a copy that has noted
/// some and is discarded, the original is discarded as well (``OccurrenceCounts``).
struct StoredOccurrences {
    /// Which of the stored messages a count has.
    private enum Part: Int {
        /// Those whose own resolution is not coarser than the count's.
        case fine
        /// Those whose own resolution is the count's.
        case own
        /// Those of which only our time of receipt is known.
        case received
    }

    let minute: Timestamp
    /// Whether only messages without the network's id count, and only what they say now: those of a full export, which has them
    /// each by itself.
    let isOfExport: Bool
    private var counts: OccurrenceCounts

    /// The partial index `message_moved`: messages whose time, as their source tells it, is of an earlier minute than their id.
    static let isMoved = "source_time_us < id - id % 60000000"

    /// The messages of which the network told the time, which is the id or `source_time_us`.
    private static let isOfNetwork =
        "(source_time_us IS NOT NULL OR received_at_us IS NOT NULL AND flags & \(MessageFlags.clockAhead.rawValue) = 0)"

    /// Reads the messages whose time is in the minute of this one, wherever the order of their source has put them.
    ///
    /// - Parameters:
    ///   - isOfNetwork: Without messages of which only our time of receipt is known.
    ///   - capacity: The number of counts that are kept in memory.
    init(
        around time: Timestamp, isOfNetwork: Bool = false, isOfExport: Bool = false,
        capacity: Int = OccurrenceCounts.capacity, _ db: Database
    ) throws {
        self.isOfExport = isOfExport
        counts = OccurrenceCounts(capacity: capacity) { try OccurrenceFile() }
        minute = TimeResolution.minute.floor(time)
        let end = minute.advanced(byMicroseconds: TimeResolution.minute.microseconds)
        let columns = """
            id, room_id, kind, sender_id, source_time_us, flags, body, \(Self.isOfNetwork), remote_id IS NOT NULL,
            edited_at_us IS NOT NULL
            """
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(columns) FROM message NOT INDEXED WHERE id >= ?1 AND id < ?2
                UNION ALL
                SELECT \(columns) FROM message
                WHERE source_time_us >= ?1 AND source_time_us < ?2 AND \(Self.isMoved)
                """)
        let rows = try Row.fetchCursor(statement, arguments: [minute.microseconds, end.microseconds])
        let row = Columns(statement)
        while try rows.next() != nil {
            let (id, source) = try (row.time(0).microseconds, row.claim(4))
            let isReceived = try row.integer(7) == 0
            guard !(isOfNetwork && isReceived), try !isOfExport || row.integer(8) == 0 else { continue }
            let (room, sender) = try (row.integer(1), row.optionalInteger(3))
            let kind = try MessageKind(code: row.integer(2))
            let resolution = try MessageFlags(rawValue: row.integer(5)).resolution
            try note(
                OccurrenceKey(room: room, sender: sender, kind: kind, body: try row.optionalText(6)), id: id,
                source: source, resolution: resolution, isReceived: isReceived)
            guard try row.integer(9) != 0, !isOfExport else { continue }
            for body in try Self.earlierTexts(of: id, db) {
                try note(
                    OccurrenceKey(room: room, sender: sender, kind: kind, body: body), id: id, source: source,
                    resolution: resolution)
            }
        }
    }

    /// A log may have what a message said before it was edited: each text counts once, whatever the message says now.
    private static func earlierTexts(of id: Int64, _ db: Database) throws -> [String?] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT DISTINCT message_version.body FROM message_version JOIN message ON message.id = message_id
                WHERE message_id = ? AND message_version.body IS NOT message.body
                """)
        return try String?.fetchAll(statement, arguments: [id])
    }

    func covers(_ time: Timestamp) -> Bool {
        TimeResolution.minute.floor(time) == minute
    }

    /// A message that is stored, or has just been.
    mutating func note(
        _ content: OccurrenceKey, id: Int64, source: Timestamp?, resolution: TimeResolution, isReceived: Bool = false
    ) throws {
        let time = Self.time(id: id, source: source)
        guard covers(time) else { return }
        try count(content, time, .minute)
        if resolution != .minute { try count(content, time, .second) }
        if resolution == .microsecond {
            try count(content, time, .microsecond)
        } else {
            try count(content, time, resolution, .own)
        }
        if isReceived { try count(content, time, .minute, .received) }
    }

    /// Whether so many that are alike were received in the minute, of which no other time is known.
    func hasReceived(_ content: OccurrenceKey, number: Int) throws -> Bool {
        try self.number(content, minute, .minute, .received) >= number
    }

    /// Whether it is one of the stored ones: there are as many at least, at the coarser resolution of the two.
    func has(
        _ content: OccurrenceKey, time: Timestamp, resolution: TimeResolution, occurrence: Occurrence
    ) throws -> Bool {
        switch resolution {
        case .minute:
            return try number(content, time, .minute) >= occurrence.inMinute
        case .second:
            return try number(content, time, .second) >= occurrence.inSecond
                || isIn(.minute, content, time, occurrence.inMinute)
        case .microsecond:
            return try number(content, time, .microsecond) >= occurrence.inMicrosecond
                || isIn(.second, content, time, occurrence.inSecond)
                || isIn(.minute, content, time, occurrence.inMinute)
        }
    }

    /// Whether some stored message has that coarser resolution, and with all others there are enough.
    private func isIn(
        _ resolution: TimeResolution, _ content: OccurrenceKey, _ time: Timestamp, _ occurrence: Int
    ) throws -> Bool {
        try number(content, time, resolution, .own) > 0 && number(content, time, resolution) >= occurrence
    }

    private func number(
        _ content: OccurrenceKey, _ time: Timestamp, _ resolution: TimeResolution, _ part: Part = .fine
    ) throws -> Int {
        try counts.number(content.at(time, resolution, part: part.rawValue))
    }

    private mutating func count(
        _ content: OccurrenceKey, _ time: Timestamp, _ resolution: TimeResolution, _ part: Part = .fine
    ) throws {
        try counts.increment(content.at(time, resolution, part: part.rawValue))
    }

    /// The source's time, or the message's id where the source has none that can be true.
    static func time(id: Int64, source: Timestamp?) -> Timestamp {
        let place = Timestamp(microseconds: id)
        return source.map { place.matched(claim: $0) } ?? place
    }
}

extension OccurrenceKey {
    /// What makes messages of the archive alike, but for the time.
    init(room: Int64, sender: Int64?, kind: MessageKind, body: String?) {
        self.init { hasher in
            hasher.combine(room)
            hasher.combine(sender)
            hasher.combine(kind.code)
            hasher.combine(body.map(ExactString.init))
        }
    }
}
