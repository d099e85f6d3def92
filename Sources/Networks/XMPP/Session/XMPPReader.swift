import ChatModel
import XMPPWire

/// Turns messages, live or from an archive, into events.
struct XMPPReader: Sendable {
    let session: SessionID
    /// True to remove the text of messages that are retracted.
    var wipesRedacted: Bool

    /// The way of a message, by which its facts are known.
    struct Way: Sendable {
        var room: RoomReference
        var sender: UserReference?
        /// The id that the room or the account's archive gave; nil without an archive.
        var remoteID: String?
        /// The time of receipt.
        var at: Timestamp
        /// The time that a server gave, of a message that comes late.
        var sourceTime: Timestamp?
        var hearing: ChatEvent.Hearing
        /// The stanza as it was received.
        var raw: [UInt8]
        /// True if the room itself sent the message.
        var isOfRoom = false

        var time: Timestamp { sourceTime ?? at }
    }

    /// Returns the id of an earlier message that must be known before ``events(of:_:_:)`` can do more than keep the
    /// message as one of its own; nil if it is known, or none is needed.
    static func missingTarget(of message: XMPPMessage, _ way: Way, _ references: XMPPReferences) -> String? {
        let room = way.room.key
        if let id = message.corrected {
            guard let sender = way.sender else { return nil }
            return references.find(id, changeableBy: sender, room: way.room) == nil ? id : nil
        }
        if let retraction = message.retraction, !retraction.isModeration {
            return references.find(retraction.target, room: room) == nil ? retraction.target : nil
        }
        guard way.room.kind == .direct, let id = message.reactions?.target ?? message.replyTo ?? message.displayed
        else {
            return nil
        }
        return references.find(id, room: room) == nil ? id : nil
    }

    /// Returns the events of a message, and notes its ids.
    func events(of message: XMPPMessage, _ way: Way, _ references: inout XMPPReferences) -> [ChatEvent] {
        let room = way.room.key
        if let retraction = message.retraction, let event = deletion(retraction, way, references) { return [event] }
        if let (target, texts) = message.reactions, let sender = way.sender {
            let known = references.find(target, room: room)?.remoteID ?? target
            let change = references.react(texts, to: known, by: sender.key, room: room, at: way.time)
            return change.given.map { reaction($0, to: known, by: sender, way, isRemoved: false) }
                + change.taken.map { reaction($0, to: known, by: sender, way, isRemoved: true) }
        }
        var marks: [ChatEvent] = []
        if let read = message.displayed, way.sender?.isSelf == true, let known = references.find(read, room: room) {
            marks = [.read(way.room, upTo: known.remoteID, at: way.time)]
        }
        guard var said = content(of: message, way, references) else { return marks }
        if way.sender?.isSelf == true, way.sender?.key == room,
            references.isOwnCopy(senderIDs: message.senderIDs, remoteID: way.remoteID, body: message.body)
        {
            return marks
        }
        if let id = message.corrected, let sender = way.sender, !message.isEncrypted {
            if let target = references.find(id, changeableBy: sender, room: way.room) {
                said.sender = UserReference(key: target.author, name: sender.name, isSelf: sender.isSelf)
                (said.editID, said.remoteID, said.editedAt) = (way.remoteID, target.remoteID, way.time)
                let ids = message.senderIDs + [way.remoteID].compactMap(\.self)
                references.note(target, correctedBy: sender.key, as: ids, room: room)
                return marks + [.message(said, .edit)]
            }
            said.body = said.body.map { "* \($0)" }
        }
        if let id = way.remoteID, let sender = way.sender {
            references.note(
                .init(remoteID: id, author: sender.key, name: sender.name), senderIDs: message.senderIDs, room: room,
                isArchived: way.hearing.isReplay)
        }
        return marks + [.message(said, way.hearing)]
    }

    private func deletion(
        _ retraction: XMPPMessage.Retraction, _ way: Way, _ references: XMPPReferences
    ) -> ChatEvent? {
        let target: String
        var by = way.sender
        if retraction.isModeration {
            // Only the room itself says that a moderator retracted a message.
            guard way.isOfRoom else { return nil }
            (target, by) = (retraction.target, retraction.by.map { UserReference(key: "\($0)", name: $0.resource) })
        } else {
            guard let sender = way.sender, let known = references.find(retraction.target, room: way.room.key),
                known.mayBeChanged(by: sender, in: way.room)
            else { return nil }
            target = known.remoteID
        }
        return .deleted(
            MessageDeletion(
                session: session, room: way.room, remoteID: target, sourceTime: way.sourceTime, receivedAt: way.at,
                retraction: .init(by: by, reason: retraction.reason, wipes: wipesRedacted)))
    }

    private func reaction(
        _ text: String, to target: String, by sender: UserReference, _ way: Way, isRemoved: Bool
    ) -> ChatEvent {
        .reaction(
            IncomingReaction(
                session: session, room: way.room, target: target, sender: sender, text: text,
                sourceTime: way.sourceTime, receivedAt: way.at, isRemoved: isRemoved))
    }

    /// Returns the message's row; nil if it says nothing, such as that somebody is typing.
    private func content(of message: XMPPMessage, _ way: Way, _ references: XMPPReferences) -> IncomingMessage? {
        var row = IncomingMessage(
            session: session, room: way.room, kind: .message, sender: way.sender, body: message.ownBody,
            remoteID: way.remoteID, sourceTime: way.sourceTime, receivedAt: way.at, attachments: message.files,
            raw: way.raw)
        if let reply = message.replyTo { row.replyTo = references.find(reply, room: way.room.key)?.remoteID ?? reply }
        if message.isEncrypted {
            // A message that only brings keys says nothing.
            guard message.hasCiphertext else { return nil }
            (row.body, row.flags, row.attachments) = (nil, [.encrypted], [])
            return row
        }
        if let invitation = message.invitation {
            let invited = way.sender?.isSelf == true ? way.room.name : "you"
            let reason = invitation.reason.flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
            // A renderer puts the sender before it: alice invites you to room@conference.example.org.
            (row.kind, row.body) = (.invite, "\(invited) to \(invitation.room)\(reason)")
            return row
        }
        if let subject = message.subject, message.body == nil {
            guard message.type == "groupchat" else { return nil }
            (row.kind, row.body) = (.topic, subject)
            return row
        }
        if let body = row.body, body.hasPrefix("/me ") {
            (row.kind, row.body) = (.action, String(body.dropFirst(4)))
        } else if message.type == "headline" {
            row.kind = .notice
        }
        if row.body == nil, row.attachments.isEmpty {
            guard let unknown = Self.unknown(message) else { return nil }
            (row.kind, row.body) = (.notice, unknown)
        }
        return row
    }

    /// Returns words for content that is kept only as the bytes of its stanza; nil for a stanza that says nothing.
    private static func unknown(_ message: XMPPMessage) -> String? {
        guard message.type != "headline", message.type != "error" else { return nil }
        if let retraction = message.retraction {
            return "(retraction of a message that is not known: \(retraction.target))"
        }
        return message.unknownContent.map { "(unknown content: \($0))" }
    }
}

extension XMPPMessage {
    /// False for an encrypted message that only brings keys (XEP-0384).
    fileprivate var hasCiphertext: Bool {
        let parts = element.children.filter { $0.name == "encrypted" }
        return parts.isEmpty || parts.contains { $0.children.contains { $0.name == "payload" } }
            || parts.contains { $0.namespace.hasSuffix(":0") || $0.children.isEmpty }
    }
}
