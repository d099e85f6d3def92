/// A request to merge a person or a room of an account into another, or to undo that.
package struct Merging: Sendable, Hashable, Codable {
    /// The values are those of `merge.what`.
    package enum Kind: Int64, Sendable, Hashable, Codable {
        case people = 0
        case rooms = 1
    }

    package var kind: Kind
    /// The number of the person or room whose messages the other one gets.
    package var from: Int64
    package var into: Int64
    /// True to undo the merge.
    package var undoes: Bool

    package init(_ kind: Kind, from: Int64, into: Int64, undoes: Bool = false) {
        (self.kind, self.from, self.into, self.undoes) = (kind, from, into, undoes)
    }
}

/// A place in the work of a merge.
package enum MergingPlace: Sendable, Hashable, Codable {
    /// The messages with a later id. Rooms have their joins, leaves, renames and modes last.
    case messages(after: Int64, noise: Bool)
    /// The names, members, coverage and everything else that has few rows.
    case facts
}

/// The progress of a merge.
package struct MergingProgress: Sendable, Hashable, Codable {
    /// Where the next step begins; nil at the end.
    package var next: MergingPlace?
    /// The number of messages that this step moved.
    package var messages: Int64 = 0
    /// The number of messages that stay in a room that was merged, because the other room has messages with their ids.
    package var left: Int64 = 0

    package init(next: MergingPlace?) { self.next = next }
}

/// A merge of an account, done or begun.
package struct Merge: Sendable, Hashable {
    package var kind: Merging.Kind
    package var from: Int64
    package var into: Int64
    /// The name of the merged one, which was its last.
    package var fromName: String
    package var intoName: String
    package var at: Timestamp
    /// False if the work was interrupted; the same command continues it.
    package var isDone: Bool
    /// False after a later merge of or into the one that stays, and after `archive compact` or forgetting has removed what
    /// undoing needs.
    package var canBeUndone: Bool

    package init(
        kind: Merging.Kind, from: Int64, into: Int64, fromName: String, intoName: String, at: Timestamp, isDone: Bool,
        canBeUndone: Bool
    ) {
        (self.kind, self.from, self.into, self.fromName, self.intoName) = (kind, from, into, fromName, intoName)
        (self.at, self.isDone, self.canBeUndone) = (at, isDone, canBeUndone)
    }
}

/// People or rooms of an IRC account that have one name but several keys, because the server changed its rules about
/// upper and lower case (`CASEMAPPING`) between two connections.
package struct Namesakes: Sendable, Hashable, Codable {
    package var kind: Merging.Kind
    package var name: String
    /// Their numbers; of rooms, the one that was heard of last is the last.
    package var ids: [Int64]

    package init(kind: Merging.Kind, name: String, ids: [Int64]) {
        (self.kind, self.name, self.ids) = (kind, name, ids)
    }

    /// Returns what an account has of them, for people.
    package func sentence(account: String) -> String {
        "\(name) is \(ids.count) \(kind == .people ? "people" : "rooms") since the server changed CASEMAPPING; "
            + "scrollback archive merge \(account) says how to make them one"
    }
}
