import Bytes
package import ChatModel
import Networks
import Records
package import SQLite

/// Stores messages, and applies edits to stored ones.
extension Ingest {
    /// - Parameter message: A message without NUL.
    mutating func store(
        _ message: IncomingMessage, as hearing: ChatEvent.Hearing, _ db: Database
    ) throws -> EventOutcome {
        try refused.overwrite(before: message, db)
        if let known = try removedEdit(message, as: hearing, db) { return known }
        if hearing.isEdit, let own = try editOfAnother(message, db) {
            return try store(own, as: .replay(Occurrence(), .microsecond), db)
        }
        let time = message.plausibleTime.microseconds
        let known = try directory.names.rooms.knownRoom(message.room, at: time, db)
        let (room, isNamed) = (known.id, known.name.isExactly(message.room.name) && known.isToday(time))
        if hearing.isEdit { try noteNames(ofEdit: message, at: time, db) }
        if let remoteID = message.remoteID, !hearing.isLive || !rows.isBeyondAll(time),
            let stored = try StoredMessage.find(remoteID, room: room, db)
        {
            return try isAnother(message, than: stored, hearing, db)
                ? storeAnother(message, hearing, db) : revise(stored, by: message, as: hearing, db)
        }
        if hearing.isReplay, let known = try adopt(message, as: hearing, room: room, db) { return known }
        guard let place = try place(for: message, at: time, room: room, from: .init(message, hearing), db) else {
            if try !purged.contain(time, room: room, message.kind, db) { refused.note(message) }
            return try outcome(ofKnown: message, at: time, room: room, db)
        }
        if !hearing.isEdit, !isNamed { try directory.names.rooms.noteRoomName(message.room, of: place.id, db) }
        let sender = try sender(of: message, as: hearing, at: time, place, db)
        // Only an edit is copied.
        let isNew =
            try hearing.isEdit
            ? insert(message.edited, at: place, room: room, sender: sender, isReplay: false, db)
            : insert(message, at: place, room: room, sender: sender, isReplay: hearing.isReplay, db)
        guard isNew else {
            guard let id = message.remoteID, let stored = try StoredMessage.find(id, room: room, db) else {
                return .known(time)
            }
            return try isAnother(message, than: stored, hearing, db)
                ? storeAnother(message, hearing, db) : .known(stored.id)
        }
        if !hearing.isSnapshot { sessions.noteSignOfLife(from: message, storedAs: place.id) }
        return .new(place.id)
    }

    /// Gives the network's id to the message without one that history repeats: a standing topic, or a message of an import.
    ///
    /// - Returns: Nil if there is none.
    private mutating func adopt(
        _ message: IncomingMessage, as hearing: ChatEvent.Hearing, room: Int64, _ db: Database
    ) throws -> EventOutcome? {
        if let topic = try StandingTopic.adopt(by: message, room: room, &self, db) { return .known(topic) }
        guard let id = message.remoteID, try directory.names.people.traits(db).hasServerIDs,
            let old = try StoredMessage.findImported(like: message, room: room, db)
        else { return nil }
        return try revise(identify(old, as: id, db), by: message, as: hearing, db)
    }

    /// Records the names that an edit shows, which are those at its receipt.
    ///
    /// - Parameter time: The time of the edited message.
    private mutating func noteNames(ofEdit message: IncomingMessage, at time: Int64, _ db: Database) throws {
        guard try !forgotten.hasErased(room: message.room.key, at: time, db) else { return }
        let receipt = message.receivedAt.microseconds
        _ = try directory.names.rooms.room(message.room, at: receipt, db)
        _ = try message.sender.map { try directory.names.people.mentioned($0, at: receipt, db) }
    }

    /// Returns true if a message has the id of a stored one and is another message, because the server's ids began
    /// again.
    ///
    /// A live message with another text is another message. A replay may have a text that the server cut or that is
    /// decoded in another way, and a time that is cut to seconds, so it is another message only if the time differs as
    /// well. A bouncer's clock may differ from its network's by less than a minute.
    private mutating func isAnother(
        _ message: IncomingMessage, than stored: StoredMessage, _ hearing: ChatEvent.Hearing, _ db: Database
    ) throws -> Bool {
        guard hearing.isLive || hearing.isReplay, !stored.isWiped,
            try directory.names.people.traits(db).mayRepeatIDs
        else { return false }
        let hasText = try stored.kind == message.kind && stored.everHadBody(message.body, db)
        if !hasText, hearing.isLive { return true }
        let time = message.plausibleTime
        guard message.sourceTime == time else { return false }
        let distance = max(time, stored.time).microseconds &- min(time, stored.time).microseconds
        guard distance >= TimeResolution.second.microseconds else { return false }
        if !hasText || distance >= TimeResolution.minute.microseconds { return true }
        return try hearing.isLive && user(of: message, db) != stored.sender
    }

