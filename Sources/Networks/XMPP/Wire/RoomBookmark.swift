/// A room in the account's bookmarks (XEP-0402, XEP-0048).
package struct RoomBookmark: Sendable, Hashable {
    package var room: JID
    package var nick: String?
    package var password: String?
    /// True if clients join the room by themselves.
    package var isJoined: Bool

    package init(room: JID, nick: String? = nil, password: String? = nil, isJoined: Bool = true) {
        (self.room, self.nick, self.password, self.isJoined) = (room, nick, password, isJoined)
    }

    /// Returns the question for bookmarks that are published one by one.
    package static func query(id: String) -> XMPPElement {
        let items = XMPPElement("items", XMPPNamespace.pubSub, ["node": XMPPNamespace.bookmarks], [])
        return XMPPElement(
            "iq", ["type": "get", "id": id], [XMPPElement("pubsub", XMPPNamespace.pubSub, [:], [items])])
    }

    /// Returns the question for bookmarks in private storage, which older servers have.
    package static func earlierQuery(id: String) -> XMPPElement {
        let storage = XMPPElement("storage", XMPPNamespace.earlierBookmarks, [:], [])
        return XMPPElement(
            "iq", ["type": "get", "id": id], [XMPPElement("query", XMPPNamespace.privateStorage, [:], [storage])])
    }

    /// Reads the bookmarks of an answer to either question.
    package static func all(in answer: XMPPElement) -> [RoomBookmark] {
        let published = answer.child("pubsub", XMPPNamespace.pubSub)?.child("items", XMPPNamespace.pubSub)
        let items = published?.children("item", XMPPNamespace.pubSub) ?? []
        let new = items.compactMap { item -> RoomBookmark? in
            guard let room = item["id"].flatMap({ JID($0) }),
                let conference = item.child("conference", XMPPNamespace.bookmarks)
            else { return nil }
            return RoomBookmark(conference, room)
        }
        let stored = answer.child("query", XMPPNamespace.privateStorage)?.child(
            "storage", XMPPNamespace.earlierBookmarks)
        let old = (stored?.children("conference", XMPPNamespace.earlierBookmarks) ?? []).compactMap { conference in
            conference["jid"].flatMap { JID($0) }.map { RoomBookmark(conference, $0) }
        }
        return new + old
    }

    /// Returns true for news of changed bookmarks, which the account's own server sends (XEP-0163). They are not read:
    /// whoever gets them asks for all bookmarks.
    package static func isNews(_ message: XMPPElement) -> Bool {
        let nodes = message.child("event", XMPPNamespace.pubSubEvents)?.children.compactMap { $0["node"] } ?? []
        return nodes.contains(XMPPNamespace.bookmarks) || nodes.contains(XMPPNamespace.earlierBookmarks)
    }

    private init(_ conference: XMPPElement, _ room: JID) {
        self.room = room.bare
        nick = conference.children.first { $0.name == "nick" }?.text
        password = conference.children.first { $0.name == "password" }?.text
        isJoined = ["true", "1"].contains(conference["autojoin"] ?? "")
    }
}
