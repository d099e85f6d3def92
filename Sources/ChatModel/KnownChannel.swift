/// A channel that the archive has.
package struct KnownChannel: Sendable, Hashable {
    package var room: RoomReference
    /// Names that it had before, each with when it was over.
    package var formerNames: [String: Timestamp]

    package init(room: RoomReference, formerNames: [String: Timestamp] = [:]) {
        (self.room, self.formerNames) = (room, formerNames)
    }
}
