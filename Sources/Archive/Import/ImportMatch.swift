import ChatModel
import GRDB

/// The relation of an imported message to the archive.
enum ImportMatch {
    /// A message that the archive lacks. The room is nil if the archive lacks it; the remote id is nil if another
    /// message has it.
    case new(room: Int64?, remoteID: String?)
    /// A message that is stored, as one of those with the same text.
    case known(room: Int64, sender: Int64?)
    /// The stored message with the same remote id, or the same place in the exporting archive; it may lack something.
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
            // The id is a place in another archive's stream, which is also one in ours by chance.
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
    /// Returns true if the imported message, which has the same remote id or place, is this one. That holds if this
    /// message ever had its text. It also holds if the times agree and one of these is true: the sender is the same by
    /// the network's own keys, the text can be another version, the imported message has no text since it was deleted,
    /// or either one was wiped.
    ///
    /// - Parameter sender: The user who has the key or name of the imported message's sender.
    fileprivate func isSame(as message: ImportedMessage, sender: Int64?, _ db: Database) throws -> Bool {
        guard kind == message.kind, try isOf(message.sender, sender, db) else { return false }
        if try !isWiped && everSaid(message.body, db) { return true }
        let incoming = message.incoming(remoteID: message.remoteID, at: .now())
        guard
            try message.isOfNetwork && sender == self.sender || isWiped || incoming.isEmptied || message.isWiped
                || lacksVersion(incoming, db)
        else { return false }
        // To a second: the archive's own time is the network's, moved to be unique.
        let limit = max(resolution.microseconds, message.resolution.microseconds, 1_000_000)
        let (distance, isFar) = time.microseconds.subtractingReportingOverflow(message.matchedTime.microseconds)
        return !isFar && distance.magnitude < limit
    }

    /// - Parameter name: The sender's name, of today or of then.
    private func isOf(_ name: String?, _ user: Int64?, _ db: Database) throws -> Bool {
        guard let name, let sender, user != sender else { return user == sender }
        // The index ignores case.
        let statement = try db.cachedStatement(
            sql: "SELECT 1 FROM user_name WHERE user_id = ?1 AND name = ?2 COLLATE NOCASE AND name = ?2 LIMIT 1")
        return try Int64.fetchOne(statement, arguments: [sender, name]) != nil
    }
}

extension ImportedMessage {
    var isWiped: Bool { flags.contains(.wiped) }

    /// True if the ids are the network's own, so that room, sender and message together are unique. A later export may
    /// render the text otherwise, with new names of the people whom it mentions or quotes.
    var isOfNetwork: Bool {
        guard let exact else { return roomKey != nil && (sender == nil || senderKey != nil) }
        return exact.sender?.former == nil && !(remoteID?.isPlaceInStream ?? false)
    }
}

extension String {
    /// True for an id that a listener makes on a network without ids, such as `3:1042`: a session of one archive, and
    /// an offset.
    fileprivate var isPlaceInStream: Bool {
        let parts = utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }
    }
}
