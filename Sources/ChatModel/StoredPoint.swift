/// Where the history of a room that is missing begins.
package struct HistoryStart: Sendable, Hashable {
    /// Up to when the room is complete from its first span on, by the network's clock where that is known.
    package var completeUntil: Timestamp
    /// Of what was said up to there, the latest that has an id of the network's, else the latest; of comings and goings, which
    /// few networks' histories have, the latest with an id where nothing was said. Nil where there is none.
    ///
    /// - Note: Only the last ``StoredPoint/lookback`` messages are looked at, and as many comings and goings.
    package var anchor: StoredPoint?
    /// Since when the room is archived: where its first span begins.
    package var archivedSince: Timestamp
    /// How far back what came before that was asked for; nil where it was not, or not to the end.
    package var askedBackTo: Timestamp?

    package init(
        completeUntil: Timestamp, anchor: StoredPoint?, archivedSince: Timestamp, askedBackTo: Timestamp? = nil
    ) {
        (self.completeUntil, self.anchor) = (completeUntil, anchor)
        (self.archivedSince, self.askedBackTo) = (archivedSince, askedBackTo)
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
