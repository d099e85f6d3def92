/// An event that a listener reports, on any network. The store applies events in the order in which they are appended.
package enum ChatEvent: Sendable, Hashable {
    /// A connection was made. The outcome of storing this event has the session's number.
    case sessionOpened(at: Timestamp, offset: ReceiptOffset = ReceiptOffset())
    /// From here on, the session's times of receipt differ from this machine's clocks by this offset.
    case receiptOffset(session: SessionID, ReceiptOffset)
    /// The network's clock leads ours by this much. From here on, the session's coverage is in the network's time;
    /// before the first such event, it is in ours.
    case networkClock(session: SessionID, leadMicroseconds: Int64)
    /// From `at` on, by our clock, the session receives everything that is sent in the room, until its last sign of
    /// life.
    case roomLive(session: SessionID, room: RoomReference, at: Timestamp)
    /// From `at` on, the session no longer receives the room's messages, but continues: the subscription was refused or
    /// ended.
    case roomSilent(session: SessionID, room: RoomReference, at: Timestamp, reason: EndReason)
    /// The coverage of the room between two instants, by the network's clock, is withdrawn, because the bouncer that
    /// received the network for us was not connected to it. The two instants themselves stay covered if they were.
    case withdrawn(WithdrawnCoverage)
    /// The room has no coverage and no gaps, because no listener can fetch its messages.
    case roomUncovered(RoomReference, at: Timestamp)
    /// The room's history between two instants, both included, was fetched and appended before this event. Messages
    /// that could not be stored or understood stay missing.
    ///
    /// The store merges the time with the spans that it touches.
    case covered(session: SessionID, room: RoomReference, from: Timestamp, to: Timestamp)
    /// The history before the room's first span was fetched back to this time, and need not be fetched again.
    case fetchedBack(RoomReference, to: Timestamp)
    /// A fetch of the room's history continues at this place if it is interrupted here.
    case fetching(RoomReference, HistoryPlace)
    /// The fetch with this end is over, and its place is no longer needed.
    case fetched(RoomReference, end: Timestamp)
    /// History could not be fetched. The gaps get a note, and so does the room until some of its history is fetched.
    case unfilled(UnfilledHistory, at: Timestamp)
    /// The room can't be joined. The trouble ends when the room is live or unlisted.
    case roomTroubled(RoomReference, RoomTrouble)
    /// The bytes of one read, before they are parsed.
    case chunk(JournalChunk)
    /// The session's stream is parsed up to this offset, in bytes, which is not included. Its messages come before this
    /// event.
    case parsed(session: SessionID, upTo: Int64)
    /// A message, and the way in which the listener received it. Indirect, because a copy of all fields takes longer than
    /// one of a reference.
    indirect case message(IncomingMessage, Hearing = .live)
    /// A message was deleted. Its text stays, unless a retraction wipes it, and no history makes the message undeleted.
    ///
    /// A deletion without a ``MessageDeletion/Retraction`` records nothing for a message that is not stored. A listener
    /// that fetches history therefore appends the deletions that it receives meanwhile after that history. A retraction
    /// is stored, and applies to its message or reaction even if that comes later.
    case deleted(MessageDeletion)
    /// A user reacted to a message, or took the reaction back. A reaction may come before its message.
    case reaction(IncomingReaction)
    /// A name change that also changes the key by which the network knows the user.
    ///
    /// The new name begins directly after the message of kind `rename` that was appended just before, in the same
    /// batch. Without such a message, it begins at `at`, or after the user's stored messages from `at` on.
    case userRenamed(session: SessionID, fromKey: String, to: UserReference, at: Timestamp)
    /// From here on, a room that the session still receives has another name, and so another key. If another room has
    /// that key, both rooms stay: this one is gone, and the session receives the other.
    ///
    /// The new name begins directly after the room's message of kind `system` that was appended just before, in the
    /// same batch; without such a message, as for a user.
    case roomRenamed(session: SessionID, fromKey: String, to: RoomReference, at: Timestamp)
    /// A room belongs to the account. Has the room's workspace and its partner.
    case roomListed(RoomListing, at: Timestamp)
    /// A room no longer belongs to the account, or no longer exists on the network. Its history stays.
    case roomUnlisted(RoomReference, isGone: Bool, at: Timestamp)
    /// A user, with their name and the place of their picture.
    case userListed(UserListing, at: Timestamp)
    /// All members of a room.
    case membersListed(RoomReference, [UserReference], at: Timestamp)
    /// An event that could not be understood. It is kept, and the room's coverage is split at its instant.
    case unreadable(UnreadableEvent)
    /// The account's owner has read the room in another program, at `at`: up to the message with this id, or up to that
    /// time if it is not stored or the id is empty. The room's read marker only moves forward by this.
    case read(RoomReference, upTo: String, at: Timestamp)
    /// The network's own place in its stream of events: everything before it is in this batch or an earlier one. A later
    /// connection continues there.
    case reached(place: String)
    /// The peer was connected at `at`. Comes after all events before that time.
    case signOfLife(session: SessionID, at: Timestamp)
    /// The connection ended; `at` is its last sign of life. Every live room is covered up to there.
    case sessionEnded(session: SessionID, at: Timestamp, reason: EndReason, detail: String?)
    /// Between connections: this many attempts in a row failed, and the next one is at `nextTry`. Every open gap gets a
    /// note.
    case waiting(attempts: Int, nextTry: Timestamp)
}

