import ChatModel
import GRDB

/// What imports tell of a message besides what it says: its earlier versions, files and reactions, and what it answers.
extension Ingest {
    /// Of a message that has just been stored.
    mutating func keepExtras(
        of message: ImportedMessage, remoteID: String?, as id: Int64, room: Int64, _ db: Database
    ) throws {
        let isWiped = try message.isWiped || remoteID.flatMap { try retraction(of: $0, room: room, db) }?.wipes == true
        let versions = isWiped ? [] : message.earlier(of: id)
        for version in versions {
            try db.cachedStatement(sql: "INSERT INTO message_version (message_id, at_us, body) VALUES (?, ?, ?)")
                .execute(arguments: [id, version.at, version.body])
        }
        if let last = versions.last {
            // What is replayed may have one of these texts.
            replayed.forget()
            try db.cachedStatement(sql: "UPDATE message SET edited_at_us = ?1 WHERE id = ?2 AND edited_at_us < ?1")
                .execute(arguments: [last.at &+ 1, id])
        }
        if message.isWiped || !isWiped { _ = try addFiles(of: message, to: id, db) }
        if remoteID != nil { _ = try addReactions(of: message, room: room, db) }
    }

    /// Adds what the import has of a stored message and the archive lacks.
    ///
    /// - Returns: whether there was anything.
    mutating func bring(
        _ message: ImportedMessage, to old: StoredMessage, at now: Timestamp, _ db: Database
    ) throws -> Bool {
        var (stored, isChanged) = (old, false)
        // First, so that whatever follows takes the message out of the index as it is there.
        if message.hasFiles, !stored.isWiped || message.isWiped, try addFiles(of: message, to: stored.id, db) {
            isChanged = true
            stored.hasFile = true
            if !old.hasFile { reindex(old, stored) }
            try Feed.edit(messageID: stored.id, db)
        }
        if message.exact != nil {
            if try bringVersions(of: message, to: &stored, at: now, db) { isChanged = true }
        } else {
            for version in message.tellings(at: now)
            where try complete(stored, from: stored.asHere(version, of: message, db), db) {
                isChanged = true
                stored = try StoredMessage.find(at: stored.id, db) ?? stored
            }
        }
        if let target = message.replyTo, try addReply(to: target, of: stored.id, db) { isChanged = true }
        if stored.hasRemoteID(of: message), try addReactions(of: message, room: stored.room, db) {
            isChanged = true
            try Feed.reaction(messageID: stored.id, db)
        }
        return isChanged
    }

    /// Each at its own time, where what is there stays; the latest is what the message says.
    private mutating func bringVersions(
        of message: ImportedMessage, to stored: inout StoredMessage, at now: Timestamp, _ db: Database
    ) throws -> Bool {
        guard !stored.isWiped else { return false }
        var isChanged = false
        for version in message.exactVersions(of: stored.id) where try stored.lacks(version, db) {
            if version.at > stored.since {
                try replace(&stored, with: version.body, at: version.at, db)
            } else {
                try keep(version.body, at: version.at, of: stored, db)
            }
            isChanged = true
        }
        if let time = message.deletedAt?.believed(at: now), try delete(&stored, at: time, db) { isChanged = true }
        if message.isWiped, try wipe(&stored, db) { isChanged = true }
        return isChanged
    }

    private func addReply(to target: String, of id: Int64, _ db: Database) throws -> Bool {
        let update = try db.cachedStatement(sql: "UPDATE message SET reply_to = ? WHERE id = ? AND reply_to IS NULL")
        try update.execute(arguments: [target, id])
        guard db.changesCount > 0 else { return false }
        try Feed.edit(messageID: id, db)
        return true
    }

    /// The files that came with it; bytes of one that came with another message may be here already.
    private func addFiles(of message: ImportedMessage, to id: Int64, _ db: Database) throws -> Bool {
        guard message.hasFiles else { return false }
        var isNew = false
        for file in message.storedFiles {
            let insertion = try db.cachedStatement(
                sql: """
                    INSERT INTO attachment (message_id, path, sha256, bytes, state, tried_at_us)
                      SELECT ?1, ?2, sha256, ifnull(bytes, ?3), ifnull(state, ?4), tried_at_us
                      FROM (SELECT 1) LEFT JOIN attachment ON path = ?2 AND state = 1 LIMIT 1
                    ON CONFLICT DO NOTHING
                    """)
            try insertion.execute(arguments: [id, file.path, file.size, file.state])
            if db.changesCount > 0 { isNew = true }
        }
        return isNew
    }

