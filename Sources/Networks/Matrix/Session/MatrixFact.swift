/// A part of a room's state, such as its name, by the type of its events.
struct MatrixFact: Sendable, Hashable {
    var type: String
    /// The subject, such as a room of a space; empty for a fact about the room itself.
    var key: String

    /// The types of events with facts that a redaction may take away.
    static let types: Set = [
        "m.room.name", "m.room.avatar", "m.room.canonical_alias", "m.space.child", "m.space.parent",
    ]
    /// The types of those that are requested after a restart, each with an empty key.
    static let requested = ["m.room.name", "m.room.avatar", "m.room.canonical_alias"]
}
