/// A report of a listener, on any network. The store takes events in the order in which they are appended.
package enum ChatEvent: Sendable, Hashable {
    /// A connection was made; the outcome carries the session's number.
    case sessionOpened(at: Timestamp, offset: ReceiptOffset = ReceiptOffset())
    /// From here on, the session's times of receipt differ from this machine's clocks by this offset.
    case receiptOffset(session: SessionID, ReceiptOffset)
    /// The network's clock leads ours by this much. From here on, the session's coverage is in the network's time;
    /// before the first such event, it is in ours.
    case networkClock(session: SessionID, leadMicroseconds: Int64)
    /// From `at` on, by our clock, the session hears everything said in the room, until its last sign of life.
    case roomLive(session: SessionID, room: RoomReference, at: Timestamp)
    /// From `at` on, the session no longer hears the room, though it continues: the subscription was refused or ended.
    case roomSilent(session: SessionID, room: RoomReference, at: Timestamp, reason: EndReason)
    /// The coverage of the room between two instants, by the network's clock, is withdrawn: a bouncer heard the network
    /// for us, and was not connected to it. The two instants themselves stay covered if they were.
    case unproven(UnprovenTime)
    /// The room has no coverage and no gaps: its messages can't be asked for, and can't be missed.
    case roomUncovered(RoomReference, at: Timestamp)
    /// The room's history between two instants, both included, was fetched and appended before this event. Messages
    /// that could not be stored or understood stay missing.
    ///
    /// Joins with the spans that it touches.
    case covered(session: SessionID, room: RoomReference, from: Timestamp, to: Timestamp)
    /// The history before the room's first span was fetched back to this time, and need not be asked for again.
    case askedBack(RoomReference, to: Timestamp)
    /// History could not be fetched. The gaps get a note, and so does the room until some of its history is fetched.
    case unfilled(UnfilledHistory, at: Timestamp)
    /// The room can't be joined. This ends when the room is live, or is unlisted.
    case roomTroubled(RoomReference, RoomTrouble)
    /// The bytes of one read, before they are parsed.
    case chunk(JournalChunk)
    /// Everything of the session's stream before `offset` has been parsed, and its messages come before this event.
    case parsed(session: SessionID, upTo: Int64)
    /// A message, and the way in which the listener came to know it.
    case message(IncomingMessage, Hearing = .live)
    /// A message was deleted. Its text stays, unless a retraction wipes it, and no history makes the message undeleted.
    ///
    /// A deletion without a ``MessageDeletion/Retraction`` records nothing for a message that is not stored. A listener
    /// that asks for history therefore appends the deletions that it hears meanwhile behind that history. A retraction
    /// is stored, and holds for its message or reaction whenever that comes.
    case deleted(MessageDeletion)
    /// A user reacted to a message, or took the reaction back. A reaction to a message that is not stored waits for it.
    case reaction(IncomingReaction)
    /// A name change that also changes the key by which the network knows the user.
    ///
    /// The new name begins right behind the row of kind `rename` that was appended just before, in the same batch.
    /// Without such a row, it begins at that time, or behind the messages of the user that are stored from then on.
    case userRenamed(session: SessionID, fromKey: String, to: UserReference, at: Timestamp)
    /// From here on, a room that is still heard has another name, and so another key. If another room has that key,
    /// they stay two rooms: this one is gone, and the other is heard.
    ///
    /// The new name begins right behind the room's row of kind `system` that was appended just before, in the same
    /// batch; without such a row, as for a user.
    case roomRenamed(session: SessionID, fromKey: String, to: RoomReference, at: Timestamp)
    /// A room is among the account's own, with its workspace and its partner.
    case roomListed(RoomListing, at: Timestamp)
    /// A room is no longer among the account's own, or no longer on the network. Its history stays.
    case roomUnlisted(RoomReference, isGone: Bool, at: Timestamp)
    /// A user, with their name and the place of their picture.
    case userListed(UserListing, at: Timestamp)
    /// All members of a room.
    case membersListed(RoomReference, [UserReference], at: Timestamp)
    /// An event that could not be understood. It is kept, and the room's coverage is split at its instant.
    case unreadable(UnreadableEvent)
    /// The peer was there at `at`. Comes behind the events that it vouches for.
    case signOfLife(session: SessionID, at: Timestamp)
    /// The connection ended; `at` is its last sign of life. Every live room is covered up to there.
    case sessionEnded(session: SessionID, at: Timestamp, reason: EndReason, detail: String?)
    /// Between connections: this many attempts in a row failed, and the next one is at `nextTry`. Every open gap gets a
    /// note.
    case waiting(attempts: Int, nextTry: Timestamp)
}