extension ChatEvent {
    /// The way in which a listener received a message.
    package enum Hearing: Sendable, Hashable {
        /// The listener received the message when it was sent.
        ///
        /// A message of which only the ciphertext is stored gets its first text by every hearing but ``edit``, if the
        /// message has the flag ``MessageFlags/encrypted`` and a text.
        ///
        /// A message whose id is stored changes nothing if the stored message ever had the same text. A new text
        /// becomes one more version, in the order of the versions' times. On IRC, it becomes another message, without
        /// an id.
        case live
        /// The listener received an edit: the text is the newest version, unless the network's times show a newer one.
        ///
        /// A message that is not stored is stored with this text, so that nothing received is lost.
        case edit
        /// The network sent the message's present state and does not report edits: a text that differs from the stored
        /// one becomes the newest version, since its receipt. A message that is not stored is stored like any other.
        ///
        /// The order matters: a listener appends the messages that it receives after the history that it requested
        /// earlier. A snapshot is not a sign of life, because it may be older than the messages before it.
        case snapshot
        /// History or a replay repeats a message from earlier, so no user joins or leaves by it.
        ///
        /// A message with an id is matched by its id, as with ``live``, and the stored message keeps its time. On IRC,
        /// it is another message if both its text and its time differ; it is then compared without its id.
        ///
        /// A message without an id is compared by room, the network's time, sender, kind and text, at the coarser of the
        /// two resolutions: it is known if at least as many such messages are stored as its occurrence in the replay.
        /// Otherwise it is new, and gets the flag ``MessageFlags/replayed``. A stored message without a network time
        /// never matches.
        case replay(Occurrence, TimeResolution)
        /// The message is the topic that stands in a room which the account joined, with the person who set it; the text is
        /// empty if none stands. It is stored if it differs from the room's last known topic: at the time when it was set
        /// (`since`, in whole seconds) if nobody listened then, and else at its receipt, with the flag
        /// ``MessageFlags/standing``. No user joins by it.
        case standing(since: Timestamp?)

        /// True for a message of history or a replay.
        package var isReplay: Bool { if case .replay = self { true } else { false } }
        package var isLive: Bool { if case .live = self { true } else { false } }
        package var isEdit: Bool { if case .edit = self { true } else { false } }
        package var isSnapshot: Bool { if case .snapshot = self { true } else { false } }
    }
}

/// A time of a room without proof that a bouncer received the network for us.
package struct WithdrawnCoverage: Sendable, Hashable {
    package var room: RoomReference
    /// The last proven instant; nil stands for the latest message before `to`, in any room, that a connection brought
    /// and another user wrote.
    package var from: Timestamp?
    /// The end of the withdrawn time. This instant itself stays covered if it was.
    package var to: Timestamp
    /// The keys of the rooms in which the bouncer itself writes, which proves nothing about the network.
    package var bouncerRooms: [String]
    /// True if the bouncer's history has nothing of this time, so that it need not be fetched again.
    package var isLost: Bool

    package init(
        room: RoomReference, from: Timestamp?, to: Timestamp, bouncerRooms: [String] = [], isLost: Bool = false
    ) {
        (self.room, self.from, self.to) = (room, from, to)
        (self.bouncerRooms, self.isLost) = (bouncerRooms, isLost)
    }
}

