import ChatModel
import Sessions
import XMPPWire

/// Takes stanzas.
extension XMPPSession {
    /// Takes a stanza that nobody asked for.
    mutating func take(_ stanza: ReceivedStanza) {
        let at = receipts.next()
        defer { receipts.advance(to: at.advanced(byMicroseconds: Int64(step.events.count))) }
        switch stanza.content {
        case .success(let element):
            switch element.name {
            case "message": take(message: element, raw: stanza.raw, at: at)
            case "presence": take(presence: element, raw: stanza.raw, at: at)
            case "iq":
                guard let question = XMPPQuestion(element) else { break }
                step.send.append(
                    question.answer(account: account, followsBookmarks: configuration.joinsBookmarks))
            default: break
            }
        case .failure(let error):
            let unreadable = XMPPUnreadable(
                stanza.raw, error, account: account, rooms: rooms, archivesDirect: configuration.archivesDirect)
            if let event = unreadable.event(session: id, at: at) { step.events.append(.unreadable(event)) }
        }
    }

    private mutating func take(message element: XMPPElement, raw: [UInt8], at: Timestamp) {
        if configuration.joinsBookmarks, element.from == nil || element.from == account, RoomBookmark.isNews(element) {
            step.hasBookmarkNews = true
            return
        }
        // Only the account's own server tells of its other clients (XEP-0280 §11).
        if let carbon = element.carbon {
            guard element.from == nil || element.from == account else { return }
            return take(direct: XMPPMessage(carbon), raw: raw, at: at)
        }
        let message = XMPPMessage(element)
        if message.type == "error" { return refused(message) }
        if let from = message.from, rooms[from.bare] != nil, message.type == "groupchat" || from.isBare {
            return take(ofRoom: message, from.bare, raw: raw, at: at)
        }
        guard message.type != "groupchat" else { return }
        take(direct: message, raw: raw, at: at)
    }

    /// Takes a message of a room, or of the room about itself.
    private mutating func take(ofRoom message: XMPPMessage, _ address: JID, raw: [UInt8], at: Timestamp) {
        guard var room = rooms[address] else { return }
        let codes = message.statusCodes
        if room.isInside {
            if !codes.isDisjoint(with: [104, 170, 171, 172, 173, 174]) { room.noteChange() }
            step.hasRoomWork = step.hasRoomWork || room.isChanged
            room.due = room.isChanged ? elapsed : elapsed + configuration.selfPing
        }
        let isTopic = message.subject != nil && message.body == nil
        let isHistory = room.phase == .history && message.delay != nil
        if room.phase == .history, isTopic { room.endHistory() }
        rooms[address] = room
        var way = XMPPReader.Way(
            room: room.reference, sender: room.sender(of: message, account: account),
            remoteID: message.stanzaID(by: address), at: at, hearing: .live, raw: raw,
            isOfRoom: message.from?.isBare == true)
        if isTopic, let subject = message.subject, room.phase == .live, isStanding(room: address, message) {
            return takeStanding(subject, message, way)
        }
        if isHistory, let delay = message.delay {
            (way.sourceTime, way.hearing) = (delay.time, .replay(Occurrence(), delay.resolution))
            step.events += reader.events(of: message, way, &references).filter {
                rooms[address]?.repeatsHeard($0) != true
            }
            return
        } else if let delay = message.delay, isTrusted(delay) {
            way.sourceTime = delay.time
        }
        append(message, way)
    }

    /// Returns true for the topic that ends the history of the join, which no other message does.
    private mutating func isStanding(room address: JID, _ message: XMPPMessage) -> Bool {
        guard rooms[address]?.topicIsDue == true else { return false }
        rooms[address]?.topicIsDue = false
        return true
    }

    private mutating func takeStanding(_ subject: String, _ message: XMPPMessage, _ way: XMPPReader.Way) {
        let row = IncomingMessage(
            session: id, room: way.room, kind: .topic, sender: way.sender, body: subject, remoteID: way.remoteID,
            receivedAt: way.at, raw: way.raw)
        step.events.append(.message(row, .standing(since: message.delay?.time)))
    }

    /// Returns true for the mark of the account's own server on a message that it delivers late. Rooms pass on what the
    /// sender wrote.
    private func isTrusted(_ delay: XMPPMessage.Delay) -> Bool {
        delay.from == account || delay.from == JID(local: "", domain: account.domain)
    }

    /// Takes a message to one person, or from one, in any client of the account.
    private mutating func take(direct message: XMPPMessage, raw: [UInt8], at: Timestamp) {
        guard configuration.archivesDirect || message.from?.local.isEmpty == true else { return }
        guard let (room, sender) = parties(of: message) else { return }
        var way = XMPPReader.Way(
            room: room, sender: sender, remoteID: message.stanzaID(by: account), at: at, hearing: .live, raw: raw)
        if let delay = message.delay, isTrusted(delay) { way.sourceTime = delay.time }
        append(message, way)
    }

    /// Returns the conversation of a message, and its sender. Lists a conversation that is new.
    mutating func parties(of message: XMPPMessage) -> (room: RoomReference, sender: UserReference)? {
        let found = XMPPParties(of: message, account: account, rooms: rooms)
        if let partner = found.partner { list(found.room, with: partner) }
        return (found.room, found.sender)
    }

    mutating func append(_ message: XMPPMessage, _ way: XMPPReader.Way) {
        step.events += reader.events(of: message, way, &references)
    }

    private mutating func refused(_ message: XMPPMessage) {
        guard let from = message.from?.bare, rooms[from]?.isInside == true,
            ["not-acceptable", "item-not-found", "gone"].contains(message.element.errorCondition)
        else { return }
        lost(from, XMPPRoomEnd(.left, "the room does not know us: \(message.element.roomErrorWords)"))
    }
}
