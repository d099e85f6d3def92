import ChatModel

/// One of the account's rooms, as far as it is known.
struct MatrixRoom: Sendable {
    var id: String
    /// The name that people gave it; nil if they gave none.
    var name: String?
    var alias: String?
    /// The names of some members, for a room without a name.
    var heroes: [String] = []
    /// The id of the other person of a direct room.
    var partner: String?
    /// The name under which the archive has it.
    var storedName: String?
    /// True once the session receives it.
    var isLive = false

    /// - Parameter nameOf: Returns a person's name by id.
    func reference(nameOf: (String) -> String) -> RoomReference {
        let made: String? =
            name ?? (partner.map(nameOf)) ?? alias
            ?? (heroes.isEmpty ? nil : heroes.map(nameOf).joined(separator: ", "))
        return RoomReference(key: id, name: made ?? storedName ?? id, kind: partner == nil ? .channel : .direct)
    }
}

/// The names of people by their ids, as memberships give them.
struct MatrixNames: Sendable {
    private var names: [String: String] = [:]
    /// The limit of names, at some 100 bytes each. Beyond it, all are forgotten: a sync repeats those that it needs.
    private static let limit = 50_000

    subscript(_ id: String) -> String { names[id] ?? id }

    mutating func note(_ id: String, _ name: String?) {
        if names.count >= Self.limit { names = [:] }
        names[id] = name
    }
}
