import ChatModel
import XMPPWire

/// How the account came out of a room, by the room's words.
struct XMPPRoomEnd: Sendable, Hashable {
    var reason: EndReason
    var trouble: RoomTrouble.Reason
    var detail: String

    init(_ reason: EndReason, _ detail: String, _ trouble: RoomTrouble.Reason = .notJoined) {
        (self.reason, self.detail) = (reason, detail)
        self.trouble = reason == .gone ? .noSuchRoom : trouble
    }

    /// - Parameter presence: The account's own presence, which says that it is not in the room any more.
    init(_ presence: RoomPresence) {
        let why = presence.reason.map { ": \($0)" } ?? ""
        let by = presence.actor.map { " by \($0)" } ?? ""
        if presence.isDestroyed {
            let now = presence.successor.map { "; it is now \($0)" } ?? ""
            self.init(.gone, "the room was destroyed\(why)\(now)")
        } else if presence.codes.contains(301) {
            self.init(.left, "banned\(by)\(why)", .banned)
        } else if !presence.codes.isDisjoint(with: [321, 322]) {
            self.init(.left, "the room is for members only now\(why)", .inviteOnly)
        } else {
            self.init(.left, presence.codes.contains(307) ? "kicked\(by)\(why)" : "left the room\(why)")
        }
    }
}
