/// A room, as its network identifies it. The store finds or creates its row.
package struct RoomReference: Sendable, Hashable {
    /// The kind of a room: a channel, a group of a program that has groups, a conversation of two, or the messages of
    /// the server itself.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case channel, group, direct, server
    }

    /// The identity in the account: the network's id, or else the folded name; empty for a server's one room.
    package var key: String
    /// The present name on the network. A name that differs from the last one is a rename.
    package var name: String
    package var kind: Kind

    package init(key: String, name: String, kind: Kind) {
        (self.key, self.name, self.kind) = (key, name, kind)
    }
}

/// A user, as the network identifies them.
package struct UserReference: Sendable, Hashable {
    /// The identity in the account: the network's id, or else the folded name.
    package var key: String
    /// The present name on the network.
    package var name: String
    /// True for the account itself.
    package var isSelf: Bool

    package init(key: String, name: String, isSelf: Bool = false) {
        (self.key, self.name, self.isSelf) = (key, name, isSelf)
    }
}

/// The number of a connection in the account's file.
package struct SessionID: Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
