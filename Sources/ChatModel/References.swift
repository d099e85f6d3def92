/// A room as its network speaks of it; the store finds or makes the row.
package struct RoomReference: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case channel, direct, server
    }

    /// Identity in the account: the network's id, else the name as the network folds it; empty for a server's one room.
    package var key: String
    /// What the network calls it now. A name that differs from the last one seen is a rename.
    package var name: String
    package var kind: Kind

    package init(key: String, name: String, kind: Kind) {
        self.key = key
        self.name = name
        self.kind = kind
    }
}

/// Whoever sent a message, as the network speaks of them.
package struct UserReference: Sendable, Hashable {
    /// Identity in the account: the network's id, else the name as the network folds it.
    package var key: String
    package var name: String
    package var isSelf: Bool

    package init(key: String, name: String, isSelf: Bool = false) {
        self.key = key
        self.name = name
        self.isSelf = isSelf
    }
}

/// The store's number for one connection to a network.
package struct SessionID: Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
