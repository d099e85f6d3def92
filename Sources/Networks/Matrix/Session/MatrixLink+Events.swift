import ChatModel
import LogFormats
import MatrixWire
import Sessions

/// Turns a room's events into those of the archive.
extension MatrixLink {
    /// An event, or the reason why it can't be read.
    typealias ReadEvent = Result<MatrixEvent, MatrixEvent.Unreadable>

    /// - Parameter nameOf: Returns a person's name by id.
    func read(_ event: MatrixSync.Event, nameOf: (String) -> String) -> ReadEvent {
        guard let bytes = event.bytes else {
            return .failure(MatrixEvent.Unreadable(reason: "an event of \(event.length) bytes is too long"))
        }
        return Result { () throws(MatrixEvent.Unreadable) in try MatrixEvent(bytes, nameOf: nameOf) }
    }

    /// Learns what an event of a room's present state says about names, pictures and spaces.
    ///
    /// - Returns: The events for the archive.
    func learn(_ event: MatrixEvent, in room: String, at: Timestamp) -> [ChatEvent] {
        guard event.stateKey != nil else { return [] }
        return mailbox.withSession { state in
            switch event.meaning {
            case .member(let member, _) where member.membership == "join" || member.membership == "invite":
                // In an invitation, the inviter chooses the name.
                let isOwn = member.user == event.sender
                state.rooms.people.note(member.user, name: member.name, ifUnknown: !isOwn)
                guard member.membership == "join", state.rooms.people.note(member.user, picture: member.picture) else {
                    return []
                }
                let user = UserReference(
                    key: member.user, name: state.rooms.people.name(of: member.user), isSelf: member.user == me)
                return [
                    .userListed(UserListing(user: user, picture: member.picture, shownAt: event.time), at: at)
                ]
            case .roomName(let name, _): state.rooms.rename(room, name)
            case .roomPicture(let picture, _): state.rooms.setPicture(of: room, picture)
            case .created: state.rooms.change(room) { $0.owner = .known(event.sender) }
            case .alias(let alias): state.rooms.change(room) { $0.alias = alias }
            case .child(let child, let isIn): state.rooms.place(child, in: room, isIn: isIn, isOwnWord: false)
            case .parent(let space, let isIn): state.rooms.place(room, in: space, isIn: isIn, isOwnWord: true)
            case .visibility(let readers):
                state.rooms.change(room) { $0.hidesHistory = ["joined", "invited"].contains(readers) }
            default: break
            }
            return []
        }
    }

    /// Returns the events for an event of a room, live or from history.
    ///
    /// - Parameters:
    ///   - event: The event as the server sent it.
    ///   - read: The same event, read.
    ///   - instant: The place in history of an event that can't be read; nil for a live event.
    ///   - nameOf: Returns a person's name at that time.
    func events(
        of event: MatrixSync.Event, _ read: ReadEvent, in room: RoomReference, at: Timestamp,
        _ hearing: ChatEvent.Hearing, instant: Timestamp? = nil, nameOf: (String) -> String
    ) -> [ChatEvent] {
        switch read {
        case .success(let read): return events(of: read, in: room, at: at, hearing, nameOf)
        case .failure(let error):
            return [
                .unreadable(
                    UnreadableEvent(
                        session: session, room: room, remoteID: nil, receivedAt: at, instant: instant,
                        payload: event.bytes ?? [], reason: error.reason))
            ]
        }
    }

    private func events(
        of event: MatrixEvent, in room: RoomReference, at: Timestamp, _ hearing: ChatEvent.Hearing,
        _ nameOf: (String) -> String
    ) -> [ChatEvent] {
        func user(_ id: String) -> UserReference { UserReference(key: id, name: nameOf(id), isSelf: id == me) }
        let sender = user(event.sender)
        func message(_ said: MatrixEvent.Said, by sender: UserReference, replyTo: String? = nil) -> IncomingMessage {
            IncomingMessage(
                session: session, room: room, kind: said.kind, sender: sender, body: said.body, remoteID: event.id,
                sourceTime: event.time, receivedAt: at, flags: said.flags, replyTo: replyTo, attachments: said.files,
                raw: event.raw)
        }
        func edited(_ said: MatrixEvent.Said, of target: String, at time: Timestamp, by own: String? = nil) -> ChatEvent
        {
            var message = message(said, by: sender)
            (message.remoteID, message.editedAt, message.kind, message.editID) = (target, time, said.kind, own)
            return .message(message, .edit)
        }
        var found: [ChatEvent]
        switch event.meaning {
        case .nothing, .alias, .child, .parent, .visibility: found = []
        case .message(let said, let replyTo): found = [.message(message(said, by: sender, replyTo: replyTo), hearing)]
        case .roomName(_, let said), .roomPicture(_, let said), .created(let said):
            found = [.message(message(said, by: sender), hearing)]
        case .encrypted(let replyTo):
            let said = MatrixEvent.Said(kind: .message, body: nil, flags: .encrypted)
            found = [.message(message(said, by: sender, replyTo: replyTo), hearing)]
        case .member(let member, let said):
            // A join, a leave and another name are the member's own.
            var by = [.join, .leave, .rename].contains(said.kind) ? user(member.user) : sender
            if said.kind == .rename, member.hasPrevious { by.name = member.oldName ?? member.user }
            found = [.message(message(said, by: by), hearing)]
        case .edit(let target, let said): found = [edited(said, of: target, at: event.time, by: event.id)]
        case .reaction(let target, let key):
            found = [
                .reaction(
                    IncomingReaction(
                        session: session, room: room, target: target, sender: sender, text: key, sourceTime: event.time,
                        receivedAt: at, ownID: event.id))
            ]
        case .redaction(let target, let reason):
            found = [deletion(of: target, in: room, by: sender, reason, event.time, at: at)]
        case .redacted(let by, let reason, let time):
            guard ["m.room.message", "m.room.encrypted", "m.sticker"].contains(event.type) else { return [] }
            var gone = message(MatrixEvent.Said(kind: .message, body: nil, flags: []), by: sender)
            (gone.deletedAt, gone.raw) = (time, nil)
            found = [.message(gone, hearing), deletion(of: event.id, in: room, by: by.map(user), reason, time, at: at)]
        }
        if let edit = event.latestEdit { found.append(edited(edit.said, of: event.id, at: edit.time)) }
        return found
    }

    private func deletion(
        of target: String, in room: RoomReference, by: UserReference?, _ reason: String?, _ time: Timestamp,
        at: Timestamp
    ) -> ChatEvent {
        .deleted(
            MessageDeletion(
                session: session, room: room, remoteID: target, sourceTime: time, receivedAt: at,
                retraction: MessageDeletion.Retraction(by: by, reason: reason, wipes: true)))
    }
}
