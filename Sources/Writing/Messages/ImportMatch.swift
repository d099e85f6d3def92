import Bytes
package import ChatModel
package import SQLite

/// The result of comparing an imported message with the archive.
package enum ImportMatch {
    /// A message that the archive lacks. The room is nil if the archive lacks it; the remote id is nil if another
    /// message has it.
    case new(room: Int64?, remoteID: String?)
    /// A message that is stored: the archive has enough messages with the same content and time, from these senders.
    case known(room: Int64, Senders)
    /// The stored message with the same remote id or, in a full export, the same place. It may lack something that the
    /// import has.
    case again(StoredMessage)
    /// The stored message of an import without ids, which gets this remote id.
    case unidentified(StoredMessage, remoteID: String)

    /// The users who may have sent a stored message: the one whom the import names; for the account's own person, all who
    /// are that person; for a person of a bridge, also the bot, because this archive may lack the bridge.
    package struct Senders {
        /// Nil for a message without a sender.
        package let named: Int64?
        /// The others.
        var others: [Int64] = []

        /// The senders, the named one first.
        var all: [Int64?] { others.isEmpty || named != nil ? [named] + others : others }

        func have(_ sender: Int64?) -> Bool { all.contains(sender) }
    }

    /// Looks for the message by what is known of it, by its remote id, by its place, and by its content, in this order.
    package init(
        _ message: ImportedMessage, names: inout NameBook, stored: inout StoredOccurrences, _ db: Database
    ) throws {
        self = try Self.match(message, &names, &stored, db)
    }

    private static func match(
        _ message: ImportedMessage, _ names: inout NameBook, _ stored: inout StoredOccurrences, _ db: Database
    ) throws -> ImportMatch {
        guard let room = try names.rooms.findRoom(of: message, db) ?? names.rooms.roomOfFile(of: message, db) else {
            return .new(room: nil, remoteID: message.remoteID)
        }
        switch message.alignment {
        case .new: return .new(room: room, remoteID: nil)
        case .stored(let id):
            if let found = try StoredMessage.find(at: id, db), found.room == room { return .again(found) }
        case nil: break
        }
        let person = message.person
        let senders = try Senders(of: message, person, &names, db)
        var remoteID = message.remoteID
        if let id = remoteID {
            guard let found = try StoredMessage.find(id, room: room, db) else {
                let unidentified = try unidentified(message, id, room: room, senders, db)
                return unidentified.map { .unidentified($0, remoteID: id) } ?? .new(room: room, remoteID: id)
            }
            if try found.isSame(as: message, senders, db) { return .again(found) }
            // The ids are equal by chance, because each is a place in a stream of a different archive.
            remoteID = nil
        }
        guard person == nil || !senders.all.allSatisfy({ $0 == nil }) else {
            return .new(room: room, remoteID: remoteID)
        }
        if let found = try find(message, room: room, senders, db) { return .again(found) }
        let contents = senders.all.map {
            OccurrenceKey(room: room, sender: $0, kind: message.kind, body: message.body)
        }
        let isKnown = try stored.has(message, as: contents, db)
        return isKnown ? .known(room: room, senders) : .new(room: room, remoteID: remoteID)
    }

    /// Returns the message that an earlier import stored without an id, because its program did not export ids; nil if there
    /// is none.
    private static func unidentified(
        _ message: ImportedMessage, _ remoteID: String, room: Int64, _ senders: Senders, _ db: Database
    ) throws -> StoredMessage? {
        guard message.exact == nil, !remoteID.isPlaceInStream else { return nil }
        for sender in senders.all where sender != nil || message.person == nil {
            if let found = try StoredMessage.find(like: message, room: room, sender: sender, db) { return found }
        }
        return nil
    }

    /// Returns the message at the same place in a full export, or the message that this one deleted; nil if there is none.
    private static func find(
        _ message: ImportedMessage, room: Int64, _ senders: Senders, _ db: Database
    ) throws -> StoredMessage? {
        if message.exact != nil, message.remoteID == nil,
            let found = try StoredMessage.find(at: (message.place ?? message.time).microseconds, db),
            found.remoteID == nil, found.room == room, try found.isSame(as: message, senders, db)
        {
            return found
        }
        for sender in senders.all {
            if let found = try StoredMessage.find(deletedBy: message, room: room, sender: sender, db) { return found }
        }
        return nil
    }
}

extension ImportMatch.Senders {
    fileprivate init(
        of message: ImportedMessage, _ person: ImportedPerson?, _ names: inout NameBook, _ db: Database
    ) throws {
        let place = (message.place ?? message.time).microseconds
        let sender = try person.flatMap { try names.people.find($0, at: place, db) }
        let own = try message.own == nil ? [] : names.people.ownPeople(db)
        let bot = try message.bridge.flatMap { bridge in
            try names.people.find(ImportedPerson(name: bridge.bot), at: place, db)
        }
        self.init(named: sender, others: (own + (bot.map { [$0] } ?? [])).filter { $0 != sender }.sorted())
    }
}

