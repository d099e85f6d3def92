import ChatModel
import XMPPWire

/// A stanza that can't be read. Only its own room misses it, if the part that was read names the room.
struct XMPPUnreadable: Sendable {
    private let raw: [UInt8]
    private let error: ReceivedStanza.Unreadable
    private let account: JID
    private let rooms: [JID: XMPPRoom]
    private let archivesDirect: Bool

    init(_ raw: [UInt8], _ error: ReceivedStanza.Unreadable, account: JID, rooms: [JID: XMPPRoom], archivesDirect: Bool)
    {
        (self.raw, self.error, self.account) = (raw, error, account)
        (self.rooms, self.archivesDirect) = (rooms, archivesDirect)
    }

    /// Returns the event that keeps the bytes; nil for a message that is not archived.
    func event(session: SessionID, at: Timestamp) -> UnreadableEvent? {
        var event = UnreadableEvent(
            session: session, room: nil, remoteID: nil, receivedAt: at, payload: raw,
            reason: "a stanza can't be read: \(error.reason)")
        guard let outline = error.outline else { return event }
        if let archived = ArchivedMessage(outline, raw: raw), isOfArchive(outline.from) {
            (event.remoteID, event.instant) = (archived.id, archived.delay?.time)
            event.room = room(of: archived.message)
        } else {
            event.room = room(of: outline.carbon ?? outline)
            guard event.room != nil || outline.name != "message" || archivesDirect else { return nil }
        }
        return event
    }

    /// Returns true for the addresses from which messages of an archive come.
    private func isOfArchive(_ address: JID?) -> Bool {
        guard let address else { return true }
        return address == account || rooms[address] != nil
    }

    /// Returns the room or the conversation of a stanza; nil if it has none that is archived.
    private func room(of element: XMPPElement) -> RoomReference? {
        let isOfRoom =
            element.name != "message" || element["type"] == "groupchat" || element.from?.isBare == true
        if isOfRoom, let room = element.from.flatMap({ rooms[$0.bare] }) { return room.reference }
        guard element.name == "message", element["type"] != "groupchat", archivesDirect else { return nil }
        return XMPPParties(of: XMPPMessage(element), account: account, rooms: rooms).room
    }
}