/// The deletion of a message on its network.
package struct MessageDeletion: Sendable, Hashable {
    package var session: SessionID?
    package var room: RoomReference
    /// The message's id.
    package var remoteID: String
    /// The time of the deletion, as the network claims; nil if it sends none.
    package var sourceTime: Timestamp?
    /// The time of receipt, as in ``IncomingMessage/receivedAt``.
    package var receivedAt: Timestamp
    /// Nil on networks that don't say who deleted the message, and whose history has deletions.
    package var retraction: Retraction?

    /// The author and the reason of a deletion, and whether the text is removed.
    package struct Retraction: Sendable, Hashable {
        /// The user who deleted the message; nil if unknown.
        package var by: UserReference?
        /// The reason that this user gave; nil if there is none.
        package var reason: String?
        /// True to remove the text; false to only mark the message as deleted.
        package var wipes: Bool

        package init(by: UserReference?, reason: String?, wipes: Bool) {
            (self.by, self.reason, self.wipes) = (by, reason, wipes)
        }
    }

    package init(
        session: SessionID?, room: RoomReference, remoteID: String, sourceTime: Timestamp? = nil, receivedAt: Timestamp,
        retraction: Retraction? = nil
    ) {
        (self.session, self.room, self.remoteID) = (session, room, remoteID)
        (self.sourceTime, self.receivedAt, self.retraction) = (sourceTime, receivedAt, retraction)
    }
}

/// The bytes of one read.
package struct JournalChunk: Sendable, Hashable {
    package var session: SessionID
    /// The number of the session's bytes before this chunk.
    package var offset: Int64
    /// The time when the bytes were read, as in ``IncomingMessage/receivedAt``.
    package var receivedAt: Timestamp
    package var bytes: [UInt8]

    package init(session: SessionID, offset: Int64, receivedAt: Timestamp, bytes: [UInt8]) {
        (self.session, self.offset, self.receivedAt, self.bytes) = (session, offset, receivedAt, bytes)
    }
}

/// An event that a listener received and could not understand.
package struct UnreadableEvent: Sendable, Hashable {
    package var session: SessionID?
    /// Nil if the room is unknown: then no room's coverage can be trusted at that instant.
    package var room: RoomReference?
    /// The network's id of the event, or its place in the session's stream; nil if neither is known.
    package var remoteID: String?
    /// The time of receipt, or of the import; the believed time of a message that the store refused.
    package var receivedAt: Timestamp
    /// The approximate place of an event from history in the room's history. The event is missing there until history
    /// brings it in a readable form. Nil for a live event, which history may have in a readable form.
    package var instant: Timestamp?
    /// The bytes as the network sent them, or a description of an event that the store refused.
    package var payload: [UInt8]
    /// The reason why the event could not be understood or stored, for people.
    package var reason: String

    package init(
        session: SessionID?, room: RoomReference?, remoteID: String?, receivedAt: Timestamp, instant: Timestamp? = nil,
        payload: [UInt8], reason: String
    ) {
        (self.session, self.room, self.remoteID, self.receivedAt) = (session, room, remoteID, receivedAt)
        (self.instant, self.payload, self.reason) = (instant, payload, reason)
    }
}

/// The reason why a session ended, and so the gap after it began.
package enum EndReason: String, Sendable, Hashable, CaseIterable {
    /// The listener was stopped.
    case stopped
    /// The peer closed the connection.
    case closed
    /// The connection broke: reset, unreachable, timed out.
    case lost
    /// The peer was silent for too long.
    case silent
    /// Our process ended without ending the session.
    case crashed
    /// Our clock was set back by more than an hour.
    case clockStep = "clock_step"
    /// The peer broke a limit or the protocol beyond repair.
    case violation
    /// The store could not take events.
    case store
    /// A bouncer lost its connection to the network.
    case bouncer
    /// The account is no longer in the room.
    case left
    /// The room no longer exists on the network.
    case gone
}
