import ChatModel

/// Takes facts away whose events people removed.
extension MatrixRooms {
    /// The limit of facts of a room, which spaces with many rooms exceed.
    private static let maximumFacts = 1000

    /// Notes the event that gives a fact at present.
    mutating func note(_ fact: MatrixFact, of room: String, from event: String) {
        guard MatrixFact.types.contains(fact.type) else { return }
        change(room) { room in
            guard room.factEvents[fact] != nil || room.factEvents.count < Self.maximumFacts else { return }
            room.factEvents[fact] = event
        }
    }

    /// Takes away a fact. What it was before that does not come back.
    ///
    /// - Returns: The events for the archive.
    mutating func clear(_ fact: MatrixFact, of room: String, me: String, at: Timestamp) -> [ChatEvent] {
        switch fact.type {
        case "m.room.name": rename(room, nil)
        case "m.room.avatar": setPicture(of: room, nil)
        case "m.room.canonical_alias": change(room) { $0.alias = nil }
        case "m.space.child": place(fact.key, in: room, isIn: false, isOwnWord: false)
        case "m.space.parent": place(room, in: fact.key, isIn: false, isOwnWord: true)
        case "m.room.member":
            people.note(fact.key, name: nil)
            guard people.note(fact.key, picture: nil) else { return [] }
            let user = UserReference(key: fact.key, name: fact.key, isSelf: fact.key == me)
            return [.userListed(UserListing(user: user, picture: nil, shownAt: at), at: at)]
        default: break
        }
        return []
    }

    /// Takes away the facts that removed events gave.
    ///
    /// - Parameter events: The ids of the removed events.
    /// - Returns: True if the room's facts are unknown, so that the server must be asked for them.
    mutating func clear(factsOf events: Set<String>, in room: String, me: String, at: Timestamp) -> Bool {
        guard let known = self[room], !events.isEmpty else { return false }
        for (fact, event) in known.factEvents where events.contains(event) {
            // A redacted membership is repeated with the person's next message.
            _ = clear(fact, of: room, me: me, at: at)
            change(room) { $0.factEvents[fact] = nil }
        }
        return !known.hasAllFacts
    }
}
