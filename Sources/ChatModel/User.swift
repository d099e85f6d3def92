/// A user in an account's archive.
package struct User: Sendable, Hashable {
    /// A name with the time of its use.
    package struct Name: Sendable, Hashable {
        package var name: String
        /// The time of the first event with this name.
        package var firstSeen: Timestamp
        /// The time when another name was found; nil for the present name.
        package var lastSeen: Timestamp?

        package init(name: String, firstSeen: Timestamp, lastSeen: Timestamp?) {
            (self.name, self.firstSeen, self.lastSeen) = (name, firstSeen, lastSeen)
        }
    }

    /// A user's stay in a room, as far as it was received.
    package struct Membership: Sendable, Hashable {
        package var room: String
        /// The time of joining; nil if it is unknown, or was before the archive began.
        package var joinedAt: Timestamp?
        /// The time of leaving; nil while they are there.
        package var leftAt: Timestamp?

        package init(room: String, joinedAt: Timestamp?, leftAt: Timestamp?) {
            (self.room, self.joinedAt, self.leftAt) = (room, joinedAt, leftAt)
        }
    }

    package var account: String
    /// The user's number in the account's file.
    package var id: Int64
    /// The names in order of time; the last is the present one.
    package var names: [Name]
    /// True for the account itself.
    package var isSelf: Bool
    /// The membership in the requested room; nil if none was requested.
    package var membership: Membership?
    /// The number of messages, in the requested room or in all; nil if they were not counted.
    package var messages: Int64?
    /// Today's picture; nil if there is none.
    package var picture: Picture?
    /// The name of the bot of the bridge by which the user writes; nil for a user on the network itself.
    package var via: String?

    package init(account: String, id: Int64, names: [Name], isSelf: Bool, membership: Membership? = nil) {
        (self.account, self.id, self.names, self.isSelf, self.membership) = (account, id, names, isSelf, membership)
    }

    /// The present name; empty if none is known.
    package var name: String { names.last?.name ?? "" }
    /// The former names in order of time.
    package var earlierNames: ArraySlice<Name> { names.dropLast() }
    /// The time of the first event of the user; nil if there is none. A merge gives a person's other names a microsecond
    /// each before their first event.
    package var firstSeen: Timestamp? {
        let used = names.first { name in name.lastSeen.map { $0 > name.firstSeen.advanced(byMicroseconds: 1) } ?? true }
        return (used ?? names.first)?.firstSeen
    }
}
