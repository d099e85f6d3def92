import ChatModel
import GRDB

/// The counts of equal stored messages, in the minutes that an import or a replay recently used.
///
/// Each minute is read once, and together with following minutes while the lines come in the order of time: a log of
/// times that are stored already costs no look-up for each line, and a log of times that are not costs one. The caller must note every message that it stores after that. Copies share the counts:
/// when the caller discards a copy that noted messages, it must also call ``forget()`` on the original.
struct StoredOccurrences {
    /// The messages of a minute that are counted.
    enum Selection: Int, CaseIterable {
        /// All messages, with each text that they ever had, because a log may have the text from before an edit.
        case all
        /// Messages without the network's id, with their present text only: a full export has one line for each.
        case withoutID
        /// All messages except those with only our time of receipt.
        case networkTimed

        func has(isReceived: Bool, hasRemoteID: Bool) -> Bool {
            switch self {
            case .all: true
            case .withoutID: !hasRemoteID
            case .networkTimed: !isReceived
            }
        }
    }

    /// The part of the selected messages that a count includes.
    private enum Part: Int {
        /// Messages whose own resolution is not coarser than the count's.
        case fine
        /// Messages whose own resolution is the count's.
        case own
        /// Messages with only our time of receipt.
        case received
    }

    /// The counted minutes, by ``Selection``.
    private var times = Selection.allCases.map { _ in CountedTimes() }
    private var counts: OccurrenceCounts
    private var alike = AlikeMessages()
    /// The texts counted, and the lines matched with them, since the last ``forget()``.
    private var (texts, lines) = (0, 0)
    /// The number of times that the file was read so far.
    private(set) var reads = 0
    /// The number of messages that the next reading takes after its minute, unless they are fewer.
    private var ahead = 0
    /// ``lines`` when the file was read last.
    private var linesBefore = 0

    /// The limit of ``ahead``. Their counts are an eighth of ``OccurrenceCounts/capacity``.
    private static let mostAhead = 4096
    /// The limit of separate times in memory, about 300 KB; all are forgotten together.
    private static let timesInMemory = 20_000
    /// The counts are emptied only after one line for each 100 texts read. Reading a text takes about 1 µs, so reading
    /// texts again takes at most about 100 µs a line.
    private static let textsPerLine = 100

    /// - Parameter countsInMemory: The limit of counts in memory; the others go to a file.
    init(countsInMemory: Int = OccurrenceCounts.capacity) {
        counts = OccurrenceCounts(capacity: countsInMemory) { try OccurrenceFile() }
    }

    var isEmpty: Bool { times.allSatisfy(\.isEmpty) }

    /// Forgets the minutes that were read, because the file may differ by now.
    mutating func forget() {
        for index in times.indices { times[index].removeAll() }
        counts.removeAll()
        alike.forget()
        (texts, lines, linesBefore) = (0, 0, 0)
    }

    /// The condition of the partial index `message_moved`: messages whose source's time is in an earlier minute than
    /// their id.
    static let isMoved = "source_time_us < id - id % 60000000"

    /// The condition for messages with the network's time, which is the id or `source_time_us`.
    static let hasNetworkTime =
        "(source_time_us IS NOT NULL OR received_at_us IS NOT NULL AND flags & \(MessageFlags.clockAhead.rawValue) = 0)"

    /// Returns the stored message that an imported line repeats; nil if there is none.
    mutating func find(
        like message: ImportedMessage, room: Int64, sender: Int64?, _ db: Database
    ) throws -> StoredMessage? {
        let content = OccurrenceKey(room: room, sender: sender, kind: message.kind, body: message.body)
        return try alike.find(message, as: content, db).flatMap { try StoredMessage.find(at: $0, db) }
    }

