/// A room in the network's list of the account's rooms.
package struct RoomListing: Sendable, Hashable {
    /// The room; a direct room has its partner's name.
    package var room: RoomReference
    /// The workspace; nil on networks without workspaces.
    package var workspace: WorkspaceReference?
    /// The other person of a direct room; nil if the network doesn't name one, or no longer does.
    package var partner: UserReference?
    /// The text that describes the room, on networks where that is not its topic.
    package var description = ListedFact<String>.unknown
    /// The network's id of the person to whom the room belongs.
    package var owner = ListedFact<String>.unknown
    /// The owner's name today; nil if the list does not have it. Without it, an owner whom the archive lacks is stored when
    /// the person's first message is.
    package var ownerName: String?
    /// The place of the room's picture.
    package var picture = ListedFact<String>.unknown

    package init(room: RoomReference, workspace: WorkspaceReference? = nil, partner: UserReference? = nil) {
        (self.room, self.workspace, self.partner) = (room, workspace, partner)
    }
}

/// A fact that a network's list may have or leave out.
package enum ListedFact<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The list does not say. The stored value stays.
    case unknown
    /// The present value; nil if there is none.
    case known(Value?)

    /// The present value; nil if there is none, or it is unknown.
    package var value: Value? { if case .known(let value) = self { value } else { nil } }
}

/// A group of rooms, on networks that have them.
package struct WorkspaceReference: Sendable, Hashable {
    /// The network's id.
    package var key: String
    /// The present name on the network.
    package var name: String
    /// The place of the picture.
    package var picture: ListedFact<String>

    package init(key: String, name: String, picture: ListedFact<String> = .unknown) {
        (self.key, self.name, self.picture) = (key, name, picture)
    }
}

/// A user in the network's list.
package struct UserListing: Sendable, Hashable {
    package var user: UserReference
    /// The place of their picture; nil if they have none.
    package var picture: String?
    /// The network's time of a message or an event that just came with this picture; nil for a list.
    package var shownAt: Timestamp?

    package init(user: UserReference, picture: String?, shownAt: Timestamp? = nil) {
        (self.user, self.picture, self.shownAt) = (user, picture, shownAt)
    }

    /// Returns the time since which the picture counts: that of the message which showed it, unless that is more than a
    /// minute before it was received. So the message has the picture, and a wrong clock moves little.
    ///
    /// - Parameter time: The time of receipt.
    package func pictureSince(_ time: Timestamp) -> Timestamp {
        guard let shownAt else { return time }
        return max(min(shownAt, time), time.advanced(by: .seconds(-60)))
    }
}
