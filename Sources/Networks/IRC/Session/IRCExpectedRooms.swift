import ChatModel
import IRCWire

/// The rooms that have a gap while they are not received. Reports those that the account left while the listener was
/// away.
struct IRCExpectedRooms: Sendable {
    /// The word of the PING whose answer ends a bouncer's list of rooms.
    private static let endOfList = "scrollback-rooms"

    private let rooms: [RoomReference]
    /// True while a bouncer lists the rooms that the account is in.
    private var isListing = false

    init(_ rooms: [RoomReference]) {
        self.rooms = rooms
    }

    /// Ends the gaps of rooms that the configuration no longer has.
    func unlistRemoved(_ joining: IRCJoining, _ presence: IRCPresence, _ step: inout IRCStep) {
        guard !presence.configuration.staysInAllRooms else { return }
        step.events += rooms.filter { !joining.isWanted(Array($0.key.utf8)) }.map {
            .roomUnlisted($0, isGone: false, at: presence.openedAt)
        }
    }

    /// Sends a PING. A bouncer sends a JOIN for each room of the account with its welcome, so the answer comes after all
    /// of them (znc 1.8, bip 0.9.3, soju 0.9).
    mutating func requestEndOfList(_ login: IRCLogin, _ presence: IRCPresence, _ step: inout IRCStep) {
        guard presence.configuration.staysInAllRooms, !rooms.isEmpty, !login.isBouncerOffline else { return }
        isListing = true
        step.urgent.append(IRCMessage("PING", Self.endOfList))
    }

    /// Handles the answer to ``requestEndOfList(_:_:_:)``: the account is no longer in the rooms that the bouncer did not
    /// list. A room that comes later is listed again by its JOIN.
    mutating func receiveEndOfList(
        _ message: IRCMessage, _ joining: IRCJoining, _ presence: IRCPresence, _ step: inout IRCStep
    ) {
        guard isListing, message.params.contains(Array(Self.endOfList.utf8)) else { return }
        isListing = false
        guard !presence.isNetworkLost else { return }
        let joined = Set(presence.membership.joined.map(presence.names.key))
        for room in rooms where !joined.contains(room.key) {
            // The server's rules for names may have changed since the room was stored.
            let name = Array(room.key.utf8)
            guard !presence.membership.isJoined(name), !joining.isWanted(name) else { continue }
            step.events.append(.roomUnlisted(room, isGone: false, at: step.at))
            step.troubles.append("\(room.name) is not archived: the account left it while the listener was away")
        }
    }
}