    /// Reads the messages whose time is in the minute of this time, also those with ids in other minutes, and those of
    /// the following minutes as far as ``ahead`` allows.
    ///
    /// Forgets earlier minutes when they take too much memory, but only after enough lines used them.
    private mutating func read(_ time: Timestamp, _ selection: Selection, _ db: Database) throws {
        let start = TimeResolution.minute.floor(time).microseconds
        guard !times[selection.rawValue].contains(start) else { return }
        let isFull = counts.isFull || times[selection.rawValue].count >= Self.timesInMemory
        if isFull, lines >= texts / Self.textsPerLine { forget() }
        adaptAhead()
        reads += 1
        let limit = times[selection.rawValue].beginning(after: start)
        let end = try readInPlace(from: start, to: limit, selection, db)
        try readMoved(from: start, to: end, selection, db)
        times[selection.rawValue].insert(start..<end)
    }

    /// Reads further ahead if the lines since the last reading used a good part of it, or else less far.
    private mutating func adaptAhead() {
        let isUsed = (lines - linesBefore) * 4 >= ahead
        linesBefore = lines
        ahead = isUsed ? min(max(ahead * 2, 16), Self.mostAhead) : ahead / 2
    }

    private static let columns = """
        id, room_id, kind, sender_id, source_time_us, flags, body, \(hasNetworkTime), remote_id IS NOT NULL,
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
        let rows = try Row.fetchCursor(statement, arguments: [start, limit])
        let row = Columns(statement)
        var (minute, number) = (start, 0)
        while try rows.next() != nil {
            let place = TimeResolution.minute.floor(try row.time(0))
            if place.microseconds != minute {
                if number >= ahead { return place.microseconds }
                minute = place.microseconds
            }
            number += 1
            try count(row, selection, db) { TimeResolution.minute.floor($0) == place }
        }
        return limit
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
        let rows = try Row.fetchCursor(statement, arguments: [start, end])
        let row = Columns(statement)
        while try rows.next() != nil {
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
        return try String?.fetchAll(statement, arguments: [id])
    }

    /// Notes a message that was just stored.
    mutating func noteStored(
        _ message: IncomingMessage, as id: Int64, room: Int64, sender: Int64?, isReceived: Bool
    ) throws {
        guard !isEmpty else { return }
        let time = Self.time(id: id, source: message.sourceTime)
        let content = OccurrenceKey(room: room, sender: sender, kind: message.kind, body: message.body)
        try alike.noteStored(content, id: id, at: time)
        for selection in selections(around: time, isReceived: isReceived, hasRemoteID: message.remoteID != nil) {
            try count(content, time, message.flags.resolution, isReceived: isReceived, selection)
        }
    }

    /// Notes that a stored message is about to get another text.
    ///
    /// - Parameter isNew: True if the message never had that text.
    mutating func noteChange(of message: StoredMessage, to body: String?, isNew: Bool) throws {
        let (old, new) = (message.content(message.body), message.content(body))
        try alike.remove(old, id: message.id, at: message.time)
        try alike.noteStored(new, id: message.id, at: message.time)
        for selection in selections(around: message) {
            if selection == .withoutID {
                try count(old, message, isReceived: message.isReceived, selection, by: -1)
                try count(new, message, isReceived: message.isReceived, selection)
                continue
            }
            if isNew { try count(new, message, isReceived: false, selection) }
            if message.isReceived {
                let minute = TimeResolution.minute
                try counts.increment(Self.key(old, message.time, minute, .received, selection), by: -1)
                try counts.increment(Self.key(new, message.time, minute, .received, selection))
            }
        }
    }

    /// Notes an earlier text that the message did not have before.
    mutating func noteEarlier(_ body: String?, of message: StoredMessage) throws {
        for selection in selections(around: message) where selection != .withoutID {
            try count(message.content(body), message, isReceived: false, selection)
        }
    }

    private func selections(around message: StoredMessage) -> [Selection] {
        selections(around: message.time, isReceived: message.isReceived, hasRemoteID: message.remoteID != nil)
    }

    /// Returns the selections that count such a message and for which its minute was read.
    private func selections(around time: Timestamp, isReceived: Bool, hasRemoteID: Bool) -> [Selection] {
        Selection.allCases.filter {
            $0.has(isReceived: isReceived, hasRemoteID: hasRemoteID) && times[$0.rawValue].contains(time.microseconds)
        }
    }

    /// Returns true if the archive has the imported message, with the room and the sender of `content`.
    ///
    /// Matches by the source's time. If the source's clock was set back, also matches messages that have only our time
    /// of receipt, by the order in the source.
    mutating func has(_ message: ImportedMessage, as content: OccurrenceKey, _ db: Database) throws -> Bool {
        let selection = message.exact == nil ? Selection.all : .withoutID
        if try has(
            content, time: message.matchedTime, resolution: message.resolution, occurrence: message.occurrence,
            selection, db)
        {
            return true
        }
        guard let later = message.laterMinute, let occurrence = message.occurrence.inLaterMinute else { return false }
        try read(later, selection, db)
        return try number(content, later, .minute, .received, selection) >= occurrence
    }

    /// Returns true if the archive has at least as many equal messages as `occurrence` requires, at the coarser of the
    /// two resolutions.
    mutating func has(
        _ content: OccurrenceKey, time: Timestamp, resolution: TimeResolution, occurrence: Occurrence,
        _ selection: Selection, _ db: Database
    ) throws -> Bool {
        try read(time, selection, db)
        lines += 1
        func number(_ resolution: TimeResolution) throws -> Int {
            try self.number(content, time, resolution, .fine, selection)
        }
        /// Returns true if an equal stored message has this coarser resolution, and enough equal messages have the same
        /// time at that resolution.
        func isIn(_ resolution: TimeResolution, _ occurrence: Int) throws -> Bool {
            try self.number(content, time, resolution, .own, selection) > 0 && number(resolution) >= occurrence
        }
        switch resolution {
        case .minute:
            return try number(.minute) >= occurrence.inMinute
        case .second:
            return try number(.second) >= occurrence.inSecond || isIn(.minute, occurrence.inMinute)
        case .microsecond:
            return try number(.microsecond) >= occurrence.inMicrosecond || isIn(.second, occurrence.inSecond)
                || isIn(.minute, occurrence.inMinute)
        }
    }

    private func number(
        _ content: OccurrenceKey, _ time: Timestamp, _ resolution: TimeResolution, _ part: Part, _ selection: Selection
    ) throws -> Int {
        try counts.number(Self.key(content, time, resolution, part, selection))
    }

    private mutating func count(
        _ content: OccurrenceKey, _ message: StoredMessage, isReceived: Bool, _ selection: Selection, by number: Int = 1
    ) throws {
        try count(content, message.time, message.resolution, isReceived: isReceived, selection, by: number)
    }

    private mutating func count(
        _ content: OccurrenceKey, _ time: Timestamp, _ own: TimeResolution, isReceived: Bool, _ selection: Selection,
        by number: Int = 1
    ) throws {
        texts += 1
        func increment(_ resolution: TimeResolution, _ part: Part) throws {
            try counts.increment(Self.key(content, time, resolution, part, selection), by: number)
        }
        try increment(.minute, .fine)
        if own != .minute { try increment(.second, .fine) }
        try increment(own, own == .microsecond ? .fine : .own)
        if isReceived { try increment(.minute, .received) }
    }

    private static func key(
        _ content: OccurrenceKey, _ time: Timestamp, _ resolution: TimeResolution, _ part: Part, _ selection: Selection
    ) -> OccurrenceKey {
        content.at(time, resolution, part: part.rawValue + 3 * selection.rawValue)
    }

    /// Returns the source's time, or the message's id if the source has no time that can be true.
    static func time(id: Int64, source: Timestamp?) -> Timestamp {
        let place = Timestamp(microseconds: id)
        return source.map { place.matched(claim: $0) } ?? place
    }
}

extension OccurrenceKey {
    /// Creates a key from the parts in which equal messages agree, without the time.
    init(room: Int64, sender: Int64?, kind: MessageKind, body: String?) {
        self.init { hasher in
            hasher.combine(room)
            hasher.combine(sender)
            hasher.combine(kind.code)
            hasher.combine(body.map(ExactString.init))
        }
    }
}

extension StoredMessage {
    /// Returns the key that the message has with this text.
    fileprivate func content(_ body: String?) -> OccurrenceKey {
        OccurrenceKey(room: room, sender: sender, kind: kind, body: body)
    }
}