    private mutating func addReactions(of message: ImportedMessage, room: Int64, _ db: Database) throws -> Bool {
        guard let remoteID = message.remoteID else { return false }
        var isNew = false
        for reaction in message.storedReactions {
            if try add(reaction, to: remoteID, room: room, db) { isNew = true }
        }
        return isNew
    }

    /// - Returns: false when it is known, and nothing later is told of it.
    mutating func add(_ reaction: ImportedReaction, to remoteID: String, room: Int64, _ db: Database) throws -> Bool {
        if let ownID = reaction.ownID, try retraction(of: ownID, room: room, db) != nil, reaction.removedAt == nil {
            return false
        }
        // Nobody gets another name by a reaction.
        let user = try names.user(reaction.person, at: reaction.at, isLate: true, db)
        try db.cachedStatement(
            sql: """
                INSERT INTO reaction (room_id, remote_id, user_id, text, at_us, removed_at_us, own_id)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                ON CONFLICT DO UPDATE SET at_us = ?5, removed_at_us = ?6, own_id = ?7
                  WHERE ?8 AND \(ImportedReaction.isLater)
                """
        ).execute(arguments: [
            room, remoteID, user, reaction.text, reaction.at, reaction.removedAt, reaction.ownID,
            reaction.person.isExact,
        ])
        return db.changesCount > 0
    }
}

extension StoredMessage {
    /// Whether the import has something of it that ``Ingest/bring(_:to:at:_:)`` would add.
    func lacks(_ message: ImportedMessage, names: inout NameBook, _ db: Database) throws -> Bool {
        if message.hasFiles, !isWiped || message.isWiped {
            let there = Set(
                try String.fetchAll(db, sql: "SELECT path FROM attachment WHERE message_id = ?", arguments: [id])
                    .map(ExactString.init))
            if message.storedFiles.contains(where: { !there.contains(ExactString($0.path)) }) { return true }
        }
        if try lacksText(of: message, db) { return true }
        if message.replyTo != nil {
            let sql = "SELECT reply_to IS NULL FROM message WHERE id = ?"
            if try Bool.fetchOne(db, sql: sql, arguments: [id]) == true { return true }
        }
        guard let remoteID, hasRemoteID(of: message) else { return false }
        return try message.storedReactions.contains {
            try $0.isMissing(to: remoteID, room: room, names: &names, db)
        }
    }

    private func lacksText(of message: ImportedMessage, _ db: Database) throws -> Bool {
        guard !isWiped else { return false }
        guard message.exact != nil else {
            return try message.tellings(at: .now()).contains {
                try lacksVersion(asHere($0, of: message, db), db) || lacksDeletion($0)
            }
        }
        return try message.isWiped || message.deletedAt != nil && deletedAt == nil
            || message.exactVersions(of: id).contains { try lacks($0, db) }
    }

    /// Whether it says nothing of that time. What it says already at a time stays.
    func lacks(_ version: (at: Int64, body: String?), _ db: Database) throws -> Bool {
        guard version.at != since else { return false }
        guard version.at < since else { return !says(version.body) }
        let statement = try db.cachedStatement(
            sql: "SELECT 1 FROM message_version WHERE message_id = ? AND at_us = ?")
        return try Int64.fetchOne(statement, arguments: [id, version.at]) == nil
    }

    /// A later export of a network may show an edit otherwise, as it does people's new names: what is here of that time stays.
    fileprivate func asHere(
        _ telling: IncomingMessage, of message: ImportedMessage, _ db: Database
    ) throws -> IncomingMessage {
        guard message.isOfNetwork, hasRemoteID(of: message), let edit = telling.believedEdit?.microseconds,
            try !lacks((at: max(edit, id &+ 1), body: telling.body), db)
        else { return telling }
        var same = telling
        same.body = body
        return same
    }

    func hasRemoteID(of message: ImportedMessage) -> Bool {
        guard let remoteID, let other = message.remoteID else { return false }
        return remoteID.isExactly(other)
    }
}

/// A reaction as it is stored.
struct ImportedReaction {
    var text: String
    var person: ImportedPerson
    var at: Int64
    var removedAt: Int64?
    var ownID: String?

