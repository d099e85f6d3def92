import ChatModel
import XMPPWire

/// The conversation to which a message of a single person belongs, and who said it.
struct XMPPParties: Sendable {
    var room: RoomReference
    /// The other person; nil for a conversation with a server.
    var partner: UserReference?
    var sender: UserReference

    /// - Parameters:
    ///   - account: The account's address without a resource.
    ///   - rooms: The rooms of the account: a private message in a room has the address of a person in it.
    init(of message: XMPPMessage, account: JID, rooms: [JID: XMPPRoom]) {
        // A room passes on the invitation of a person (XEP-0045 §7.8.2).
        let from = message.invitation?.by ?? message.from ?? account
        let isOwn = from.bare == account
        let other = isOwn ? message.to ?? account : from
        let own = UserReference(key: "\(account)", name: "\(account)", isSelf: true)
        if let room = rooms[other.bare], !other.isBare {
            self.init("\(other)", room.user(present: other.resource, account: account), isOwn ? own : nil)
        } else if !other.isBare, message.element.child("x", XMPPNamespace.mucUser) != nil, message.invitation == nil {
            self.init("\(other)", UserReference(key: "\(other)", name: other.resource), isOwn ? own : nil)
        } else if other.local.isEmpty {
            self.init("\(other.bare)", UserReference(key: "\(other.bare)", name: "\(other.bare)"), isOwn ? own : nil)
            (room.kind, partner) = (.server, nil)
        } else {
            let person = UserReference(key: "\(other.bare)", name: "\(other.bare)")
            self.init("\(other.bare)", other.bare == account ? own : person, isOwn ? own : nil)
        }
    }

    /// - Parameter own: The account's own person if that sent the message.
    private init(_ key: String, _ partner: UserReference, _ own: UserReference?) {
        room = RoomReference(key: key, name: key, kind: .direct)
        (self.partner, sender) = (partner, own ?? partner)
    }
}
