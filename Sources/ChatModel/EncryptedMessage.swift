/// A stored message of which only the ciphertext is known.
package struct EncryptedMessage: Sendable, Hashable {
    package var id: MessageID
    /// The network's ids of the room and the sender.
    package var room: RoomReference
    package var sender: UserReference
    /// The network's id of the message.
    package var remoteID: String
    /// The time that the network claims.
    package var time: Timestamp
    /// The event as the network sent it.
    package var raw: [UInt8]

    package init(
        id: MessageID, room: RoomReference, sender: UserReference, remoteID: String, time: Timestamp, raw: [UInt8]
    ) {
        (self.id, self.room, self.sender) = (id, room, sender)
        (self.remoteID, self.time, self.raw) = (remoteID, time, raw)
    }
}
