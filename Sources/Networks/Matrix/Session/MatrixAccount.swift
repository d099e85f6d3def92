import MatrixWire

/// The facts about an account that a session needs.
struct MatrixAccount: Sendable {
    /// Such as `@alice:example.org`.
    var id: String
    /// The ids of the rooms that it is in.
    var joinedRooms: Set<String>
    var data: [MatrixAccountData]
}
