/// Where the history of a room that is missing begins.
package struct HistoryStart: Sendable, Hashable {
    /// Up to when the room is complete from its first span on, by the network's clock where that is known.
    package var completeUntil: Timestamp
    /// Of the messages up to there, the latest that has an id of the network's, else the latest; nil where there is none.
    ///
    /// - Note: Only the last ``StoredPoint/lookback`` messages are looked at, and as many comings and goings.
    package var anchor: StoredPoint?

    package init(completeUntil: Timestamp, anchor: StoredPoint?) {
        (self.completeUntil, self.anchor) = (completeUntil, anchor)
    }
}

/// A stored message, as its network can be asked for what came after it.
package struct StoredPoint: Sendable, Hashable {
    package var id: MessageID
    package var kind: MessageKind
    /// The network's.
    package var remoteID: String?
    /// As the network told it; nil where only our time of receipt is known.
    package var sourceTime: Timestamp?
    /// What the sender is called today; nil for `system`.
    package var sender: String?
    package var body: String?

    package init(
        id: MessageID, kind: MessageKind, remoteID: String?, sourceTime: Timestamp?, sender: String?, body: String?
    ) {
        (self.id, self.kind, self.remoteID) = (id, kind, remoteID)
        (self.sourceTime, self.sender, self.body) = (sourceTime, sender, body)
    }

    /// Networks give ids to what is said, and some not to joins and leaves, which may be many in a row.
    package static let lookback = 100
}
