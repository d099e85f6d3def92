/// Somebody as an account's archive knows them.
package struct User: Sendable, Hashable {
    package struct Name: Sendable, Hashable {
        package var name: String
        /// Of the first event under this name.
        package var firstSeen: Timestamp
        /// When they were found to have another; nil for today's name.
        package var lastSeen: Timestamp?

        package init(name: String, firstSeen: Timestamp, lastSeen: Timestamp?) {
            self.name = name
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
        }
    }

    /// Someone's being in a room, as far as it was heard.
    package struct Membership: Sendable, Hashable {
        package var room: String
        /// Nil when they were there before us, or that can't be told.
        package var joinedAt: Timestamp?
        /// Nil while they are there.
        package var leftAt: Timestamp?

        package init(room: String, joinedAt: Timestamp?, leftAt: Timestamp?) {
            self.room = room
            self.joinedAt = joinedAt
            self.leftAt = leftAt
        }
    }

    package var account: String
    /// The store's number, in one account.
    package var id: Int64
    /// In order of time; the last is today's.
    package var names: [Name]
    /// The account's own identity.
    package var isSelf: Bool
    /// In the room that was asked about; nil when none was.
    package var membership: Membership?

    package init(account: String, id: Int64, names: [Name], isSelf: Bool, membership: Membership? = nil) {
        self.account = account
        self.id = id
        self.names = names
        self.isSelf = isSelf
        self.membership = membership
    }

    /// Today's.
    package var name: String { names.last?.name ?? "" }
    package var earlierNames: ArraySlice<Name> { names.dropLast() }
    package var firstSeen: Timestamp? { names.first?.firstSeen }
}
