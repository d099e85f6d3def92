/// One thing that a message can match or not.
package enum Term: Sendable, Hashable {
    /// As it was written; it may have several parts (`foo-bar`), which then stand one after the other.
    case word(String)
    case phrase(String)
    /// A word without its `*`: the last part may go on.
    case prefix(String)
    /// A sender's name.
    case from(String)
    case room(String)
    case has(Has)
    case `is`(State)

    package enum Has: String, Sendable, Hashable, CaseIterable {
        case link, file
    }

    package enum State: String, Sendable, Hashable, CaseIterable {
        case edited, deleted
    }

    /// What is looked for in the body; nil for what is asked of the message itself.
    package var text: String? {
        switch self {
        case .word(let text), .phrase(let text), .prefix(let text): text
        case .from, .room, .has, .is: nil
        }
    }
}