    /// Returns the present user with the key of the message's sender; nil if there is none.
    private func user(of message: IncomingMessage, _ db: Database) throws -> Int64? {
        try message.sender.flatMap { try directory.names.people.findUser($0.key, db)?.id }
    }

    /// Stores a message whose id another message has. Without the id, it is compared by its time and text: history may
    /// have brought it before it came live, and a replay may repeat it.
    private mutating func storeAnother(
        _ message: IncomingMessage, _ hearing: ChatEvent.Hearing, _ db: Database
    ) throws -> EventOutcome {
        var message = message
        message.remoteID = nil
        guard case .replay(let occurrence, let resolution) = hearing else {
            let time = message.plausibleTime
            let room = try directory.names.rooms.knownRoom(message.room, at: time.microseconds, db).id
            if message.sourceTime == time,
                try texts.matcher.hasReplayed(
                    message, room: room, sender: user(of: message, db), Occurrence(), .microsecond, db)
            {
                return .known(time.microseconds)
            }
            return try store(message, as: hearing, db)
        }
        return try storeReplay(message, occurrence: occurrence, resolution: resolution, db)
    }

    /// Returns the outcome of a message that adds no row.
    private func outcome(
        ofKnown message: IncomingMessage, at time: Int64, room: Int64, _ db: Database
    ) throws -> EventOutcome {
        .known(try message.remoteID.flatMap { try StoredMessage.find($0, room: room, db)?.id } ?? time)
    }

    /// Returns the number of a message's sender, and records the name that the message shows.
    private mutating func sender(
        of message: IncomingMessage, as hearing: ChatEvent.Hearing, at time: Int64, _ place: MessageRows.Place,
        _ db: Database
    ) throws -> Int64? {
        guard let sender = message.sender else { return nil }
        return switch hearing {
        case .replay:
            try directory.names.people.user(then: sender, at: time, id: place.id, message.flags.resolution, db)
        case .edit: try directory.names.people.user(sender, at: message.receivedAt.microseconds, db)
        case .live, .snapshot, .standing: try directory.names.people.user(sender, at: place.id, isMessage: true, db)
        }
    }

    /// Returns an edit as a message of its own if the message that it names is somebody else's, or not stored; else nil.
    ///
    /// It may be of long ago, and then shows nothing about the present: store it as a replay.
    private mutating func editOfAnother(_ edit: IncomingMessage, _ db: Database) throws -> IncomingMessage? {
        guard !edit.isBundledEdit, let own = edit.editID, let target = edit.remoteID, let sender = edit.sender else {
            return nil
        }
        let room = try directory.names.rooms.findRoom(edit.room.key, db)?.id
        let stored = try room.flatMap { try StoredMessage.find(target, room: $0, db) }
        let user = try directory.names.people.findUser(sender.key, db)?.id
        if let stored, stored.sender == user { return nil }
        var message = edit
        (message.remoteID, message.editID, message.editedAt) = (own, nil, nil)
        message.body = edit.body.map { "* \($0)" }
        return message
    }

    /// - Parameter incoming: A message without NUL.
    mutating func storeReplay(
        _ incoming: IncomingMessage, occurrence: Occurrence, resolution: TimeResolution, _ db: Database
    ) throws -> EventOutcome {
        var message = incoming
        message.flags.formUnion(resolution.flag)
        if message.remoteID == nil {
            message.flags.insert(.replayed)
            let time = message.plausibleTime
            if message.sourceTime == time {
                let room = try directory.names.rooms.knownRoom(message.room, at: time.microseconds, db).id
                let isForgotten = try forgotten.contains(
                    message, at: time.microseconds, room: room,
                    from: .init(message, .replay(occurrence, resolution)), db)
                if isForgotten { return .known(time.microseconds) }
                let sender = try message.sender.map {
                    try directory.names.people.user(then: $0, at: time.microseconds, resolution, db)
                }
                let isStored = try texts.matcher.hasReplayed(
                    message, room: room, sender: sender, occurrence, resolution, db)
                if isStored { return .known(time.microseconds) }
            }
        }
        return try store(message, as: .replay(occurrence, resolution), db)
    }

    /// Returns the place of a message that is to be stored: its id is the first free one that is not before `time`.
    /// ``insert(_:at:room:sender:isReplay:countsAsLate:_:)`` comes next.
    ///
    /// - Returns: Nil if a rule has removed that time of the room, or the message was forgotten.
    package mutating func place(
        for message: IncomingMessage, at time: Int64, room: Int64,
        from source: @autoclosure () throws -> ForgottenBook.Source, _ db: Database
    ) throws -> MessageRows.Place? {
        guard try !purged.contain(time, room: room, message.kind, db),
            try !forgotten.contains(message, at: time, room: room, from: source(), db)
        else { return nil }
        return try rows.allocate(notBefore: time, db)
    }

