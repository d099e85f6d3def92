import ChatModel
import SQLite
import Schema

/// An index of stored messages by their content, for the minutes that an import has reached. Finds the message to which
/// an imported line adds something.
///
/// Each minute is read once. The caller must note every message that it stores or changes after that.
struct AlikeMessages {
    /// The last result for a content. The next search for that content starts there.
    private struct Found {
        let times: Range<Int64>
        let number: Int
        let id: Int64
    }

    private var minutes: Set<Timestamp> = []
    private var found: [OccurrenceKey: Found] = [:]
    private var file: PlaceFile?
    /// The messages read, and the lines looked up among them, since the last ``forget()``.
    private var (messages, lines) = (0, 0)

    /// The limit of minutes, and of results, in memory: about 2 MB.
    private static let capacity = 20_000
    /// The limit of messages in the file: about 50 MB in TMPDIR.
    private static let messagesInFile = 1_000_000
    /// The index is emptied only after one line for each 100 messages read. Reading a message takes about 5 µs, so
    /// reading messages again takes at most about 500 µs a line.
    private static let messagesPerLine = 100

    mutating func forget() { self = AlikeMessages() }

    /// Returns the id of the stored message that an imported line repeats; nil if there is none. The nth of equal lines
    /// in the source repeats the nth of equal messages, in the order of ids.
    mutating func find(_ message: ImportedMessage, as content: OccurrenceKey, _ db: Database) throws -> Int64? {
        let (time, resolution) = (message.matchedTime, message.resolution)
        let file = try readMinute(TimeResolution.minute.floor(time), db)
        lines += 1
        let start = resolution.floor(time).microseconds
        let (end, _) = start.addingReportingOverflow(max(resolution.microseconds, TimeResolution.second.microseconds))
        guard start < end else { return nil }
        let times = start..<end
        let occurrence =
            switch resolution {
            case .minute: message.occurrence.inMinute
            case .second: message.occurrence.inSecond
            case .microsecond: message.occurrence.inMicrosecond
            }
        let number = max(1, occurrence)
        let last = found[content].flatMap { $0.times == times && $0.number <= number ? $0 : nil }
        let id = try file.find(
            content, times: times, from: last?.id ?? .min, after: number - (last?.number ?? 1))
        if found.count >= Self.capacity { found.removeAll() }
        found[content] = id.map { Found(times: times, number: number, id: $0) } ?? last
        return id
    }

    /// Notes a message that was just stored, or changed to this content.
    mutating func noteStored(_ content: OccurrenceKey, id: Int64, at time: Timestamp) throws {
        guard minutes.contains(TimeResolution.minute.floor(time)) else { return }
        if let last = found[content], id < last.id { found[content] = nil }
        try file?.add([PlaceFile.Place(content: content, id: id, time: time)])
        messages += 1
    }

    /// Notes that a message no longer has this content.
    mutating func remove(_ content: OccurrenceKey, id: Int64, at time: Timestamp) throws {
        guard minutes.contains(TimeResolution.minute.floor(time)) else { return }
        found[content] = nil
        try file?.remove(content, id: id)
    }

    private mutating func readMinute(_ minute: Timestamp, _ db: Database) throws -> PlaceFile {
        if let file, minutes.contains(minute) { return file }
        let isFull = messages >= Self.messagesInFile || minutes.count >= Self.capacity
        if isFull, lines >= messages / Self.messagesPerLine { forget() }
        let file = try self.file ?? PlaceFile()
        self.file = file
        let end = minute.advanced(byMicroseconds: TimeResolution.minute.microseconds)
        let columns = "id, room_id, kind, sender_id, \(StoredOccurrences.matchedTime), body"
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(columns) FROM message NOT INDEXED WHERE id >= ?1 AND id < ?2
                UNION ALL
                SELECT \(columns) FROM message
                WHERE source_time_us >= ?1 AND source_time_us < ?2 AND \(StoredOccurrences.isMoved)
                """)
        var places: [PlaceFile.Place] = []
        try statement.forEach(arguments: [minute.microseconds, end.microseconds]) { row in
            let id = try row.time(0).microseconds
            let content = OccurrenceKey(
                room: try row.integer(1), sender: try row.optionalInteger(3),
                kind: try MessageKind(code: row.integer(2)), body: try row.optionalText(5))
            let time = StoredOccurrences.time(id: id, source: try row.claim(4))
            places.append(PlaceFile.Place(content: content, id: id, time: time))
            messages += 1
            guard places.count == 1000 else { return }
            try file.add(places)
            places.removeAll(keepingCapacity: true)
        }
        try file.add(places)
        minutes.insert(minute)
        return file
    }
}
