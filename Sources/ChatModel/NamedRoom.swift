/// A room with the names that people may call it by.
package struct NamedRoom: Sendable, Hashable {
    package var account: String
    package var network: String
    /// The room's number in the account's file.
    package var id: Int64
    /// The present name.
    package var name: String
    /// The former names, in any order.
    package var earlierNames: [String]
    /// The workspace's present name; nil on networks without workspaces.
    package var workspace: String?
    /// True if the archive has no message of the room.
    package var isEmpty: Bool

    package init(
        account: String, network: String, id: Int64, name: String, earlierNames: [String] = [],
        workspace: String? = nil, isEmpty: Bool = false
    ) {
        (self.account, self.network, self.id, self.name) = (account, network, id, name)
        (self.earlierNames, self.workspace, self.isEmpty) = (earlierNames, workspace, isEmpty)
    }

    /// The room as a part of a scope.
    package var key: RoomKey { RoomKey(account: account, id: id) }

    /// Returns the ways to write a name of the room: alone, after the account, after the workspace, or after both.
    package func written(_ name: String) -> [String] {
        [name, "\(account)/\(name)"] + (workspace.map { ["\($0)/\(name)", "\(account)/\($0)/\(name)"] } ?? [])
    }
}

/// A room's number, with the account in whose file it counts.
package struct RoomKey: Sendable, Hashable {
    package var account: String
    package var id: Int64

    package init(account: String, id: Int64) {
        (self.account, self.id) = (account, id)
    }
}
