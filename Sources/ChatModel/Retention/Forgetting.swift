/// A request to forget a person or a message of an account.
package struct Forgetting: Sendable, Hashable, Codable {
    package enum Subject: Sendable, Hashable, Codable {
        /// A person, by number: everything that they said, and their names.
        case user(Int64)
        case message(MessageID)
    }

    package var subject: Subject
    /// True to keep the place of each message, without its author and its text.
    package var redacts: Bool
    /// True to store nothing that the person says later either.
    package var alsoNew: Bool

    package init(_ subject: Subject, redacts: Bool, alsoNew: Bool = false) {
        (self.subject, self.redacts, self.alsoNew) = (subject, redacts, alsoNew)
    }
}

/// A place in the work of forgetting.
package enum ForgettingPlace: Sendable, Hashable, Codable {
    /// The messages and events with a later id, and the number of those so far that holds keep.
    case messages(after: Int64, held: Int64)
    /// The person's names, reactions, pictures and memberships. They stay if holds keep messages.
    case person(held: Int64)
    /// The search index, whose segments still have the words.
    case index
    /// The unused pages of the file, and its write-ahead log.
    case pages
}

/// The progress of forgetting.
package struct ForgettingProgress: Sendable, Hashable, Codable {
    /// Where the next step begins; nil at the end.
    package var next: ForgettingPlace?
    /// The number of messages that are forgotten.
    package var messages: Int64 = 0
    /// The number of joins, leaves, renames and modes that are forgotten.
    package var events: Int64 = 0
    /// The number of messages and events that holds keep.
    package var held: Int64 = 0
    /// False if the file still has unused pages that only `archive compact` removes.
    package var isClean = true

    package init(next: ForgettingPlace? = nil) { self.next = next }
}

/// The counts of the rows of a person or a message that an account would forget.
package struct ForgettingPlan: Sendable, Hashable {
    package var account: String
    package var messages: Int64
    /// The number of joins, leaves, renames and modes.
    package var events: Int64
    /// The number of messages that holds keep.
    package var held: Int64
    /// The number of joins, leaves, renames and modes that holds keep.
    package var heldEvents: Int64
    /// The names of these holds.
    package var holds: [String]
    package var files: Int64
    package var reactions: Int64
    package var first: MessageID?
    package var last: MessageID?

    package init(account: String) {
        self.account = account
        (messages, events, held, heldEvents, holds, files, reactions) = (0, 0, 0, 0, [], 0, 0)
    }

    /// True if holds keep something, with which a person's names stay.
    package var isHeld: Bool { !holds.isEmpty }
}
