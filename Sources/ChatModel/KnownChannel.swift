/// A channel in the archive, in any state.
package struct KnownChannel: Sendable, Hashable {
    package var room: RoomReference
    /// The former names, each with the time when its use ended.
    package var formerNames: [String: Timestamp]

    package init(room: RoomReference, formerNames: [String: Timestamp] = [:]) {
        (self.room, self.formerNames) = (room, formerNames)
    }
}
