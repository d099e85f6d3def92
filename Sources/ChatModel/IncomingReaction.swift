/// A reaction received from the network.
package struct IncomingReaction: Sendable, Hashable {
    package var session: SessionID?
    package var room: RoomReference
    /// The network's id of the message.
    package var target: String
    package var sender: UserReference
    /// An emoji, or any other text that the network allows.
    package var text: String
    /// The time that the network claims; nil if it claims none.
    package var sourceTime: Timestamp?
    /// The time of receipt, as in ``IncomingMessage/receivedAt``.
    package var receivedAt: Timestamp
    /// True if the reaction was taken back.
    package var isRemoved: Bool
    /// The network's id of the reaction itself, by which it can be retracted; nil if it has none.
    package var ownID: String?

    package init(
        session: SessionID?, room: RoomReference, target: String, sender: UserReference, text: String,
        sourceTime: Timestamp? = nil, receivedAt: Timestamp, isRemoved: Bool = false, ownID: String? = nil
    ) {
        (self.session, self.room, self.target, self.sender) = (session, room, target, sender)
        (self.text, self.sourceTime, self.receivedAt) = (text, sourceTime, receivedAt)
        (self.isRemoved, self.ownID) = (isRemoved, ownID)
    }
}
