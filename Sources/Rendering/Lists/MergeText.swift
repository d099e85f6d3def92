package import ChatModel

/// A merge that was done or begun, or that is possible because both have one name or both are the account's own person.
package struct ListedMerge: Sendable {
    package enum State: String, Sendable {
        case done
        /// Interrupted; the same command continues it.
        case unfinished
        /// Done, and can't be undone any more.
        case final
        case possible
    }

    package var kind: Merging.Kind
    package var from: (id: Int64, name: String)
    package var into: (id: Int64, name: String)
    package var state: State
    /// Nil for a merge that is possible.
    package var at: Timestamp?

    package init(_ merge: Merge) {
        (kind, at) = (merge.kind, merge.at)
        (from, into) = ((merge.from, merge.fromName), (merge.into, merge.intoName))
        state = !merge.isDone ? .unfinished : merge.canBeUndone ? .done : .final
    }

    private init(possible kind: Merging.Kind, _ from: (id: Int64, name: String), into: (id: Int64, name: String)) {
        (self.kind, self.from, self.into, state) = (kind, from, into, .possible)
    }

    /// Returns the possible merges of people who are all the account's own person, into the last of them.
    package static func all(own users: [User]) -> [ListedMerge] {
        guard let last = users.last else { return [] }
        return users.dropLast().map {
            ListedMerge(possible: .people, ($0.id, $0.name), into: (last.id, last.name))
        }
    }

    /// Returns true for a merge of the same person or room.
    package func takes(sameAs other: ListedMerge) -> Bool { kind == other.kind && from.id == other.from.id }

    /// Returns the possible merges of namesakes into the last of them.
    package static func all(_ namesakes: Namesakes) -> [ListedMerge] {
        guard let last = namesakes.ids.last else { return [] }
        return namesakes.ids.dropLast().map {
            ListedMerge(possible: namesakes.kind, ($0, namesakes.name), into: (last, namesakes.name))
        }
    }
}

extension ListedMerge {
    /// The keys of `scrollback archive merge`.
    package static func listing(of account: String) -> Listing<ListedMerge> {
        Listing(
            name: "merges", columns: [],
            keys: ["account", "kind", "from", "from_name", "into", "into_name", "state", "at"],
            json: { merge in
                .object([
                    "account": .string(account), "kind": .string(merge.kind == .people ? "user" : "room"),
                    "from": .number(merge.from.id), "from_name": .string(merge.from.name),
                    "into": .number(merge.into.id), "into_name": .string(merge.into.name),
                    "state": .string(merge.state.rawValue), "at": JSONValue(merge.at),
                ])
            })
    }
}

/// A merge in words.
package enum MergeText {
    /// Returns a line such as `alice_ (id:3) is merged into alice (id:1), 2026-11-29 10:00`.
    package static func line(_ merge: Merge, zone: Zone) -> String {
        let local = LocalTime(zone: zone)
        let state =
            !merge.isDone ? "; not finished, repeat the command" : merge.canBeUndone ? "" : "; can't be undone any more"
        return "\(Sanitizer.line(merge.fromName)) (id:\(merge.from)) is merged into "
            + "\(Sanitizer.line(merge.intoName)) (id:\(merge.into)), \(local.day(merge.at))\(state)"
    }
}
