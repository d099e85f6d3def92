/// The point where the missing history of a room begins.
package struct HistoryStart: Sendable, Hashable {
    /// The time up to which the room is complete from its first span on, by the network's clock if that is known.
    package var completeUntil: Timestamp
    /// The last messages up to that time, newest first, at most ``StoredPoint/maximumAnchors``. They serve to find the
    /// continuation in the network's history. Messages with an id of the network are preferred. Retracted messages, and
    /// joins and leaves with an id, are only chosen if there are no others, because few networks' histories have them.
    ///
    /// - Note: Chosen from the last ``StoredPoint/lookback`` messages and as many joins and leaves.
    package var anchors: [StoredPoint]
    /// The last message of any kind up to that time, joins and leaves included; nil if there is none.
    package var latest: StoredPoint?
    /// The beginning of the room's first span.
    package var archivedSince: Timestamp
    /// The time back to which the earlier history was fetched; nil if it was not, or not completely.
    package var fetchedBackTo: Timestamp?
    /// The place at which an interrupted fetch of the missing history continues; nil if none was interrupted.
    package var place: HistoryPlace?
    /// The beginning of the last gap before ``completeUntil`` that stays because the network's history began after it; nil
    /// if there is none. From the end of that gap on, the history is known not to have anything older.
    package var lastLimit: Timestamp?

    package init(
        completeUntil: Timestamp, anchors: [StoredPoint], latest: StoredPoint? = nil, archivedSince: Timestamp,
        fetchedBackTo: Timestamp? = nil
    ) {
        (self.completeUntil, self.anchors, self.latest) = (completeUntil, anchors, latest)
        (self.archivedSince, self.fetchedBackTo) = (archivedSince, fetchedBackTo)
    }
}

/// A network's own place in a room's history.
package struct HistoryPlace: Sendable, Hashable {
    /// The history before this place is still to be fetched.
    package var place: String
    /// Everything from the place up to this time is stored.
    package var end: Timestamp

    package init(place: String, end: Timestamp) {
        (self.place, self.end) = (place, end)
    }
}

/// A stored message after which the network can be asked to continue.
package struct StoredPoint: Sendable, Hashable {
    package var id: MessageID
    package var kind: MessageKind
    /// The network's id; nil if it has none.
    package var remoteID: String?
    /// The network's time; nil if only the time of receipt is known.
    package var sourceTime: Timestamp?
    /// The sender's name at that time; nil for `system`.
    package var sender: String?
    package var body: String?
    /// True if the message was retracted, so that the network may no longer have it.
    package var isDeleted: Bool

    package init(
        id: MessageID, kind: MessageKind, remoteID: String?, sourceTime: Timestamp?, sender: String?, body: String?,
        isDeleted: Bool = false
    ) {
        (self.id, self.kind, self.remoteID) = (id, kind, remoteID)
        (self.sourceTime, self.sender, self.body, self.isDeleted) = (sourceTime, sender, body, isDeleted)
    }

    /// The number of messages that are examined. Some networks give no ids to joins and leaves, of which many may
    /// follow each other.
    package static let lookback = 100
    /// The limit of anchors. More are seldom retracted while no listener runs.
    package static let maximumAnchors = 16
}
