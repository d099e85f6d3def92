/// A place in the work of erasing a room.
package struct ErasingPlace: Sendable, Hashable, Codable {
    package enum Stage: Sendable, Hashable, Codable {
        /// The messages; with `noise` the joins, leaves, renames and modes, which come after the others.
        case messages(noise: Bool)
        /// The journal of a network that has one room.
        case journal
        /// The people of the room with a higher number.
        case people(after: Int64)
        /// People without anything else but perhaps messages in other rooms, which are looked for after an id.
        case unknown([Int64], after: Int64)
        /// Members, coverage, and everything else of the room.
        case facts
        /// The search index, whose segments still have the words.
        case index
        /// The unused pages of the file, and its write-ahead log.
        case pages
    }

    package var stage: Stage
    /// The id of the last message to erase, in microseconds since 1970.
    package var through: Int64

    /// True if the room is gone, and only its traces are left.
    package var isGone: Bool { [.index, .pages].contains(stage) }

    package init(_ stage: Stage, through: Int64) { (self.stage, self.through) = (stage, through) }
}

/// The progress of erasing a room.
package struct ErasingProgress: Sendable, Hashable, Codable {
    /// Where the next step begins; nil at the end.
    package var next: ErasingPlace?
    /// The number of messages that were erased.
    package var messages: Int64 = 0
    /// False if the file still has unused pages that only `archive compact` removes.
    package var isClean = true

    package init(next: ErasingPlace? = nil) { self.next = next }
}

/// The things that erasing a room would remove.
package struct ErasingPlan: Sendable, Hashable {
    package var account: String
    package var room: Int64
    package var name: String
    /// The number of messages, joins and the like included.
    package var messages: Int64
    package var first: MessageID?
    package var last: MessageID?
    /// The number of files that messages of other rooms do not have.
    package var files: Int64
    /// The names of the holds that keep the room.
    package var holds: [String]

    package init(
        account: String, room: Int64, name: String, messages: Int64, first: MessageID?, last: MessageID?,
        files: Int64 = 0, holds: [String] = []
    ) {
        (self.account, self.room, self.name, self.messages) = (account, room, name, messages)
        (self.first, self.last, self.files, self.holds) = (first, last, files, holds)
    }
}