extension StoredMessage {
    /// Returns true if the imported message, which has the same remote id or place, is this message.
    ///
    /// Kind and sender must agree, and this message must have had the imported text at some time. Another text is
    /// accepted if the times agree and one of these is true: one of the two messages has the network's own ids, the
    /// imported text can be another version of this one, it is missing because the message was deleted, or one of the
    /// two messages was wiped. Spaces at both ends of the texts don't count, because clients drop them.
    ///
    /// Another sender is accepted if the times and the texts agree and the network has no ids of people, who may have
    /// new names. A deletion without any fact about its message needs only an equal time.
    ///
    /// - Parameter senders: The users who have the key or a name of the imported message's sender.
    fileprivate func isSame(
        as message: ImportedMessage, _ senders: ImportMatch.Senders, _ db: Database
    ) throws -> Bool {
        if message.isDeletionAlone { return isNear(message) }
        // Kind and text of an encrypted message are unknown.
        if isUndecrypted { return try hasSender(message.sender, senders, db) && isNear(message) }
        guard kind == message.kind else { return false }
        let isSender = try hasSender(message.sender, senders, db)
        let hasText = try !isWiped && everHadBody(message.body, db)
        if isSender, hasText || hasTextBetweenSpaces(of: message) { return true }
        if message.namesPeopleOnly { return (isSender || hasText) && isNear(message) }
        guard isSender else { return false }
        let incoming = message.incoming(remoteID: message.remoteID, at: .now())
        guard
            try message.hasNetworkIDs && senders.named == self.sender || isWiped || incoming.isEmptied
                || message.isWiped
                || lacksVersion(incoming, db) || message.exact == nil && !message.hasNetworkIDs && hasNetworkKeys(db)
        else { return false }
        return isNear(message)
    }

    /// Returns true if the texts differ only in spaces at their ends, and neither message was edited.
    private func hasTextBetweenSpaces(of message: ImportedMessage) -> Bool {
        guard !isWiped, message.exact == nil, editedAt == nil, message.editedAt == nil, let body,
            let other = message.body
        else { return false }
        return body.withoutOuterSpaces.isExactly(other.withoutOuterSpaces)
    }

    /// Returns true if room and sender have keys of the network, which differ from their names.
    private func hasNetworkKeys(_ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT NOT EXISTS (
                    SELECT 1 FROM room JOIN room_name ON room_id = id WHERE id = ?1 AND name = key COLLATE NOCASE)
                  AND NOT EXISTS (
                    SELECT 1 FROM user JOIN user_name ON user_id = id WHERE id = ?2 AND name = key COLLATE NOCASE)
                """)
        return try Bool.fetchOne(statement, arguments: [room, sender]) ?? false
    }

    /// Returns true if the times agree.
    private func isNear(_ message: ImportedMessage) -> Bool {
        // At least a second, because the archive moves the network's time until it is unique.
        let limit = max(resolution.microseconds, message.resolution.microseconds, 1_000_000)
        let (distance, isFar) = time.microseconds.subtractingReportingOverflow(message.matchedTime.microseconds)
        return !isFar && distance.magnitude < limit
    }

    /// Returns true if one of the users sent this message, or if its sender ever had the name.
    private func hasSender(_ name: String?, _ users: ImportMatch.Senders, _ db: Database) throws -> Bool {
        guard let name, let sender, !users.have(sender) else { return users.have(sender) }
        // The index ignores case.
        let statement = try db.cachedStatement(
            sql: "SELECT 1 FROM user_name WHERE user_id = ?1 AND name = ?2 COLLATE NOCASE AND name = ?2 LIMIT 1")
        return try Int64.fetchOne(statement, arguments: [sender, name]) != nil
    }
}

extension ImportedMessage {
    package var isWiped: Bool { flags.contains(.wiped) }

    /// True if room, sender and message have the network's own ids. A later export of such a message may have a
    /// different text, with new names of the people whom it mentions or quotes.
    package var hasNetworkIDs: Bool {
        guard let exact else { return roomKey != nil && (sender == nil || senderKey != nil) }
        return exact.sender?.former == nil && !(remoteID?.isPlaceInStream ?? false)
    }

    /// The bridge by which the sender wrote, in a full export of an archive that has the bridge; nil for none.
    fileprivate var bridge: BridgeKey? { exact?.sender?.key.flatMap(BridgeKey.init) }

    /// True if the network's ids are of rooms and messages, and people have only names.
    fileprivate var namesPeopleOnly: Bool {
        exact == nil && roomKey != nil && sender != nil && senderKey == nil
    }

    /// True for the place of a deleted message if the source gives neither its kind nor its sender.
    fileprivate var isDeletionAlone: Bool {
        exact == nil && roomKey != nil && kind == .system && sender == nil && body == nil && deletedAt != nil
    }
}

extension String {
    /// True for an id that a listener makes on a network without ids: a session's number and an offset in its stream,
    /// such as `3:1042`.
    fileprivate var isPlaceInStream: Bool {
        let parts = utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }
    }
}
