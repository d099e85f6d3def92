import Bytes
package import ChatModel
package import SQLite
import Schema

/// The counts of equal stored messages, in the minutes that an import or a replay recently used.
///
/// Each minute is read once. While the lines come in the order of time, the following minutes are read with it, so
/// that most lines need no query. The caller must note every message that it stores after that.
///
/// Copies share the counts: when the caller discards a copy that noted messages, it must also call ``forget()`` on
/// the original.
package struct StoredOccurrences {
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
    var times = Selection.allCases.map { _ in CountedTimes() }
    var counts: OccurrenceCounts
    private var alike = AlikeMessages()
    /// The texts counted, and the lines matched with them, since the last ``forget()``.
    var (texts, lines) = (0, 0)
    /// From the earliest to the latest minute of the lines since the last ``forget()``.
    var used: Range<Int64> = 0..<0
    /// The number of times that the file was read so far.
    var reads = 0
    /// The number of messages that the next reading takes after its minute, unless they are fewer.
    var ahead = 0
    /// ``lines`` when the file was read last.
    var linesBefore = 0

    /// - Parameter countsInMemory: The limit of counts in memory; the others go to a file.
    package init(countsInMemory: Int = OccurrenceCounts.capacity) {
        counts = OccurrenceCounts(capacity: countsInMemory) { try OccurrenceFile() }
    }

    var isEmpty: Bool { times.allSatisfy(\.isEmpty) }

    /// Forgets the minutes that were read, because the file may differ by now.
    mutating func forget() {
        for index in times.indices { times[index].removeAll() }
        counts.removeAll()
        alike.forget()
        (texts, lines, linesBefore, used) = (0, 0, 0, 0..<0)
    }

    /// The condition for messages whose source's time is in an earlier minute than their id, in the index
    /// `message_moved`. A standing topic is matched by its id, because its source's time is that of the message that set it.
    static let isMoved = "source_time_us < id - id % 60000000 AND \(isNotStanding)"

    private static let isNotStanding = "flags & \(MessageFlags.standing.rawValue) = 0"

    /// SQL for the source's time by which a message is matched; null for none.
    package static let matchedTime = "iif(\(isNotStanding), source_time_us, NULL)"

    /// The condition for messages with the network's time, which is the id or `source_time_us`.
    static let hasNetworkTime =
        "(source_time_us IS NOT NULL OR received_at_us IS NOT NULL AND flags & \(MessageFlags.clockAhead.rawValue) = 0)"

    /// Returns the stored message that an imported line repeats; nil if there is none.
    package mutating func find(
        like message: ImportedMessage, room: Int64, _ senders: ImportMatch.Senders, _ db: Database
    ) throws -> StoredMessage? {
        for sender in senders.all {
            let content = OccurrenceKey(room: room, sender: sender, kind: message.kind, body: message.body)
            if let id = try alike.find(message, as: content, db) { return try StoredMessage.find(at: id, db) }
        }
        return nil
    }

    /// Notes a message that was just stored.
    mutating func noteStored(
        _ message: IncomingMessage, as id: Int64, room: Int64, sender: Int64?, isReceived: Bool
    ) throws {
        guard !isEmpty else { return }
        let time = Self.time(id: id, source: message.flags.contains(.standing) ? nil : message.sourceTime)
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

    /// Notes that a stored message is about to get the network's id.
    mutating func noteID(of message: StoredMessage) throws {
        guard times[Selection.withoutID.rawValue].contains(message.time.microseconds) else { return }
        try count(message.content(message.body), message, isReceived: message.isReceived, .withoutID, by: -1)
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

    /// Returns true if the archive has the imported message, with the room and the sender of one of `contents`.
    ///
    /// Matches by the source's time. If the source's clock was set back, also matches messages that have only our time
    /// of receipt, by the order in the source.
    mutating func has(_ message: ImportedMessage, as contents: [OccurrenceKey], _ db: Database) throws -> Bool {
        let selection = message.exact == nil ? Selection.all : .withoutID
        if try has(
            contents, time: message.matchedTime, resolution: message.resolution, occurrence: message.occurrence,
            selection, db)
        {
            return true
        }
        guard let later = message.laterMinute, let occurrence = message.occurrence.inLaterMinute else { return false }
        try readMinutes(at: later, selection, db)
        return try number(contents, later, .minute, .received, selection) >= occurrence
    }

    /// Returns true if the archive has at least as many equal messages as `occurrence` requires, at the coarser of the
    /// two resolutions.
    mutating func has(
        _ contents: [OccurrenceKey], time: Timestamp, resolution: TimeResolution, occurrence: Occurrence,
        _ selection: Selection, _ db: Database
    ) throws -> Bool {
        try readMinutes(at: time, selection, db)
        lines += 1
        func number(_ resolution: TimeResolution) throws -> Int {
            try self.number(contents, time, resolution, .fine, selection)
        }
        /// Returns true if an equal stored message has this coarser resolution, and enough equal messages have the same
        /// time at that resolution.
        func isIn(_ resolution: TimeResolution, _ occurrence: Int) throws -> Bool {
            try self.number(contents, time, resolution, .own, selection) > 0 && number(resolution) >= occurrence
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
        _ contents: [OccurrenceKey], _ time: Timestamp, _ resolution: TimeResolution, _ part: Part,
        _ selection: Selection
    ) throws -> Int {
        try contents.reduce(0) { try $0 + counts.number(Self.key($1, time, resolution, part, selection)) }
    }

    private mutating func count(
        _ content: OccurrenceKey, _ message: StoredMessage, isReceived: Bool, _ selection: Selection, by number: Int = 1
    ) throws {
        try count(content, message.time, message.resolution, isReceived: isReceived, selection, by: number)
    }

    mutating func count(
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
    package static func time(id: Int64, source: Timestamp?) -> Timestamp {
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