extension ChatEvent {
    /// The way in which a listener came to know a message.
    package enum Hearing: Sendable, Hashable {
        /// The listener heard the message as it was said.
        ///
        /// A message whose id is stored changes nothing if the stored message ever said the same. A new text becomes
        /// one more version, in the order of the versions' times.
        case live
        /// The listener heard an edit: the text is the newest version, unless the network's times show a newer one.
        ///
        /// A message that is not stored is stored with this text, so that nothing heard is lost.
        case edit
        /// The network sent the message's present state and does not report edits: a text that differs from the stored
        /// one becomes the newest version, since its receipt. A message that is not stored is stored like any other.
        ///
        /// The order matters: a listener appends what it hears behind the history that it asked for earlier. A snapshot
        /// is not a sign of life, because it may be older than what the listener heard before.
        case snapshot
        /// History or a replay repeats a message from earlier, so no user joins or leaves by it.
        ///
        /// A message with an id is merged by its id, as ``live`` is, and the stored row keeps its time. A message
        /// without an id is compared by room, the network's time, sender, kind and text, at the coarser of the two
        /// resolutions: it is known if as many such messages are stored as its occurrence in the replay says. Otherwise
        /// it is new and gets the flag ``MessageFlags/replayed``. A stored message without a network time never
        /// matches.
        case replay(Occurrence, TimeResolution)

        /// True for a message of history or a replay.
        package var isReplay: Bool { if case .replay = self { true } else { false } }
    }
}

/// A message as it came from the network.
package struct IncomingMessage: Sendable, Hashable {
    /// Nil for an imported message.
    package var session: SessionID?
    package var room: RoomReference
    package var kind: MessageKind
    /// Nil for `system`.
    package var sender: UserReference?
    /// The text, or the reason, topic or new name; nil where there is none.
    package var body: String?
    /// The network's id, else the place in its stream; nil where there is neither, so that equal lines are two
    /// messages.
    package var remoteID: String?
    /// The time that the network claims, when it gives one that can be read.
    package var sourceTime: Timestamp?
    package var receivedAt: Timestamp
    package var flags: MessageFlags
    /// The time of the last edit, as the network claims; nil for the first text, and where the network sends no such
    /// time.
    package var editedAt: Timestamp?
    /// The time of the deletion, as the network claims; nil for a message that is not deleted.
    package var deletedAt: Timestamp?
    /// The network's id of the message that this one answers; nil if it answers none.
    package var replyTo: String?
    /// The places of the message's files on the network.
    package var attachments: [String]
    /// The original bytes of the message, on a network that sends messages one by one; nil on others.
    package var raw: [UInt8]?

    package init(
        session: SessionID?, room: RoomReference, kind: MessageKind, sender: UserReference?, body: String?,
        remoteID: String? = nil, sourceTime: Timestamp? = nil, receivedAt: Timestamp, flags: MessageFlags = [],
        editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil, replyTo: String? = nil, attachments: [String] = [],
        raw: [UInt8]? = nil
    ) {
        (self.session, self.room, self.kind, self.sender, self.body) = (session, room, kind, sender, body)
        (self.remoteID, self.sourceTime, self.receivedAt, self.flags) = (remoteID, sourceTime, receivedAt, flags)
        (self.editedAt, self.deletedAt, self.replyTo) = (editedAt, deletedAt, replyTo)
        (self.attachments, self.raw) = (attachments, raw)
    }
}

/// A time in a room without proof that a bouncer heard the network for us.
package struct UnprovenTime: Sendable, Hashable {
    package var room: RoomReference
    /// The last proven instant; nil stands for the latest message before `to`, in any room, that a connection brought
    /// and another user wrote.
    package var from: Timestamp?
    /// The end of the unproven time. This instant itself stays covered if it was.
    package var to: Timestamp
    /// Keys of the rooms in which the bouncer itself speaks, which proves nothing about the network.
    package var bouncerRooms: [String]
    /// True if the bouncer's history has nothing of this time, so that it need not be asked again.
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
    /// The time of the deletion, as the network claims; nil where it sends none.
    package var sourceTime: Timestamp?
    package var receivedAt: Timestamp
    /// Nil on networks that don't say who deleted the message, and whose history has deletions.
    package var retraction: Retraction?

    /// The author and the reason of a deletion, and the fate of the text.
    package struct Retraction: Sendable, Hashable {
        package var by: UserReference?
        package var reason: String?
        /// True if no text is kept; else the message is only marked as deleted.
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
    package var remoteID: String?
    package var receivedAt: Timestamp
    /// The place in the room's history, as near as is known, of an event that history brought: it is missing there
    /// until history brings it in another shape. Nil for an event that was only heard, which history may have whole.
    package var instant: Timestamp?
    package var payload: [UInt8]
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
