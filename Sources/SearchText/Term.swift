/// One condition of a query, which a message fulfils or not.
package enum Term: Sendable, Hashable {
    /// A word as it was written; it may have several parts (`foo-bar`), which must follow each other.
    case word(String)
    /// The text between quotes; its parts must follow each other.
    case phrase(String)
    /// A phrase whose letters count as they are written: case, accents and all else that a search ignores.
    case exact(String)
    /// A word without its `*`: its last part may continue.
    case prefix(String)
    /// A word without its `*` at both ends: its first part may begin earlier, and its last part may continue.
    case infix(String)
    /// A word without the `*` before it: its first part may begin earlier.
    case suffix(String)
    /// The name of a sender, current or former.
    case from(String)
    /// The beginning of a sender's name, current or former.
    case fromPrefix(String)
    /// The name of a room.
    case room(String)
    case has(Has)
    case `is`(State)
    /// The part of the query in parentheses.
    case group(TermGroup)

    /// The contents for `has:`.
    package enum Has: String, Sendable, Hashable, CaseIterable {
        case link
        /// A file of any kind.
        case file
        case image, video, audio
        /// A reaction that stands.
        case reaction

        /// Reads a value of `has:`, in upper or lower case. `sound` is Discord's word for audio.
        init?(written value: String) {
            self.init(rawValue: value.lowercased() == "sound" ? "audio" : value.lowercased())
        }
    }

    /// The states for `is:`.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case edited, deleted
        /// The message answers another.
        case reply
        case pinned
        /// The message set or removed a topic.
        case topic
    }

    /// The text to find in the body; nil for a condition on the message itself.
    package var text: String? {
        switch self {
        case .word(let text), .phrase(let text), .exact(let text), .prefix(let text), .infix(let text),
            .suffix(let text):
            text
        case .from, .fromPrefix, .room, .has, .is, .group: nil
        }
    }
}
