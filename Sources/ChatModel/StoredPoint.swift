/// Where the history of a room that is missing begins.
package struct HistoryStart: Sendable, Hashable {
    /// Up to when the room is complete from its first span on, by the network's clock where that is known.
    package var completeUntil: Timestamp
    /// The last messages up to there, newest first, by one of which the network's history is known to go on from it. Those
    /// with an id of the network's, else those without; what was retracted, and comings and goings with an id, which few
    /// networks' histories have, only where there is nothing else. At most ``StoredPoint/maximumAnchors``.
    ///
    /// - Note: Only the last ``StoredPoint/lookback`` messages are looked at, and as many comings and goings.
    package var anchors: [StoredPoint]
    /// The last message of any kind up to there, comings and goings included; nil where there is none.
    package var latest: StoredPoint?
    /// Since when the room is archived: where its first span begins.
    package var archivedSince: Timestamp
    /// How far back what came before that was asked for; nil where it was not, or not to the end.
    package var askedBackTo: Timestamp?

    package init(
        completeUntil: Timestamp, anchors: [StoredPoint], latest: StoredPoint? = nil, archivedSince: Timestamp,
        askedBackTo: Timestamp? = nil
    ) {
        (self.completeUntil, self.anchors, self.latest) = (completeUntil, anchors, latest)
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
    /// The sender's name at that time; nil for `system`.
    package var sender: String?
    package var body: String?
    /// Whether the message was retracted since: the network may not have it any more.
    package var isDeleted: Bool

    package init(
        id: MessageID, kind: MessageKind, remoteID: String?, sourceTime: Timestamp?, sender: String?, body: String?,
        isDeleted: Bool = false
    ) {
        (self.id, self.kind, self.remoteID) = (id, kind, remoteID)
        (self.sourceTime, self.sender, self.body, self.isDeleted) = (sourceTime, sender, body, isDeleted)
    }

    /// Networks give ids to what is said, and some not to joins and leaves, which may be many in a row.
    package static let lookback = 100
    /// More of them are seldom retracted while nobody listens.
    package static let maximumAnchors = 16
}
