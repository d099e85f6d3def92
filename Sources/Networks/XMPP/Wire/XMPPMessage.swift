import Bytes
package import ChatModel

/// A message stanza, read as far as the archive needs it. Which of its facts may be believed depends on its way.
package struct XMPPMessage: Sendable, Hashable {
    /// An id that a server gave, with the address of that server or room (XEP-0359).
    package struct StanzaID: Sendable, Hashable {
        package var id: String
        package var by: JID
    }

    package let element: XMPPElement
    /// `normal`, `chat`, `groupchat`, `headline` or `error`.
    package let type: String
    package let from: JID?
    package let to: JID?
    /// The sender's id.
    package let id: String?
    /// The sender's id that no server changes.
    package let originID: String?
    package let stanzaIDs: [StanzaID]
    /// The text without a language of its own, or else the first; nil without one, or with an empty one.
    package let body: String?
    /// The topic; nil if the message does not set one.
    package let subject: String?
    /// When and from whom the message was sent first, as a server says.
    package let delay: Delay?

    /// The time of a message that comes late (XEP-0203).
    package struct Delay: Sendable, Hashable {
        package var from: JID?
        package var time: Timestamp
        /// The resolution of the written time.
        package var resolution: TimeResolution
    }

    package init(_ element: XMPPElement) {
        self.element = element
        (type, from, to) = (element["type"] ?? "normal", element.from, element.to)
        id = element["id"].flatMap(Self.known)
        originID = element.child("origin-id", XMPPNamespace.ids)?["id"].flatMap(Self.known)
        stanzaIDs = element.children("stanza-id", XMPPNamespace.ids).compactMap { child in
            guard let id = child["id"].flatMap(Self.known), let by = child["by"].flatMap({ JID($0) }) else {
                return nil
            }
            return StanzaID(id: id, by: by)
        }
        let bodies = element.children("body", XMPPNamespace.client)
        let chosen = bodies.first { $0["xml:lang"] == nil } ?? bodies.first
        body = chosen.map(\.text).flatMap { $0.isEmpty ? nil : $0 }
        subject = element.child("subject", XMPPNamespace.client)?.text
        delay = element.delay
    }

    /// The longest id that is kept, in bytes. Clients and servers send UUIDs and numbers.
    private static let maximumID = 1024

    private static func known(_ id: String) -> String? { id.isEmpty || id.utf8.count > maximumID ? nil : id }

    /// Returns the id that this server or room gave.
    package func stanzaID(by address: JID) -> String? { stanzaIDs.first { $0.by == address }?.id }

    /// The ids by which others may refer to the message: those of the sender.
    package var senderIDs: [String] {
        guard let id, let originID, id != originID else { return [id ?? originID].compactMap(\.self) }
        return [id, originID]
    }
}

extension XMPPMessage {
    /// The person's id in the room, which is true only if the room gives such ids (XEP-0421).
    package var occupantID: String? { element.child("occupant-id", XMPPNamespace.occupantIDs)?["id"] }

    /// True if only the devices of the people in the conversation can read the message.
    package var isEncrypted: Bool {
        element.child("encryption", XMPPNamespace.encryptionMark) != nil
            || element.children.contains { $0.name == "encrypted" && XMPPNamespace.encryptions.contains($0.namespace) }
    }

    /// The sender's id of the first version of the message that this one corrects (XEP-0308).
    package var corrected: String? { element.child("replace", XMPPNamespace.correction)?["id"] }

    /// The id of the message that this one answers (XEP-0461).
    package var replyTo: String? { element.child("reply", XMPPNamespace.reply)?["id"] }