    /// Inserts a message's row and the rows that belong to it.
    ///
    /// - Parameters:
    ///   - isReplay: True if the message does not show who is in the room now.
    ///   - countsAsLate: False if the message never counts as late, even if later messages are already stored.
    /// - Returns: False if no row was inserted, because the room already has a message with that remote id.
    package mutating func insert(
        _ message: IncomingMessage, at place: MessageRows.Place, room: Int64, sender: Int64?, isReplay: Bool,
        countsAsLate: Bool = true, _ db: Database
    ) throws -> Bool {
        // Only a retracted message is copied.
        if let retracted = try retractions.retracted(message, room: room, db) {
            return try insertRows(
                retracted, at: place, room: room, sender: sender, isReplay: isReplay, countsAsLate: countsAsLate, db)
        }
        return try insertRows(
            message, at: place, room: room, sender: sender, isReplay: isReplay, countsAsLate: countsAsLate, db)
    }

    private mutating func insertRows(
        _ message: IncomingMessage, at place: MessageRows.Place, room: Int64, sender: Int64?, isReplay: Bool,
        countsAsLate: Bool, _ db: Database
    ) throws -> Bool {
        let id = place.id
        var receipt = try sessions.receipt(of: message, db)
        if let remoteID = message.remoteID, try reactions.stand(on: remoteID, room: room, db) {
            receipt.flags.insert(.reacted)
        }
        let isNew = try rows.insert(
            message, at: place, room: room, sender: sender, countsAsLate: countsAsLate, receipt: receipt, db)
        guard isNew else { return false }
        directory.noteMessage(id, room: room, sender: sender, kind: message.kind)
        try message.storeRaw(as: id, since: id, db)
        // An import stores its files separately, with their size and state.
        if message.session != nil { _ = try message.storeFiles(as: id, db) }
        if let sender, !isReplay, try !isBridged(sender, of: message, db) {
            let isPast = place.isLate && message.session == nil
            try directory.members.noteMessage(message.kind, room: room, user: sender, at: id, isPast: isPast, db)
        }
        let isOurTime = message.sourceTime.map { $0.microseconds == id } ?? true
        let isReceived = isOurTime && (receipt.receivedAt == id || receipt.flags.contains(.clockAhead))
        try texts.noteStored(
            message, as: id, flags: receipt.flags, isLate: place.isLate, room: room, sender: sender,
            isReceived: isReceived)
        return true
    }

    /// Returns true for a person who writes by a bridge, and is in no room of the network.
    private func isBridged(_ sender: Int64, of message: IncomingMessage, _ db: Database) throws -> Bool {
        if bridges.isEmpty { return false }
        if let sender = message.sender { return BridgeKey.isBridged(sender.key) }
        let key = try String.fetchOne(
            db.cachedStatement(sql: "SELECT key FROM user WHERE id = ?"), arguments: [sender])
        return key.map(BridgeKey.isBridged) ?? false
    }

    private mutating func revise(
        _ stored: StoredMessage, by message: IncomingMessage, as hearing: ChatEvent.Hearing, _ db: Database
    ) throws -> EventOutcome {
        directory.noteMessage(stored.id, room: stored.room, sender: stored.sender, kind: stored.kind)
        texts.matcher.imported.forget()
        if hearing.isEdit { sessions.noteSignOfLife(of: message.session, at: message.receivedAt) }
        guard !stored.isWiped else { return .known(stored.id) }
        var stored = stored
        let own = try message.editID == nil || message.attachments.isEmpty ? [] : EditBook.files(of: stored.id, db)
        let added = try message.storeFiles(as: stored.id, db)
        if !added.isEmpty {
            try texts.noteFiles(of: &stored, db)
            try Feed.file(messageID: stored.id, db)
        }
        if !hearing.isEdit, stored.isUndecrypted, message.flags.contains(.encrypted), let text = message.body {
            try texts.decrypt(&stored, as: message.kind, text, db)
            if let target = message.replyTo { _ = try texts.noteReply(to: target, of: &stored, db) }
            return .version(stored.id)
        }
        let isNew =
            switch hearing {
            case .live, .replay, .standing: try texts.complete(stored, from: message, db)
            case .edit, .snapshot: try texts.update(&stored, from: message, db)
            }
        try message.storeRaw(as: stored.id, since: stored.since, db)
        if hearing.isEdit { try EditBook.store(message, of: stored, added: added.filter { !own.contains($0) }, db) }
        return isNew ? .version(stored.id) : .known(stored.id)
    }
}

extension ForgottenBook.Source {
    /// Creates the facts about a message that a listener received.
    fileprivate init(_ message: IncomingMessage, _ hearing: ChatEvent.Hearing) {
        self.init(
            roomKey: message.room.key, author: message.sender.map { ($0.key, $0.name) }, isLive: hearing.isLive,
            isHistory: !hearing.isLive)
    }
}
