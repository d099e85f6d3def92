/// What a listener reports, whatever the network. The store takes events in the order in which they are appended.
package enum ChatEvent: Sendable, Hashable {
    /// A connection was made; the outcome carries its number.
    case sessionOpened(at: Timestamp)
    /// From `at` on everything said in the room is heard, until the session's last sign of life.
    case roomLive(session: SessionID, room: RoomReference, at: Timestamp)
    /// What a read brought, before it is understood.
    case chunk(JournalChunk)
    /// Everything of the session's stream before `offset` has been parsed, and its messages come before this event.
    case parsed(session: SessionID, upTo: Int64)
    case message(IncomingMessage)
    /// A name change that also changes the key by which the network knows the user.
    case userRenamed(session: SessionID, fromKey: String, to: UserReference, at: Timestamp)
    /// Something that could not be understood; it is kept, and the room's coverage is split at its instant.
    case unreadable(UnreadableEvent)
    /// The peer was there at `at`. Goes through the queue behind what it vouches for.
    case signOfLife(session: SessionID, at: Timestamp)
    /// The connection is over; `at` is its last sign of life. Every room that was live is covered up to there.
    case sessionEnded(session: SessionID, at: Timestamp, reason: EndReason, detail: String?)
    /// Between connections: so many attempts in a row have failed, and the next is at `nextTry`. Noted on every open gap.
    case waiting(attempts: Int, nextTry: Timestamp)
}

/// A message as it came from the network.
package struct IncomingMessage: Sendable, Hashable {
    /// Nil for what no connection brought: it was imported.
    package var session: SessionID?
    package var room: RoomReference
    package var kind: MessageKind
    /// Nil for `system`.
    package var sender: UserReference?
    /// The text, or the reason, topic or new name; nil where there is none.
    package var body: String?
    /// The network's id, else the place in its stream; nil when it has neither and equal lines are two messages.
    package var remoteID: String?
    /// The time that the network claims, when it gives one that can be read.
    package var sourceTime: Timestamp?
    package var receivedAt: Timestamp
    package var flags: MessageFlags

    package init(
        session: SessionID?, room: RoomReference, kind: MessageKind, sender: UserReference?, body: String?,
        remoteID: String? = nil, sourceTime: Timestamp? = nil, receivedAt: Timestamp, flags: MessageFlags = []
    ) {
        self.session = session
        self.room = room
        self.kind = kind
        self.sender = sender
        self.body = body
        self.remoteID = remoteID
        self.sourceTime = sourceTime
        self.receivedAt = receivedAt
        self.flags = flags
    }
}

/// The bytes of one read.
package struct JournalChunk: Sendable, Hashable {
    package var session: SessionID
    /// How many bytes of the session came before.
    package var offset: Int64
    package var receivedAt: Timestamp
    package var bytes: [UInt8]

    package init(session: SessionID, offset: Int64, receivedAt: Timestamp, bytes: [UInt8]) {
        self.session = session
        self.offset = offset
        self.receivedAt = receivedAt
        self.bytes = bytes
    }
}

/// What a listener received and could not understand.
package struct UnreadableEvent: Sendable, Hashable {
    package var session: SessionID?
    /// Nil when it can't be told which room it belongs to: then no room's coverage can be trusted at that instant.
    package var room: RoomReference?
    package var remoteID: String?
    package var receivedAt: Timestamp
    package var payload: [UInt8]
    package var reason: String

    package init(
        session: SessionID?, room: RoomReference?, remoteID: String?, receivedAt: Timestamp, payload: [UInt8],
        reason: String
    ) {
        self.session = session
        self.room = room
        self.remoteID = remoteID
        self.receivedAt = receivedAt
        self.payload = payload
        self.reason = reason
    }
}

/// Why a session ended, and so why the gap after it began.
package enum EndReason: String, Sendable, Hashable, CaseIterable {
    /// We were told to stop.
    case stopped
    /// The peer closed the connection.
    case closed
    /// The connection broke: reset, unreachable, timed out.
    case lost
    /// Nothing was heard of the peer for too long.
    case silent
    /// Our process ended without saying so.
    case crashed
    /// Our clock was set back by more than an hour.
    case clockStep = "clock_step"
    /// The peer broke a limit or the protocol beyond repair.
    case violation
    /// The store could not take what was heard.
    case store
}
