import ChatModel
import LogFormats
import MatrixWire
import Synchronization

/// Turns a room's events into those of the archive.
extension MatrixLink {
    /// Learns the names that an event of a room's state gives.
    func learn(_ event: MatrixSync.Event, in room: String) {
        guard let bytes = event.bytes, let event = try? MatrixEvent(bytes, nameOf: { $0 }), event.stateKey != nil else {
            return
        }
        state.withLock { state in
            switch event.meaning {
            case .member(let member, _) where member.membership == "join" || member.membership == "invite":
                state.names.note(member.user, member.name)
            case .roomName(let name, _): state.rooms[room]?.name = name
            case .alias(let alias): state.rooms[room]?.alias = alias
            default: break
            }
        }
    }

    /// Returns the events for an event of a room, live or from history.
    ///
    /// - Parameter instant: The place in history of an event that can't be read; nil for a live event.
    func events(
        of event: MatrixSync.Event, in room: String, at: Timestamp, _ hearing: ChatEvent.Hearing,
        instant: Timestamp? = nil
    ) -> [ChatEvent] {
        let reference = reference(of: room)
        func unreadable(_ reason: String) -> [ChatEvent] {
            [
                .unreadable(
                    UnreadableEvent(
                        session: session, room: reference, remoteID: nil, receivedAt: at, instant: instant,
                        payload: event.bytes ?? [], reason: reason))
            ]
        }
        guard let bytes = event.bytes else { return unreadable("an event of \(event.length) bytes is too long") }
        do throws(MatrixEvent.Unreadable) {
            let read = try MatrixEvent(bytes, nameOf: { id in state.withLock { $0.names[id] } })
            return events(of: read, in: reference, at: at, hearing)
        } catch {
            return unreadable(error.reason)
        }
    }

    private func events(
        of event: MatrixEvent, in room: RoomReference, at: Timestamp, _ hearing: ChatEvent.Hearing
    ) -> [ChatEvent] {
        let sender = user(event.sender)
        func message(_ said: MatrixEvent.Said, by sender: UserReference, replyTo: String? = nil) -> IncomingMessage {
            IncomingMessage(
                session: session, room: room, kind: said.kind, sender: sender, body: said.body, remoteID: event.id,
                sourceTime: event.time, receivedAt: at, flags: said.flags, replyTo: replyTo, attachments: said.files,
                raw: event.raw)
        }
        func edited(_ said: MatrixEvent.Said, of target: String, at time: Timestamp) -> ChatEvent {
            var message = message(said, by: sender)
            (message.remoteID, message.editedAt, message.kind) = (target, time, said.kind)
            return .message(message, .edit)
        }
        var found: [ChatEvent]
        switch event.meaning {
        case .nothing, .alias: found = []
        case .message(let said, let replyTo): found = [.message(message(said, by: sender, replyTo: replyTo), hearing)]
        case .roomName(_, let said): found = [.message(message(said, by: sender), hearing)]
        case .encrypted(let replyTo):
            let said = MatrixEvent.Said(kind: .message, body: nil, flags: .encrypted)
            found = [.message(message(said, by: sender, replyTo: replyTo), hearing)]
        case .member(let member, let said):
            // A join, a leave and another name are the member's own.
            let isOwn = [.join, .leave, .rename].contains(said.kind)
            found = [.message(message(said, by: isOwn ? user(member.user) : sender), hearing)]
        case .edit(let target, let said): found = [edited(said, of: target, at: event.time)]
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
