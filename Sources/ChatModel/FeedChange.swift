/// A change in an account's feed, with the present state of its subject.
///
/// Several changes of one subject have the same state, so the last one of each subject is enough for a copy.
package struct FeedChange: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A message was stored.
        case stored
        /// A message got another text, an earlier version or a reply, or was pinned or unpinned.
        case edited
        /// A message was deleted, or its texts were removed.
        case deleted
        /// A message got or lost a reaction.
        case reactions
        /// A message got a file, or its file has another state.
        case attachment
        /// A message is forgotten and gone.
        case forgotten
        /// A user or a room has another name or fact. A user with one name is known by messages.
        case names
        /// A room's coverage changed.
        case coverage
        /// The reader's position is not in the feed. The account's changes follow from the beginning.
        case reset
    }

    /// The changed thing: its id or number in the account, and its present state; nil when it is gone.
    package enum Subject: Sendable, Hashable {
        case message(MessageID, Message?)
        case user(Int64, User?)
        /// A room, with its newest gaps in order of time.
        case room(Int64, Room?, gaps: [Gap])
        /// The whole account, for a reset.
        case account
    }

    package var kind: Kind
    package var account: String
    /// The position after the change, from which a reader continues.
    package var position: FeedPosition
    package var subject: Subject

    /// The largest number of gaps of a room's state. A room may have thousands.
    package static let gaps = 10

    package init(kind: Kind, account: String, position: FeedPosition, subject: Subject) {
        (self.kind, self.account, self.position, self.subject) = (kind, account, position, subject)
    }
}

extension FeedChange {
    /// The room of the changed message or room; nil for others.
    package var room: Int64? {
        switch subject {
        case .message(_, let message): message?.roomID
        case .room(let id, _, _): id
        case .user, .account: nil
        }
    }
}
