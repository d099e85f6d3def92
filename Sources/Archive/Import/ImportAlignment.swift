import Accounts
import Bytes
package import ChatModel
import Records
import SQLite
import Schema
import Writing

/// Recognises stored messages in logs whose clock, spelling or names differ from the archive's (``LineAlignment``).
///
/// Reads the messages around each batch before the batch is stored. Where none is stored, it costs one look-up for each
/// room of a batch.
package actor ImportAlignment {
    /// Nil if the account did not exist when it was last opened.
    private var reader: AccountReader?
    private let open: @Sendable () throws -> AccountReader?
    private var names = NameBook.rehearsal()
    /// The account's bridges; nil until they are needed.
    private var bridges: BridgeBook?
    private var rooms: [ExactString: Room] = [:]
    /// The last lines of the file that is being read, by room. Their messages are stored, and are not the next lines.
    private var tails: [ExactString: [ImportedMessage]] = [:]
    private var tailCount = 0
    /// False if the file's last lines are too many. Then its further lines are not compared.
    private var isComparing = true
    /// The distances that were found, by room, in seconds.
    package private(set) var distances: [String: ClosedRange<Double>] = [:]

    /// The state of a room after its earlier lines.
    private struct Room {
        /// The last distance that was found, in microseconds; nil if none was.
        var distance: Int64?
        /// True if so many messages are stored beside a few lines of the file that nothing can be compared.
        var isDense = false
    }

    /// The limit of lines that are laid beside the archive at once.
    private static let mostLines = 1000
    /// The limit of messages that are read for them. Lines beyond it are laid in two parts.
    private static let mostMessages = 20_000
    /// The fewest lines that are parted. Beside so many messages their texts show nothing.
    private static let fewestLines = 64
    /// The limit of rooms in memory.
    private static let mostRooms = 10_000
    /// The limits of last lines in memory: of a room, and of all rooms.
    private static let (mostLast, mostLastOfAll) = (2000, 10_000)

    init(reader: AccountReader?, open: @escaping @Sendable () throws -> AccountReader?) {
        (self.reader, self.open) = (reader, open)
    }

    /// Opens an account that the import itself created. Call it between two files, when all lines before are stored.
    package func openCreated() throws { if reader == nil { reader = try open() } }

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
            // The import has stored rooms and people since.
            names.rooms.absent = []
            (names.people.lastAbsent, names.people.ownUsers) = (nil, nil)
            for case .owner(let owner) in lines { try names.rehearseOwner(owner, db) }
            let ends = beginnings + [lines.count]
            var start = 0
            for end in ends {
                if start < end { try align(start..<end, &aligned, &removed, db) }
                // The lines of another file may be those of the file before.
                if end < lines.count { beginFile() }
                start = end
            }
        }
        removed.sort()
        let isRemoved = Set(removed)
        return (
            removed.isEmpty ? aligned : aligned.indices.filter { !isRemoved.contains($0) }.map { aligned[$0] }, removed
        )
    }

    private func beginFile() {
        (tails, tailCount, isComparing) = ([:], 0, true)
        if rooms.count > Self.mostRooms { rooms = [:] }
        for (name, room) in rooms where room.isDense { rooms[name]?.isDense = false }
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
        for name in order where isComparing {
            guard let group = groups[name], case .message(let first) = lines[group[0]] else { continue }
            guard let room = try names.rooms.findRoom(of: first, db) else {
                keepTail(of: group.compactMap { Self.message(lines[$0]) }, in: name)
                continue
            }
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
        let messages = part.compactMap { Self.message(lines[$0]) }
        guard isComparing, rooms[name]?.isDense != true else { return }
        let tail = tails[name] ?? []
        let all = tail + messages
        guard let span = Self.span(of: all) else { return }
        let own = try names.people.ownPeople(db)
        let stored = try stored(in: room, span, own, db)
        guard !stored.isEmpty else { return keepTail(of: messages, in: name) }
        if stored.count > Self.mostMessages {
            return try alignHalves(of: part, in: span, of: room, named: name, &lines, &removed, db)
        }
        var unknown: [ExactString: Int64] = [:]
        let entries = try all.map { try entry(of: $0, own, unknown: &unknown, db) }
        var alignment = LineAlignment(lines: entries, messages: stored.map(\.entry))
        let (distance, isShown) = alignment.align(before: rooms[name]?.distance)
        let isNear = distance.map { alignment.hasNear($0) }
        for (place, (index, message)) in zip(tail.count..., zip(part, messages)) {
            if let id = alignment.matches[place].map({ stored[$0].id }) {
                guard message.mayHaveMore else {
                    removed.append(index)
                    continue
                }
                lines[index] = .message(try message.found(id: id, body: body(of: id, db)))
            } else if let distance, let isNear {
                lines[index] = .message(message.moved(by: distance, isNew: isNear[place]))
            }
        }
        if let distance, isShown, messages[0].isTimed { note(distance, in: messages[0].room) }
        keepTail(of: messages, in: name)
        rooms[name, default: Room()].distance = distance
    }

    /// Aligns the halves of some lines beside which too many messages are stored, unless the lines are few or close
    /// together.
    private func alignHalves(
        of part: ArraySlice<Int>, in span: ClosedRange<Int64>, of room: Int64, named name: ExactString,
        _ lines: inout [ImportedLine], _ removed: inout [Int], _ db: Database
    ) throws {
        // The lines' own times end before the span, by the reach on each side.
        let last = span.upperBound - LineAlignment.reach
        guard part.count >= Self.fewestLines, last - span.lowerBound > 2 * LineAlignment.reach else {
            rooms[name, default: Room()].isDense = true
            return
        }
        let middle = part.startIndex + part.count / 2
        try align(part[..<middle], of: room, named: name, &lines, &removed, db)
        try align(part[middle...], of: room, named: name, &lines, &removed, db)
    }

    /// Returns the time in which the messages of lines may be stored, in microseconds since 1970; nil if it is beyond the
    /// range of times.
    private static func span(of lines: [ImportedMessage]) -> ClosedRange<Int64>? {
        // A message is stored at its place, and compared by its time.
        let times = lines.flatMap { [$0.matchedTime.microseconds, ($0.place ?? $0.time).microseconds] }
        guard let first = times.min(), let last = times.max() else { return nil }
        let (low, _) = first.subtractingReportingOverflow(LineAlignment.reach)
        let (high, _) = last.addingReportingOverflow(LineAlignment.reach)
        return low <= first && last <= high ? low...high : nil
    }

    private static func message(_ line: ImportedLine) -> ImportedMessage? {
        if case .message(let message) = line { message } else { nil }
    }

    /// Keeps the last lines, as far as the next ones may reach.
    private func keepTail(of messages: [ImportedMessage], in name: ExactString) {
        let lines = (tails[name] ?? []) + messages
        guard let last = lines.map(\.matchedTime).max() else { return }
        let first = last.advanced(byMicroseconds: -2 * LineAlignment.reach)
        let tail = lines.filter { $0.matchedTime >= first }
        tailCount += tail.count - (tails[name]?.count ?? 0)
        tails[name] = tail
        if tail.count > Self.mostLast { rooms[name, default: Room()].isDense = true }
        if tailCount > Self.mostLastOfAll { (tails, isComparing) = ([:], false) }
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

    /// Returns the parts of a message that are compared.
    ///
    /// - Parameters:
    ///   - own: The users who are the account's own person, who is one under all names.
    ///   - unknown: The numbers of the people whom the archive lacks, by name.
    private func entry(
        of message: ImportedMessage, _ own: Set<Int64>, unknown: inout [ExactString: Int64], _ db: Database
    ) throws -> LineAlignment.Entry {
        let time = message.matchedTime.microseconds
        let bridges = try bridges ?? BridgeBook(db)
        self.bridges = bridges
        let author = try bridges.applied(to: message, names: &names, db)
        let sender = try author.person.map { person in
            if author.own != nil, let one = own.min() { return one }
            if let user = try names.people.find(person, at: time, db) { return Self.one(user, own) }
            // Far from the ids of users, of whom the account's own person may have one below 0.
            let number = unknown[ExactString(person.name)] ?? .min / 2 + Int64(unknown.count)
            unknown[ExactString(person.name)] = number
            return number
        }
        return LineAlignment.Entry(
            content: OccurrenceKey(kind: message.kind, text: message.body), sender: sender,
            isSaid: message.kind.isSaid(message.body), time: time, resolution: message.resolution.microseconds,
            hasNameOfItsTime: message.hasNameOfItsTime)
    }

    /// Returns the user, or the first one of those who are the account's own person.
    private static func one(_ user: Int64, _ own: Set<Int64>) -> Int64 {
        own.contains(user) ? own.min() ?? user : user
    }

    /// Reads the messages of a room; more than ``mostMessages`` if there are so many.
    private func stored(
        in room: Int64, _ span: ClosedRange<Int64>, _ own: Set<Int64>, _ db: Database
    ) throws -> [(id: Int64, entry: LineAlignment.Entry)] {
        var found: [(id: Int64, entry: LineAlignment.Entry)] = []
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, kind, sender_id, \(StoredOccurrences.matchedTime), flags, body FROM message
                WHERE room_id = ?1 AND noise = ?2 AND id >= ?3 AND id <= ?4 AND (deleted_at_us IS NULL OR body IS NOT NULL)
                ORDER BY id LIMIT \(Self.mostMessages + 1)
                """)
        for noise: Int64 in [0, 1] where found.count <= Self.mostMessages {
            try statement.forEach({
                $0.bind(1, room)
                $0.bind(2, noise)
                $0.bind(3, span.lowerBound)
                $0.bind(4, span.upperBound)
            }) { row in
                let id = try row.time(0).microseconds
                let (kind, body) = (try MessageKind(code: row.integer(1)), try row.optionalText(5))
                let entry = LineAlignment.Entry(
                    content: OccurrenceKey(kind: kind, text: body),
                    sender: try row.optionalInteger(2).map { Self.one($0, own) },
                    isSaid: kind.isSaid(body),
                    time: StoredOccurrences.time(id: id, source: try row.claim(3)).microseconds,
                    resolution: try MessageFlags(rawValue: row.integer(4)).resolution.microseconds)
                found.append((id, entry))
            }
        }
        return found
    }
}

extension ImportedMessage {
    /// True for a message that has nothing but its content and time by which the archive can know it.
    fileprivate var isMatchedByContent: Bool {
        exact == nil && remoteID == nil && roomKey == nil && senderKey == nil && deletedAt == nil && section == 0
    }

    /// Returns the message as the stored one of that id, with its text.
    fileprivate func found(id: Int64, body: String?) -> ImportedMessage {
        var found = self
        (found.alignment, found.body) = (.stored(id: id), body)
        return found
    }

    /// Returns the message with the distance of the clocks subtracted from its times.
    ///
    /// - Parameter isNew: True for a message that is certainly not stored.
    fileprivate func moved(by distance: Int64, isNew: Bool) -> ImportedMessage {
        var moved = self
        if isNew { moved.alignment = .new }
        let microseconds = LineAlignment.move(distance, resolution: resolution.microseconds)
        guard microseconds != 0 else { return moved }
        moved.time = time.advanced(byMicroseconds: -microseconds)
        moved.place = place?.advanced(byMicroseconds: -microseconds)
        moved.editedAt = editedAt?.advanced(byMicroseconds: -microseconds)
        return moved
    }
}
