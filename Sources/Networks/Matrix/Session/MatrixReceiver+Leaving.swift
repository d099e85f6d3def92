import ChatModel
import LogFormats
import MatrixWire
import Sessions

/// Receives the end of the account's membership in a room, with what the server still shows of the time before it.
extension MatrixReceiver {
    /// Receives what a sync says about a room that the account has left, or that removed it.
    ///
    /// - Parameters:
    ///   - time: When the place before the sync was reached; nil for a sync from the beginning.
    ///   - last: The time of the sync before, in this session.
    ///   - begun: When the sync began.
    func leave(_ room: MatrixSync.Room, after time: Timestamp?, last: Timestamp, begun: Timestamp, at: Timestamp) {
        guard let known = link.mailbox.withSession({ $0.rooms[room.id] }), known.listing != nil else { return }
        let events = chatEvents(of: room, at: at)
        let reference = link.reference(of: room.id)
        guard !known.isInvited else {
            link.mailbox.withSession { _ = $0.rooms.remove(room.id) }
            return link.buffer.push(events + [.roomUnlisted(reference, isGone: false, at: at)])
        }
        let since = known.isLive ? last : time
        // A time that another server's clock puts before what is known proves nothing.
        let end = ownLeave(in: room).flatMap { $0 > since ?? .earliestPlausible && $0 < begun ? $0 : nil } ?? begun
        var coverage: [ChatEvent] = []
        if known.isLive {
            let (silent, reason) = room.isLimited ? (last, EndReason.lost) : (begun, .left)
            coverage = [.roomSilent(session: link.session, room: reference, at: silent, reason: reason)]
        } else if !room.isLimited, let since, since < end {
            coverage = [.covered(session: link.session, room: reference, from: since, to: end)]
        }
        link.mailbox.withSession { $0.rooms.leave(room.id, named: reference.name) }
        link.buffer.push(events + coverage + [.roomUnlisted(reference, isGone: false, at: end)])
        guard room.isLimited else { return }
        link.queue(MatrixFetch(room: room.id, from: room.previousBatch, end: end))
    }

    /// Ends a room that the account left at a time that no sync has. The server may still show what was said before.
    func leaveQuietly(_ room: String, _ reference: RoomReference, begun: Timestamp) {
        link.mailbox.withSession { $0.rooms.leave(room, named: reference.name) }
        link.buffer.push([.roomUnlisted(reference, isGone: false, at: begun)])
        link.queue(MatrixFetch(room: room, from: nil, end: begun))
    }

    /// Returns when the account left the room or was removed from it; nil if the sync does not have that event.
    private func ownLeave(in room: MatrixSync.Room) -> Timestamp? {
        for event in room.timeline.reversed() {
            guard case .success(let read) = MatrixReader.parse(event, nameOf: link.name),
                case .member(let member, _) = read.meaning, member.user == link.me
            else { continue }
            return ["leave", "ban"].contains(member.membership) ? read.time : nil
        }
        return nil
    }
}

extension MatrixRooms {
    /// Forgets a room that the account is not in any longer, but its name and its kind, which its history needs.
    mutating func leave(_ id: String, named name: String) {
        guard let known = remove(id) else { return }
        change(id) { room in
            (room.name, room.partner, room.readUntil) = (.known(name), known.partner, known.readUntil)
            (room.hidesHistory, room.isOutside) = (known.hidesHistory, true)
        }
    }
}
