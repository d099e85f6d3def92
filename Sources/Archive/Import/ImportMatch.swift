import ChatModel
import GRDB

/// What a message of an import is to the archive.
enum ImportMatch {
    /// The room is nil when the archive does not have it yet, the remote id also where another message has that.
    case new(room: Int64?, remoteID: String?)
    /// One that is alike, which of them is not told.
    case known(room: Int64, sender: Int64?)
    /// The message that has its remote id, or its place in its own archive; it may lack something that this one has.
    case again(StoredMessage)

    init(
        _ message: ImportedMessage, names: inout NameBook, stored: inout StoredOccurrences, _ db: Database
    ) throws {
        var remoteID = message.remoteID
        guard let room = try names.findRoom(of: message, db) else {
            self = .new(room: nil, remoteID: remoteID)
            return
        }
        let person = message.person
        let place = message.place ?? message.time
        let sender = try person.flatMap { try names.find($0, at: place.microseconds, db) }
        if let id = remoteID, let found = try StoredMessage.find(id, room: room, db) {
            if try found.isSame(as: message, sender: sender, db) {
                self = .again(found)
                return
            }
            // A place in another archive's stream, which by chance is one in ours too.
            remoteID = nil
        } else if remoteID != nil {
            self = .new(room: room, remoteID: remoteID)
            return
        }
        guard (sender == nil) == (person == nil) else {
            self = .new(room: room, remoteID: remoteID)
            return
        }
        if message.exact != nil, message.remoteID == nil,
            let found = try StoredMessage.find(at: place.microseconds, db),
            found.remoteID == nil, found.room == room, try found.isSame(as: message, sender: sender, db)
        {
            self = .again(found)
            return
        }
        let content = OccurrenceKey(room: room, sender: sender, kind: message.kind, body: message.body)
        let isKnown = try stored.has(message, as: content, db)
        self = isKnown ? .known(room: room, sender: sender) : .new(room: room, remoteID: remoteID)
    }
}

extension StoredMessage {
    /// Whether the imported message, of the same remote id or place, is this one: it says what this one ever said, or is of the
    /// same time and either of the same sender by a network's own keys, or says what can be another version of it, or nothing
    /// since it was deleted. What this one said is not known where it was wiped.
    ///
    /// - Parameter sender: Who has the imported one's sender's key or name.
    fileprivate func isSame(as message: ImportedMessage, sender: Int64?, _ db: Database) throws -> Bool {
        guard kind == message.kind, try isOf(message.sender, sender, db) else { return false }
        if try !isWiped && everSaid(message.body, db) { return true }
        let incoming = message.incoming(remoteID: message.remoteID, at: .now())
        guard
            try message.isOfNetwork && sender == self.sender || isWiped || incoming.isEmptied || message.isWiped
                || lacksVersion(incoming, db)
        else { return false }
        // To a second: an archive's own time of it is the network's, made unique.
        let limit = max(resolution.microseconds, message.resolution.microseconds, 1_000_000)
        let (distance, isFar) = time.microseconds.subtractingReportingOverflow(message.matchedTime.microseconds)
        return !isFar && distance.magnitude < limit
    }

    /// - Parameter name: The sender's, as it is today or was then.
    private func isOf(_ name: String?, _ user: Int64?, _ db: Database) throws -> Bool {
        guard let name, let sender, user != sender else { return user == sender }
        // The index is of names without regard to case.
        let statement = try db.cachedStatement(
            sql: "SELECT 1 FROM user_name WHERE user_id = ?1 AND name = ?2 COLLATE NOCASE AND name = ?2 LIMIT 1")
        return try Int64.fetchOne(statement, arguments: [sender, name]) != nil
    }
}

extension ImportedMessage {
    var isWiped: Bool { flags.contains(.wiped) }

    /// Its ids are the network's own, so that of room, sender and message together there is one. A later export may show the
    /// text of that otherwise: with other names of whom it mentions, or of whom it was forwarded from.
    var isOfNetwork: Bool {
        guard let exact else { return roomKey != nil && (sender == nil || senderKey != nil) }
        return exact.sender?.former == nil && !(remoteID?.isPlaceInStream ?? false)
    }
}

extension String {
    /// What a listener makes where a network has no ids, `3:1042`: a session of one archive, and an offset.
    fileprivate var isPlaceInStream: Bool {
        let parts = utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }
    }
}
