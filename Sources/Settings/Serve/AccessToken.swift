package import ChatModel

/// A token with which a program may send requests to the server.
package struct AccessToken: Sendable, Hashable, Codable {
    package struct Room: Sendable, Hashable, Codable {
        package var account: String
        package var id: Int64
        /// The name when the token was made, for people.
        package var name: String
        /// When the account was created, in microseconds since 1970. An account that was erased and made again has
        /// other rooms.
        package var accountCreatedAt: Int64

        package init(account: String, id: Int64, name: String, accountCreatedAt: Timestamp) {
            (self.account, self.id, self.name) = (account, id, name)
            self.accountCreatedAt = accountCreatedAt.microseconds
        }
    }

    package var name: String
    /// The SHA-256 of the token, in hexadecimal. The token itself is kept nowhere.
    package var sha256: String
    /// The accounts that the token may read whole. With no account and no room, it may read everything.
    package var accounts: [String]
    package var rooms: [Room]
    /// True if the token may mark rooms as read for the owner.
    package var mayWrite: Bool
    /// True if the token has read marks of its own; nil in a token that an earlier version made.
    private var ownMarks: Bool?
    /// Microseconds since 1970; nil for a token without an end.
    package var expiresAt: Int64?
    package var createdAt: Int64

    package init(
        name: String, sha256: String, accounts: [String], rooms: [Room], mayWrite: Bool, hasOwnMarks: Bool = false,
        expiresAt: Timestamp?, createdAt: Timestamp
    ) {
        (self.name, self.sha256, self.accounts, self.rooms) = (name, sha256, accounts, rooms)
        (self.mayWrite, self.expiresAt, self.createdAt) = (mayWrite, expiresAt?.microseconds, createdAt.microseconds)
        ownMarks = hasOwnMarks
    }

    /// True if the token has read marks of its own: it is for somebody else than the owner.
    package var hasOwnMarks: Bool { ownMarks ?? (!rooms.isEmpty && !mayWrite) }

    package var access: ReadAccess {
        guard !accounts.isEmpty || !rooms.isEmpty else { return .everything }
        var parts = Dictionary(grouping: rooms, by: \.account).mapValues { ReadAccess.Part.rooms(Set($0.map(\.id))) }
        for account in accounts { parts[account] = .whole }
        let creations = rooms.filter { !accounts.contains($0.account) }.map {
            ($0.account, Timestamp(microseconds: $0.accountCreatedAt))
        }
        return ReadAccess(parts, creations: Dictionary(creations, uniquingKeysWith: { $1 }))
    }

    package func isExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now.microseconds } ?? false }
}