    /// The places of the message's files, each once (XEP-0066).
    package var files: [String] {
        var seen: Set<String> = []
        return element.children("x", XMPPNamespace.files).compactMap { $0.child("url", XMPPNamespace.files)?.text }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// All reactions of the sender to a message: those that are missing are taken back (XEP-0444).
    package var reactions: (target: String, texts: [String])? {
        guard let found = element.child("reactions", XMPPNamespace.reactions), let target = found["id"] else {
            return nil
        }
        return (target, found.children("reaction", XMPPNamespace.reactions).map(\.text).filter { !$0.isEmpty })
    }

    /// A retraction by the author, or by a moderator of the room.
    package struct Retraction: Sendable, Hashable {
        package var target: String
        package var isModeration: Bool
        /// The moderator; nil if the room does not say.
        package var by: JID?
        package var reason: String?
    }

    /// The message that this one retracts (XEP-0424, XEP-0425).
    package var retraction: Retraction? {
        if let found = element.child("retract", XMPPNamespace.retraction), let target = found["id"] {
            let moderated = found.child("moderated", XMPPNamespace.moderation)
            let reason = found.child("reason", XMPPNamespace.retraction)?.text
            return Retraction(
                target: target, isModeration: moderated != nil, by: moderated?["by"].flatMap { JID($0) }, reason: reason
            )
        }
        guard let fastened = element.child("apply-to", XMPPNamespace.fastening), let target = fastened["id"] else {
            return nil
        }
        if let moderated = fastened.child("moderated", XMPPNamespace.earlierModeration) {
            return Retraction(
                target: target, isModeration: true, by: moderated["by"].flatMap { JID($0) },
                reason: moderated.child("reason", XMPPNamespace.earlierModeration)?.text)
        }
        guard fastened.child("retract", XMPPNamespace.earlierRetraction) != nil else { return nil }
        return Retraction(target: target, isModeration: false)
    }

    /// The message up to which the sender has read (XEP-0333).
    package var displayed: String? { element.child("displayed", XMPPNamespace.markers)?["id"] }

    /// The codes of a message of a room about itself.
    package var statusCodes: Set<Int> { element.child("x", XMPPNamespace.mucUser)?.statusCodes ?? [] }

    /// The person's address in an archive's copy of a message of a room that shows addresses.
    package var shownAddress: JID? {
        let shown = element.children("x", XMPPNamespace.mucUser).flatMap { $0.children("item", XMPPNamespace.mucUser) }
        return shown.count == 1 ? shown[0]["jid"].flatMap { JID($0) }?.bare : nil
    }

    /// An invitation to a room, with the person who invites and their reason.
    package var invitation: (room: JID, by: JID?, reason: String?)? {
        if let user = element.child("x", XMPPNamespace.mucUser),
            // One to a person is a request to the room.
            let invite = user.child("invite", XMPPNamespace.mucUser), invite["to"] == nil, let from
        {
            return (from.bare, invite.from, invite.child("reason", XMPPNamespace.mucUser)?.text)
        }
        guard let direct = element.child("x", XMPPNamespace.directInvitation),
            let room = direct["jid"].flatMap({ JID($0) })
        else { return nil }
        return (room, from, direct["reason"])
    }

    /// The text without the quotation that clients without replies show (XEP-0461 §3.1, XEP-0428).
    package var ownBody: String? {
        guard let body, replyTo != nil else { return body }
        let marks = element.children("fallback", XMPPNamespace.fallback).filter { $0["for"] == XMPPNamespace.reply }
        guard let range = marks.first?.child("body", XMPPNamespace.fallback),
            let start = range["start"].flatMap({ Int($0) }),
            let end = range["end"].flatMap({ Int($0) }), start >= 0, start < end
        else { return body }
        // The places count code points.
        let scalars = body.unicodeScalars
        guard end <= scalars.count else { return body }
        var kept = String.UnicodeScalarView(scalars.prefix(start))
        kept.append(contentsOf: scalars.dropFirst(end))
        return kept.isEmpty ? body : String(kept)
    }

    /// The name of the first part that is not about the delivery or the display of the message; nil if there is none.
    package var unknownContent: String? {
        let known = [
            XMPPNamespace.client, XMPPNamespace.ids, XMPPNamespace.occupantIDs, XMPPNamespace.delay,
            XMPPNamespace.hints, XMPPNamespace.archived,
            XMPPNamespace.mucUser, XMPPNamespace.markers, XMPPNamespace.fallback, "urn:xmpp:receipts",
            "http://jabber.org/protocol/chatstates", "jabber:x:delay", "jabber:x:event",
            "http://jabber.org/protocol/nick",
            "http://jabber.org/protocol/pubsub#event", "vcard-temp:x:update", "http://jabber.org/protocol/muc#admin",
            "http://jabber.org/protocol/address",
        ]
        return element.children.first { !known.contains($0.namespace) }.map { "\($0.name) \($0.namespace)" }
    }
}

extension XMPPElement {
    /// The status codes of a room (XEP-0045).
    package var statusCodes: Set<Int> {
        Set(children("status", XMPPNamespace.mucUser).compactMap { $0["code"].flatMap { Int($0) } })
    }

    /// The delay that the element has as a child.
    package var delay: XMPPMessage.Delay? {
        guard let found = child("delay", XMPPNamespace.delay), let stamp = found["stamp"],
            let written = WrittenTime(stamp.utf8), let time = written.microseconds
        else { return nil }
        return XMPPMessage.Delay(
            from: found["from"].flatMap { JID($0) }, time: Timestamp(microseconds: time),
            resolution: written.clock.microseconds == nil ? .second : .microsecond)
    }

    /// The message that is in a `<forwarded/>` child, and its time (XEP-0297).
    package var forwarded: (message: XMPPElement, delay: XMPPMessage.Delay?)? {
        guard let forwarded = child("forwarded", XMPPNamespace.forward),
            let message = forwarded.child("message", XMPPNamespace.client)
        else { return nil }
        return (message, forwarded.delay)
    }

    /// The message that another client of the account sent or received (XEP-0280); nil without one.
    package var carbon: XMPPElement? {
        (child("sent", XMPPNamespace.carbons) ?? child("received", XMPPNamespace.carbons))?.forwarded?.message
    }
}
