package import ChatModel
import GRDB
import SearchText

/// Recognises stored messages in logs whose clock, spelling or names differ from the archive's (``LineAlignment``).
///
/// Reads the messages around each batch before the batch is stored. Where none is stored, it costs one look-up for each
/// room of a batch.
package actor ImportAlignment {
    /// Nil if the account did not exist when the import began.
    private let reader: AccountReader?
    private var names = NameBook()
    private var rooms: [ExactString: Room] = [:]
    /// The number of the file that is being read.
    private var file = 0
    /// The distances that were found, by room, in seconds.
    package private(set) var distances: [String: ClosedRange<Double>] = [:]

    /// What is known of a room from the lines before.
    private struct Room {
        /// The last lines of the file that is being read. Their messages are stored, and are not the next lines.
        var tail: [LineAlignment.Entry] = []
        /// The number of that file.
        var file = 0
        /// The last distance that was found; nil if none was.
        var distance: Int64?
    }

    /// The limit of lines that are laid beside the archive at once.
    private static let mostLines = 1000
    /// The limit of messages that are read for them. Lines beyond it are laid in two parts.
    private static let mostMessages = 20_000
    /// The fewest lines that are not parted any more. Beside so many messages their texts show nothing.
    private static let fewestLines = 32
    /// The limit of rooms in memory.
    private static let mostRooms = 10_000

    init(reader: AccountReader?) {
        self.reader = reader
        names.rehearsal = NameBook.Rehearsal()
    }

    /// Removes the lines from a batch that are stored already, and says of others what they are.
    ///
    /// - Parameter beginnings: The indices of the lines that begin another file.
    /// - Returns: The remaining lines, of which some have ``ImportedMessage/alignment`` and a time of the archive's clock;
    ///   and the indices of the removed ones, in order.
    package func align(
        _ lines: [ImportedLine], beginnings: [Int]
    ) throws -> (lines: [ImportedLine], removed: [Int]) {
        guard let reader else { return (lines, []) }
        var (aligned, removed) = (lines, [Int]())
        try reader.read { transaction in
            guard let db = transaction.file else { return }
            for case .owner(let owner) in lines { try names.rehearseOwner(owner, db) }
            let ends = beginnings + [lines.count]
            var start = 0
            for end in ends {
                if start < end { try align(start..<end, &aligned, &removed, db) }
                // The lines of another file may be those of the file before.
                if end < lines.count { file += 1 }
                start = end
            }
        }
        removed.sort()
        let isRemoved = Set(removed)
        return (
            removed.isEmpty ? aligned : aligned.indices.filter { !isRemoved.contains($0) }.map { aligned[$0] }, removed
        )
    }

    /// Aligns the lines of one file.
    private func align(
        _ range: Range<Int>, _ lines: inout [ImportedLine], _ removed: inout [Int], _ db: Database
    ) throws {
        var groups: [ExactString: [Int]] = [:]
        var order: [ExactString] = []
        for index in range {
            guard case .message(let message) = lines[index], message.isMatchedByContent else { continue }
            let room = ExactString(message.room)
            if groups[room] == nil { order.append(room) }
            groups[room, default: []].append(index)
        }
        if rooms.count > Self.mostRooms { rooms.removeAll() }
        for name in order {
            guard let group = groups[name], case .message(let first) = lines[group[0]],
                let room = try names.findRoom(of: first, db)
            else { continue }
            for start in stride(from: 0, to: group.count, by: Self.mostLines) {
                let part = group[start..<min(start + Self.mostLines, group.count)]
                try align(part, of: room, named: name, &lines, &removed, db)
            }
        }
    }

    private func align(
        _ part: ArraySlice<Int>, of room: Int64, named name: ExactString, _ lines: inout [ImportedLine],
        _ removed: inout [Int], _ db: Database
    ) throws {
        let messages: [ImportedMessage] = part.compactMap {
            if case .message(let message) = lines[$0] { message } else { nil }
        }
        var known = rooms[name] ?? Room()
        if known.file != file { known.tail = [] }
        let times = known.tail.map(\.time) + messages.map(\.matchedTime.microseconds)
        guard let first = times.min(), let last = times.max() else { return }
        let (low, _) = first.subtractingReportingOverflow(LineAlignment.reach)
        let (high, _) = last.addingReportingOverflow(LineAlignment.reach)
        guard low <= first, last <= high else { return }
        let stored = try stored(in: room, from: low, to: high, db)
        guard !stored.isEmpty else { return }
        if stored.count > Self.mostMessages {
            guard part.count >= 2 * Self.fewestLines else { return }
            let middle = part.startIndex + part.count / 2
            try align(part[..<middle], of: room, named: name, &lines, &removed, db)
            return try align(part[middle...], of: room, named: name, &lines, &removed, db)
        }
        let entries = try known.tail + messages.map { try entry(of: $0, db) }
        let alignment = LineAlignment(lines: entries, messages: stored.map(\.entry))
        let found = alignment.distance()
        let distance = found ?? known.distance
        let matched = alignment.match(distance).dropFirst(known.tail.count)
        let isNear = distance.map { alignment.hasNear($0) }?.dropFirst(known.tail.count)
        for (offset, index) in part.enumerated() {
            var message = messages[offset]
            if let match = matched[matched.startIndex + offset] {
                if message.mayHaveMore {
                    (message.alignment, message.body) = (
                        .stored(id: stored[match].id), try body(of: stored[match].id, db)
                    )
                } else {
                    removed.append(index)
                    continue
                }
            } else if let distance, let isNear {
                message.move(by: LineAlignment.move(distance, resolution: message.resolution.microseconds))
                if isNear[isNear.startIndex + offset] { message.alignment = .new }
            }
            lines[index] = .message(message)
        }
        if let found { note(found, in: messages[0].room) }
        rooms[name] = Room(tail: Self.tail(of: entries), file: file, distance: distance)
    }

    private func body(of id: Int64, _ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT body FROM message WHERE id = ? AND body IS NOT NULL"), arguments: [id])
    }

    private func note(_ distance: Int64, in room: String) {
        let seconds = Double(distance) / 1_000_000
        guard seconds.magnitude >= 1, distances.count < Self.mostRooms else { return }
        let before = distances[room] ?? seconds...seconds
        distances[room] = min(before.lowerBound, seconds)...max(before.upperBound, seconds)
    }

    /// Returns the last lines, as far as the next ones may reach.
    private static func tail(of entries: [LineAlignment.Entry]) -> [LineAlignment.Entry] {
        guard let last = entries.map(\.time).max() else { return [] }
        return entries.suffix(mostLines).filter { $0.time >= last - 2 * LineAlignment.reach }
    }

    private func entry(of message: ImportedMessage, _ db: Database) throws -> LineAlignment.Entry {
        let time = message.matchedTime.microseconds
        let person = message.person
        let user = try person.flatMap { try names.find($0, at: time, db) }
        // Users have ids above 0, and the account's own person may have one below.
        let sender = user ?? person.map { .min / 2 + Int64($0.name.hashValue & 0x7FFF_FFFF_FFFF) }
        return LineAlignment.Entry(
            content: OccurrenceKey(kind: message.kind, text: message.body), sender: sender, time: time,
            resolution: message.resolution.microseconds)
    }

    /// Reads the messages of a room, at most one more than ``mostMessages``.
    private func stored(
        in room: Int64, from low: Int64, to high: Int64, _ db: Database
    ) throws -> [(id: Int64, entry: LineAlignment.Entry)] {
        var found: [(id: Int64, entry: LineAlignment.Entry)] = []
        let statement = try HotStatement(
            cached: """
                SELECT id, kind, sender_id, source_time_us, flags, body FROM message
                WHERE room_id = ?1 AND noise = ?2 AND id >= ?3 AND id <= ?4 AND deleted_at_us IS NULL
                ORDER BY id LIMIT \(Self.mostMessages + 1)
                """, db)
        for noise: Int64 in [0, 1] {
            try statement.forEach({
                $0.bind(1, room)
                $0.bind(2, noise)
                $0.bind(3, low)
                $0.bind(4, high)
            }) { row in
                let id = try row.time(0).microseconds
                let time = StoredOccurrences.time(id: id, source: try row.claim(3))
                let content = OccurrenceKey(
                    kind: try MessageKind(code: row.integer(1)), text: try row.optionalText(5))
                found.append(
                    (
                        id,
                        LineAlignment.Entry(
                            content: content, sender: try row.optionalInteger(2), time: time.microseconds,
                            resolution: try MessageFlags(rawValue: row.integer(4)).resolution.microseconds)
                    ))
            }
        }
        return found
    }
}

