/// A room as its network lists it among ours.
package struct RoomListing: Sendable, Hashable {
    /// A direct room's name is that of whom it is with.
    package var room: RoomReference
    /// Nil on networks without workspaces.
    package var workspace: WorkspaceReference?
    /// Whom a direct room is with; nil where the network does not tell, or no longer does.
    package var partner: UserReference?

    package init(room: RoomReference, workspace: WorkspaceReference? = nil, partner: UserReference? = nil) {
        self.room = room
        self.workspace = workspace
        self.partner = partner
    }
}

/// A group of rooms, on networks that have them.
package struct WorkspaceReference: Sendable, Hashable {
    /// The network's id.
    package var key: String
    /// What the network calls it now.
    package var name: String

    package init(key: String, name: String) {
        self.key = key
        self.name = name
    }
}

/// Somebody as the network lists them.
package struct UserListing: Sendable, Hashable {
    package var user: UserReference
    /// Where the network has a picture of them; nil where it has none.
    package var picture: String?

    package init(user: UserReference, picture: String?) {
        self.user = user
        self.picture = picture
    }
}
