import ChatModel
import GRDB

/// How many messages that are alike the archive has, in one minute of it: what one that is imported or replayed is matched
/// against.
///
/// A minute is read once, however many lines of it come; what is stored meanwhile has to be noted. It holds up to four
/// counts of 48 bytes a message of that minute.
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

    /// Which of the stored messages a count has.
    private enum Part {
        /// Those whose own resolution is not coarser than the count's.
        case fine
        /// Those whose own resolution is the count's.
        case own
        /// Those of which only our time of receipt is known.
        case received
    }

    private struct Key: Hashable {
        var content: Content
        /// Within this long from here.
        var time: Int64
        var resolution: TimeResolution
        var part = Part.fine
    }

    let minute: Timestamp
    /// Whether only messages without the network's id count, and only what they say now: those of a full export, which has them
    /// each by itself.
    let isOfExport: Bool
    private var counts: [Key: Int] = [:]

    /// The partial index `message_moved`: messages whose time, as their source tells it, is of an earlier minute than their id.
    static let isMoved = "source_time_us < id - id % 60000000"

    /// The messages of which the network told the time, which is the id or `source_time_us`.
    private static let isOfNetwork =
        "(source_time_us IS NOT NULL OR received_at_us IS NOT NULL AND flags & \(MessageFlags.clockAhead.rawValue) = 0)"

    /// Reads the messages whose time is in the minute of this one, wherever the order of their source has put them.
    ///
    /// - Parameter isOfNetwork: Without messages of which only our time of receipt is known.
    init(around time: Timestamp, isOfNetwork: Bool = false, isOfExport: Bool = false, _ db: Database) throws {
        self.isOfExport = isOfExport
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
        var edited: [(id: Int64, source: Timestamp?, kind: MessageKind, room: Int64, sender: Int64?, TimeResolution)] =
            []
        while try rows.next() != nil {
            let (id, source) = try (row.time(0).microseconds, row.claim(4))
            let isReceived = try row.integer(7) == 0
            guard !(isOfNetwork && isReceived), try !isOfExport || row.integer(8) == 0 else { continue }
            let (room, sender) = try (row.integer(1), row.optionalInteger(3))
            let kind = try MessageKind(code: row.integer(2))
            let resolution = try MessageFlags(rawValue: row.integer(5)).resolution
            note(
                Content(room: room, sender: sender, kind: kind, body: try row.optionalText(6)), id: id, source: source,
                resolution: resolution, isReceived: isReceived)
            if try row.integer(9) != 0, !isOfExport { edited.append((id, source, kind, room, sender, resolution)) }
        }
        for (id, source, kind, room, sender, resolution) in edited {
            for body in try Self.earlierTexts(of: id, db) {
                note(
                    Content(room: room, sender: sender, kind: kind, body: body), id: id, source: source,
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
        _ content: Content, id: Int64, source: Timestamp?, resolution: TimeResolution, isReceived: Bool = false
    ) {
        let time = Self.time(id: id, source: source)
        guard covers(time) else { return }
        count(content, time, .minute)
        if resolution != .minute { count(content, time, .second) }
        if resolution == .microsecond {
            count(content, time, .microsecond)
        } else {
            count(content, time, resolution, .own)
        }
        if isReceived { count(content, time, .minute, .received) }
    }

    /// Whether so many that are alike were received in the minute, of which no other time is known.
    func hasReceived(_ content: Content, number: Int) -> Bool {
        self.number(content, minute, .minute, .received) >= number
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
        number(content, time, resolution, .own) > 0 && number(content, time, resolution) >= occurrence
    }

    private func number(
        _ content: Content, _ time: Timestamp, _ resolution: TimeResolution, _ part: Part = .fine
    ) -> Int {
        counts[
            Key(content: content, time: resolution.floor(time).microseconds, resolution: resolution, part: part)] ?? 0
    }

    private mutating func count(
        _ content: Content, _ time: Timestamp, _ resolution: TimeResolution, _ part: Part = .fine
    ) {
        let key = Key(content: content, time: resolution.floor(time).microseconds, resolution: resolution, part: part)
        counts[key, default: 0] += 1
    }

    /// The source's time, or the message's id where the source has none that can be true.
    static func time(id: Int64, source: Timestamp?) -> Timestamp {
        let place = Timestamp(microseconds: id)
        return source.map { place.matched(claim: $0) } ?? place
    }
}
