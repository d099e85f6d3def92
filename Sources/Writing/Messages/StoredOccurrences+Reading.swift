import ChatModel
import SQLite
import Schema

/// Counts the messages of minutes that were not counted yet.
extension StoredOccurrences {
    /// The limit of ``ahead``. Their counts are an eighth of ``OccurrenceCounts/capacity``.
    private static let mostAhead = 4096
    /// The limit of separate times in memory, about 300 KB; all are forgotten together.
    private static let timesInMemory = 20_000
    /// The counts are emptied only after one line for each 100 texts read. Reading a text takes about 1 µs, so reading
    /// texts again takes at most about 100 µs a line.
    private static let textsPerLine = 100

    /// Counts the messages whose time is in the minute of `time`, whatever minute their ids are in, and those of the
    /// following minutes as far as ``ahead`` allows. Does nothing if that minute is counted already.
    ///
    /// Forgets all minutes first if they take too much memory, but only after enough lines used them
    /// (``textsPerLine``) and never while the lines stay within the counted minutes of ``used``.
    mutating func readMinutes(at time: Timestamp, _ selection: Selection, _ db: Database) throws {
        let start = TimeResolution.minute.floor(time).microseconds
        let isCounted = times[selection.rawValue].contains(start)
        if used.contains(start), isCounted { return }
        let isFull = counts.isFull || times[selection.rawValue].count >= Self.timesInMemory
        if isFull, lines >= texts / Self.textsPerLine { forget() }
        used = used.isEmpty ? start..<(start + 1) : min(used.lowerBound, start)..<max(used.upperBound, start + 1)
        guard !times[selection.rawValue].contains(start) else { return }
        adaptAhead()
        reads += 1
        let limit = times[selection.rawValue].beginning(after: start)
        let end = try readInPlace(from: start, to: limit, selection, db)
        try readMoved(from: start, to: end, selection, db)
        times[selection.rawValue].insert(start..<end)
    }

    /// Doubles ``ahead`` if the lines since the last reading used at least a quarter of it, or else halves it.
    private mutating func adaptAhead() {
        let isUsed = (lines - linesBefore) * 4 >= ahead
        linesBefore = lines
        ahead = isUsed ? min(max(ahead * 2, 16), Self.mostAhead) : ahead / 2
    }

    private static let columns = """
        id, room_id, kind, sender_id, \(matchedTime), flags, body, \(hasNetworkTime), remote_id IS NOT NULL,
        edited_at_us IS NOT NULL
        """

    /// Counts the messages whose time is in the minute of their id, from one minute on.
    ///
    /// - Parameters:
    ///   - start: The beginning of the first minute.
    ///   - limit: The beginning of the first minute that is counted already.
    /// - Returns: The beginning of the minute up to which messages are counted.
    private mutating func readInPlace(
        from start: Int64, to limit: Int64, _ selection: Selection, _ db: Database
    ) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Self.columns) FROM message NOT INDEXED WHERE id >= ? AND id < ? ORDER BY id")
        var (minute, number) = (start, 0)
        let end = try statement.first({
            $0.bind(1, start)
            $0.bind(2, limit)
        }) { row -> Int64? in
            let place = TimeResolution.minute.floor(try row.time(0))
            if place.microseconds != minute {
                if number >= ahead { return place.microseconds }
                minute = place.microseconds
            }
            number += 1
            try count(row, selection, db) { TimeResolution.minute.floor($0) == place }
            return nil
        }
        return end ?? limit
    }

    /// Counts the messages whose time is in an earlier minute than their id.
    private mutating func readMoved(
        from start: Int64, to end: Int64, _ selection: Selection, _ db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.columns) FROM message
                WHERE source_time_us >= ? AND source_time_us < ? AND \(Self.isMoved)
                """)
        try statement.forEach({
            $0.bind(1, start)
            $0.bind(2, end)
        }) { row in
            let place = TimeResolution.minute.floor(try row.time(0))
            try count(row, selection, db) {
                (start..<end).contains($0.microseconds) && TimeResolution.minute.floor($0) != place
            }
        }
    }

    /// Counts a row with ``columns`` if its time is one of those that are read.
    private mutating func count(
        _ row: Columns, _ selection: Selection, _ db: Database, isRead: (Timestamp) -> Bool
    ) throws {
        let id = try row.time(0).microseconds
        let time = Self.time(id: id, source: try row.claim(4))
        let isReceived = try row.integer(7) == 0
        guard try selection.has(isReceived: isReceived, hasRemoteID: row.integer(8) != 0), isRead(time) else { return }
        let (room, sender) = try (row.integer(1), row.optionalInteger(3))
        let kind = try MessageKind(code: row.integer(2))
        let resolution = try MessageFlags(rawValue: row.integer(5)).resolution
        try count(
            OccurrenceKey(room: room, sender: sender, kind: kind, body: try row.optionalText(6)), time, resolution,
            isReceived: isReceived, selection)
        guard try row.integer(9) != 0, selection != .withoutID else { return }
        for body in try Self.earlierTexts(of: id, db) {
            try count(
                OccurrenceKey(room: room, sender: sender, kind: kind, body: body), time, resolution,
                isReceived: false, selection)
        }
    }

    /// Returns the earlier texts of a message, each once, because a log may have the text from before an edit.
    private static func earlierTexts(of id: Int64, _ db: Database) throws -> [String?] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT DISTINCT message_version.body FROM message_version JOIN message ON message.id = message_id
                WHERE message_id = ? AND message_version.body IS NOT message.body
                """)
        return try statement.all(arguments: [id]) { try $0.optionalText(0) }
    }
}
