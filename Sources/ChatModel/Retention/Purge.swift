/// A removal of messages or other things from a room, done or planned, without their content.
package struct Purge: Sendable, Hashable {
    package var account: String
    /// The room's name today; nil for raw bytes, which rules remove from the whole account.
    package var room: String?
    package var part: RetentionPart
    package var rule: RetentionRule
    /// The time of the first thing that was removed.
    package var first: Timestamp
    /// The time of the last.
    package var last: Timestamp
    package var count: Int64
    /// When the last of them was removed; nil for a plan.
    package var at: Timestamp?

    package init(
        account: String, room: String?, part: RetentionPart, rule: RetentionRule, first: Timestamp, last: Timestamp,
        count: Int64, at: Timestamp? = nil
    ) {
        (self.account, self.room, self.part, self.rule) = (account, room, part, rule)
        (self.first, self.last, self.count, self.at) = (first, last, count, at)
    }
}

/// A part of an account that no rule may remove.
package struct Hold: Sendable, Hashable, Codable {
    package var name: String
    /// The number of the held room; nil for all rooms.
    package var room: Int64?
    /// The first held instant; nil for everything before ``end``.
    package var start: Timestamp?
    /// The first instant that is not held; nil for everything from ``start`` on.
    package var end: Timestamp?
    package var reason: String?
    package var setAt: Timestamp

    package init(
        name: String, room: Int64? = nil, start: Timestamp? = nil, end: Timestamp? = nil, reason: String? = nil,
        setAt: Timestamp
    ) {
        (self.name, self.room, self.start, self.end) = (name, room, start, end)
        (self.reason, self.setAt) = (reason, setAt)
    }
}

/// A hold with the names of its account and its room.
package struct AccountHold: Sendable, Hashable {
    package var account: String
    /// The room's name today; nil for all rooms.
    package var room: String?
    package var hold: Hold

    package init(account: String, room: String?, hold: Hold) {
        (self.account, self.room, self.hold) = (account, room, hold)
    }
}

/// The progress of applying rules to an account.
package struct PurgeProgress: Sendable, Hashable, Codable {
    /// Where the next step begins; nil if nothing more is due.
    package var next: PurgePlace?
    /// The number of removed things by part.
    package var removed: [RetentionPart: Int64] = [:]

    package init(next: PurgePlace? = nil, removed: [RetentionPart: Int64] = [:]) {
        (self.next, self.removed) = (next, removed)
    }
}

/// A place in the work of applying rules: first the rooms, then the files and the raw bytes, then the space that they
/// leave.
package struct PurgePlace: Sendable, Hashable, Codable {
    package enum Stage: Sendable, Hashable, Codable {
        case room(Int64, RetentionPart)
        /// The files of messages with a later id.
        case files(after: Int64)
        /// The journal, from its beginning.
        case journal
        /// Raw bytes of single messages, after those of a message and a time.
        case raw(message: Int64, at: Int64)
        /// The search index, whose removed words still take space.
        case index
        /// The same, after it was begun to write the whole index again.
        case wholeIndex
        /// The unused pages of the file.
        case pages
    }

    package var stage: Stage
    /// The number of messages that were removed so far.
    package var removed: Int64 = 0

    package init(_ stage: Stage, removed: Int64 = 0) { (self.stage, self.removed) = (stage, removed) }
}
