import ChatModel
import Sessions
import XMPPWire

/// Takes messages of archives.
extension XMPPSession {
    /// The conversation of an archived message, and its sender; nil for a message that is not stored.
    typealias Parties = (XMPPMessage, inout XMPPSession) -> (room: RoomReference, sender: UserReference?)?

    /// Returns the events of archived messages, in the order of time.
    ///
    /// - Parameters:
    ///   - isLast: True if no older messages follow. Otherwise, messages that refer to one that is not known wait for it.
    /// - Returns: The events, and the messages that wait.
    mutating func events(
        ofArchived messages: [ArchivedMessage], isLast: Bool, _ parties: Parties
    ) -> (events: [ChatEvent], waiting: [ArchivedMessage]) {
        var (events, waiting): ([ChatEvent], [ArchivedMessage]) = ([], [])
        for archived in messages {
            let message = XMPPMessage(archived.message)
            guard message.type != "error", let (room, sender) = parties(message, &self) else { continue }
            let way = XMPPReader.Way(
                room: room, sender: sender, remoteID: archived.id, at: receipts.next(),
                sourceTime: archived.delay?.time,
                hearing: .replay(Occurrence(), archived.delay?.resolution ?? .microsecond), raw: archived.raw,
                isOfRoom: room.kind == .channel && message.from?.isBare == true)
            if !isLast, waiting.count < Self.maximumWaiting,
                XMPPReader.missingTarget(of: message, way, references) != nil
            {
                waiting.append(archived)
                continue
            }
            events += reader.events(of: message, way, &references)
        }
        // New conversations are listed before their messages.
        return (takeStep().events + events, waiting)
    }

    /// The limit of messages of a walk that wait for older ones.
    private static let maximumWaiting = 1000

    /// Returns the room whose newest messages must be read from the archive before a live message, which refers to one that
    /// is not known; nil if none must.
    mutating func roomToRecall(for message: XMPPMessage) -> RoomReference? {
        let found: (room: RoomReference, sender: UserReference?)?
        if let from = message.from, message.type == "groupchat" {
            found = rooms[from.bare].map { ($0.reference, $0.sender(of: message, account: account)) }
        } else {
            guard configuration.archivesDirect, message.from != nil else { return nil }
            found = parties(of: message).map { ($0.room, $0.sender) }
        }
        guard let found, !references.recalled.contains(found.room.key) else { return nil }
        let way = XMPPReader.Way(
            room: found.room, sender: found.sender, at: receipts.last ?? .earliestPlausible, hearing: .live, raw: [])
        return XMPPReader.missingTarget(of: message, way, references) == nil ? nil : found.room
    }
}
