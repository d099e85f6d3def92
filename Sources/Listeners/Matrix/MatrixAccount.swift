import MatrixWire

/// What a session needs to know about its account.
struct MatrixAccount: Sendable {
    /// Such as `@alice:example.org`.
    var id: String
    /// The ids of the rooms that it is in.
    var joinedRooms: Set<String>
    var data: [MatrixAccountData]
}