extension ImportedMessage {
    /// True for a message that has nothing but its content and time by which the archive can know it.
    fileprivate var isMatchedByContent: Bool {
        exact == nil && remoteID == nil && roomKey == nil && senderKey == nil && deletedAt == nil
    }

    /// Moves the message back in time.
    fileprivate mutating func move(by microseconds: Int64) {
        guard microseconds != 0 else { return }
        time = time.advanced(byMicroseconds: -microseconds)
        place = place?.advanced(byMicroseconds: -microseconds)
    }
}

extension OccurrenceKey {
    /// Creates a key of what clients and networks write alike: without IRC's colours and styles, without the quotes that a
    /// server puts around the reason of a quit (ngircd 26.1), without the names of mentioned people (WhatsApp's, in U+2068
    /// and U+2069), and with no topic like an empty one.
    fileprivate init(kind: MessageKind, text: String?) {
        var plain = FormattingCodes.removed(from: text ?? "")
        if kind == .leave, plain.utf8.count >= 2, plain.utf8.first == UInt8(ascii: "\""),
            plain.utf8.last == plain.utf8.first
        {
            plain = String(plain.dropFirst().dropLast())
        }
        if plain.unicodeScalars.contains("\u{2068}") { plain = plain.withoutIsolates }
        self.init { hasher in
            hasher.combine(kind.code)
            hasher.combine(ExactString(plain))
        }
    }
}

extension String {
    /// The text without what is between U+2068 and U+2069.
    fileprivate var withoutIsolates: String {
        var (kept, isIsolated) = (String.UnicodeScalarView(), false)
        for scalar in unicodeScalars {
            if scalar == "\u{2068}" { isIsolated = true }
            if !isIsolated { kept.append(scalar) }
            if scalar == "\u{2069}" { isIsolated = false }
        }
        return String(kept)
    }
}