    init(_ reaction: ExactMessage.Reaction) {
        (text, person) = (reaction.text.keptDetail, reaction.person)
        (at, removedAt) = (reaction.at.microseconds, reaction.removedAt?.microseconds)
        ownID = reaction.ownID?.withoutNUL
    }

    init(_ reaction: ImportedMessage.Reaction, of message: ImportedMessage) {
        (text, person) = (reaction.text.keptDetail, reaction.person)
        at = (reaction.at ?? message.place ?? message.time).microseconds
    }

    /// Whether ``Ingest/add(_:to:room:_:)`` would store it.
    func isMissing(to remoteID: String, room: Int64, names: inout NameBook, _ db: Database) throws -> Bool {
        if let ownID, removedAt == nil {
            let retraction = try db.cachedStatement(
                sql: "SELECT 1 FROM retraction WHERE room_id = ? AND remote_id = ?")
            if try Int64.fetchOne(retraction, arguments: [room, ownID]) != nil { return false }
        }
        guard let user = try names.find(person, at: at, db) else { return true }
        let statement = try db.cachedStatement(
            sql: """
                SELECT ?7 AND \(Self.isLater) FROM reaction
                WHERE room_id = ?1 AND remote_id = ?2 AND user_id = ?3 AND text = ?4
                """)
        return try Bool.fetchOne(
            statement, arguments: [room, remoteID, user, text, at, removedAt, person.isExact]) ?? true
    }

    /// Whether what is told of it (?5 when given, ?6 when taken back) is later than what is stored; never null.
    static let isLater = """
        (max(?5, ifnull(?6, ?5)) > max(at_us, ifnull(removed_at_us, at_us))
          OR removed_at_us IS NULL AND ifnull(?6, at_us - 1) >= at_us)
        """
}

extension ImportedMessage {
    var hasFiles: Bool { !files.isEmpty || !(exact?.files.isEmpty ?? true) }

    fileprivate var storedReactions: [ImportedReaction] {
        exact.map { $0.reactions.map(ImportedReaction.init) } ?? reactions.map { ImportedReaction($0, of: self) }
    }

    /// In an export there are no bytes: what its archive had, a network may still have.
    fileprivate var storedFiles: [(path: String, size: Int64?, state: Int64)] {
        guard let exact else {
            return files.map { ($0.path.withoutNUL, $0.size, AttachmentBook.Code.elsewhere) }
        }
        return exact.files.map { file in
            let state =
                switch Attachment.State(rawValue: file.state) {
                case .gone: AttachmentBook.Code.gone
                case .elsewhere: AttachmentBook.Code.elsewhere
                case .missing, .here, .failed, .tooLarge, nil: AttachmentBook.Code.missing
                }
            return (file.path.withoutNUL, file.bytes, state)
        }
    }

    /// What it said before, the original at the message's id, each later than the one before it.
    fileprivate func earlier(of id: Int64) -> [(at: Int64, body: String?)] {
        let first = exact == nil ? time.advanced(byMicroseconds: resolution.microseconds - 1) : place ?? time
        var next = id
        return (exact?.versions ?? versions).enumerated().map { index, version in
            let isOriginal = index == 0 && version.at <= first
            let time = isOriginal ? id : max(version.at.microseconds, id &+ 1, next)
            next = time &+ 1
            return (time, version.body)
        }
    }

    /// What it ever said, what it says now last; but for what is not told of it since it was deleted.
    fileprivate func exactVersions(of id: Int64) -> [(at: Int64, body: String?)] {
        guard !isWiped else { return [] }
        let earlier = earlier(of: id)
        guard body != nil || deletedAt == nil else { return earlier }
        let edit = earlier.isEmpty && editedAt == nil ? id : max(editedAt?.microseconds ?? id, id &+ 1)
        return earlier + [(max(edit, earlier.last.map { $0.at &+ 1 } ?? id), body)]
    }

    /// What it ever said as history tells it, what it says now last.
    fileprivate func tellings(at now: Timestamp) -> [IncomingMessage] {
        let last = incoming(remoteID: remoteID, at: now)
        guard !versions.isEmpty else { return [last] }
        let end = time.advanced(byMicroseconds: resolution.microseconds - 1)
        return versions.enumerated().map { index, version in
            var telling = last
            (telling.body, telling.deletedAt) = (version.body, nil)
            telling.editedAt = index == 0 && version.at <= end ? nil : version.at.believed(at: now)
            return telling
        } + [last]
    }
}
