/// A room in the network's list of the account's rooms.
package struct RoomListing: Sendable, Hashable {
    /// The room; a direct room has its partner's name.
    package var room: RoomReference
    /// The workspace; nil on networks without workspaces.
    package var workspace: WorkspaceReference?
    /// The other person of a direct room; nil if the network doesn't name one, or no longer does.
    package var partner: UserReference?

    package init(room: RoomReference, workspace: WorkspaceReference? = nil, partner: UserReference? = nil) {
        (self.room, self.workspace, self.partner) = (room, workspace, partner)
    }
}

/// A group of rooms, on networks that have them.
package struct WorkspaceReference: Sendable, Hashable {
    /// The network's id.
    package var key: String
    /// The present name on the network.
    package var name: String

    package init(key: String, name: String) {
        self.key = key
        self.name = name
    }
}

/// A user in the network's list.
package struct UserListing: Sendable, Hashable {
    package var user: UserReference
    /// The place of their picture; nil if they have none.
    package var picture: String?

    package init(user: UserReference, picture: String?) {
        self.user = user
        self.picture = picture
    }
}
