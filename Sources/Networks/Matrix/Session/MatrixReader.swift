import ChatModel
import LogFormats
import MatrixWire

/// Turns a room's events, live or from history, into those of the archive.
struct MatrixReader: Sendable {
    let session: SessionID
    /// The account's id.
    let me: String

    /// An event, or the reason why it can't be read.
    typealias ReadEvent = Result<MatrixEvent, MatrixEvent.Unreadable>

    /// - Parameter nameOf: Returns a person's name by id.
    static func parse(_ event: MatrixSync.Event, nameOf: (String) -> String) -> ReadEvent {
        if let opened = event.opened { return .success(opened) }
        guard let bytes = event.bytes else {
            return .failure(MatrixEvent.Unreadable(reason: "an event of \(event.length) bytes is too long"))
        }
        return Result { () throws(MatrixEvent.Unreadable) in try MatrixEvent(bytes, nameOf: nameOf) }
    }

    /// Returns the events for an event of a room.
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
        case .success(let read):
            let rows = MatrixRows(event: read, session: session, room: room, at: at, sender: user(read.sender, nameOf))
            return events(of: rows, hearing, nameOf)
        case .failure(let error):
            return [
                .unreadable(
                    UnreadableEvent(
                        session: session, room: room, remoteID: nil, receivedAt: at, instant: instant,
                        payload: event.bytes ?? [], reason: error.reason))
            ]
        }
    }

    private func user(_ id: String, _ nameOf: (String) -> String) -> UserReference {
        UserReference(key: id, name: nameOf(id), isSelf: id == me)
    }

    private func events(
        of rows: MatrixRows, _ hearing: ChatEvent.Hearing, _ nameOf: (String) -> String
    ) -> [ChatEvent] {
        let event = rows.event
        var found: [ChatEvent]
        switch event.meaning {
        case .nothing, .alias, .child, .parent, .visibility: found = []
        case .message(let said, let replyTo): found = [.message(rows.message(said, replyTo: replyTo), hearing)]
        case .roomName(_, let said), .roomPicture(_, let said), .created(let said):
            found = [.message(rows.message(said), hearing)]
        case .encrypted(let replyTo):
            let said = MatrixEvent.Said(kind: .message, body: nil, flags: .encrypted)
            found = [.message(rows.message(said, replyTo: replyTo), hearing)]
        case .member(let member, let said):
            // A join, a leave and another name are the member's own.
            var by = [.join, .leave, .rename].contains(said.kind) ? user(member.user, nameOf) : rows.sender
            if said.kind == .rename, member.hasPrevious { by.name = member.oldName ?? member.user }
            found = [.message(rows.message(said, by: by), hearing)]
        case .edit(let target, let said): found = [rows.edit(said, of: target)]
        case .reaction(let target, let key): found = [rows.reaction(key, to: target)]
        case .redaction(let target, let reason):
            found = [rows.deletion(of: target, by: rows.sender, reason, event.time)]
        case .redacted(let by, let reason, let time):
            guard ["m.room.message", "m.room.encrypted", "m.sticker"].contains(event.type) else { return [] }
            var gone = rows.message(MatrixEvent.Said(kind: .message, body: nil, flags: []))
            (gone.deletedAt, gone.raw) = (time, nil)
            let by = by.map { user($0, nameOf) }
            found = [.message(gone, hearing), rows.deletion(of: event.id, by: by, reason, time)]
        }
        if let edit = event.latestEdit { found.append(rows.bundledEdit(edit)) }
        return found
    }
}
