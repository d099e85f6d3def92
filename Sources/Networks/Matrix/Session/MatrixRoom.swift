import ChatModel

/// One of the account's rooms, as far as it is known.
struct MatrixRoom: Sendable {
    var id: String
    /// The name that people gave it.
    var name = ListedFact<String>.unknown
    var alias: String?
    /// The ids of some members, for a room without a name.
    var heroes: [String] = []
    /// The id of the other person of a direct room.
    var partner: String?
    /// The id of the space that it is in.
    var space: String?
    /// The place of its picture.
    var picture = ListedFact<String>.unknown
    /// The id of the person who created it.
    var owner = ListedFact<String>.unknown
    /// As the archive has it; nil for a room that it does not have.
    var listing: RoomListing?
    /// True once the session has heard that the account is invited, until it joins.
    var isInvited = false
    /// True for a room that the archive has and the account is not in.
    var isOutside = false
    /// True once the session receives it.
    var isLive = false
    /// True if members can't read what was sent while they were not in the room.
    var hidesHistory = false
    /// Up to when the account's owner has read the room; nil if unknown.
    var readUntil: Timestamp?
    /// The ids of the events that give the room's present facts.
    var factEvents: [MatrixFact: String] = [:]
    /// True if ``factEvents`` has the events of all facts, and false after a restart, when the server repeats none of them.
    var hasAllFacts = false
    /// True once its members were asked for, because nothing else names the room.
    var hasAskedMembers = false

    /// True if people took its name away, and nothing else names it.
    var isNameless: Bool { name == .known(nil) && partner == nil && alias == nil && heroes.isEmpty }

    /// - Parameter nameOf: Returns a person's name by id.
    func reference(nameOf: (String) -> String) -> RoomReference {
        let made: String? =
            name.value ?? (partner.map(nameOf)) ?? alias
            ?? (heroes.isEmpty ? nil : heroes.map(nameOf).joined(separator: ", "))
        // A name that was taken away is not the room's name any longer.
        let last = name == .unknown ? listing?.room.name : nil
        return RoomReference(key: id, name: made ?? last ?? id, kind: partner == nil ? .channel : .direct)
    }
}
