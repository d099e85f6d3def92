/// A presence of a person in a room (XEP-0045 §7).
package struct RoomPresence: Sendable, Hashable {
    package let room: JID
    package let nick: String
    /// False if the person leaves.
    package let isAvailable: Bool
    /// The person's own address, in rooms that show it to us.
    package let address: JID?
    package let occupantID: String?
    package let codes: Set<Int>
    /// The nick that the person takes now.
    package let newNick: String?
    /// The person who kicked or banned, and the reason.
    package let actor: String?
    package let reason: String?
    /// The room's address after it was destroyed; nil if the room was not destroyed, or has none.
    package let successor: JID?
    package let isDestroyed: Bool

    /// Nil for a presence that is not of a person in a room.
    package init?(_ element: XMPPElement) {
        guard element.name == "presence", let from = element.from, !from.isBare,
            element["type"] ?? "unavailable" == "unavailable"
        else { return nil }
        (room, nick) = (from.bare, from.resource)
        isAvailable = element["type"] == nil
        let user = element.child("x", XMPPNamespace.mucUser)
        let item = user?.child("item", XMPPNamespace.mucUser)
        address = item?["jid"].flatMap { JID($0) }?.bare
        occupantID = element.child("occupant-id", XMPPNamespace.occupantIDs)?["id"]
        codes = user?.statusCodes ?? []
        newNick = codes.contains(303) ? item?["nick"] : nil
        let actor = item?.child("actor", XMPPNamespace.mucUser)
        self.actor = actor?["nick"] ?? actor?["jid"]
        let destroyed = user?.child("destroy", XMPPNamespace.mucUser)
        reason = (destroyed ?? item)?.child("reason", XMPPNamespace.mucUser)?.text
        (isDestroyed, successor) = (destroyed != nil, destroyed?["jid"].flatMap { JID($0) })
    }
}
