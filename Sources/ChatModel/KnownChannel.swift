/// A channel that the archive has.
package struct KnownChannel: Sendable, Hashable {
    package var room: RoomReference
    /// Names that it had before, each with when it was over.
    package var formerNames: [String: Timestamp]
    /// It was heard or could not be joined, and is neither left nor gone.
    package var isOurs: Bool

    package init(room: RoomReference, formerNames: [String: Timestamp] = [:], isOurs: Bool = true) {
        (self.room, self.formerNames, self.isOurs) = (room, formerNames, isOurs)
    }
}
