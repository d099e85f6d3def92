/// What a listener reports, whatever the network. The store takes events in the order in which they are appended.
package enum ChatEvent: Sendable, Hashable {
    /// A connection was made; the outcome carries its number.
    case sessionOpened(at: Timestamp, offset: ReceiptOffset = ReceiptOffset())
    /// Times of receipt of this session differ from this machine's clocks by this from here on.
    case receiptOffset(session: SessionID, ReceiptOffset)
    /// The network's clock is that far ahead of ours. What is covered is told by it from here on; until it is told first, by
    /// ours.
    case clockTold(session: SessionID, leadMicroseconds: Int64)
    /// From `at` on, by our clock, everything said in the room is heard, until the session's last sign of life.
    case roomLive(session: SessionID, room: RoomReference, at: Timestamp)
    /// From `at` on the room is no longer heard, though the session goes on: its subscription was refused or ended.
    case roomSilent(session: SessionID, room: RoomReference, at: Timestamp, reason: EndReason)
    /// Nothing vouches for the room between two instants, by the network's clock, whatever was claimed of that time: a bouncer
    /// heard the network for us, and was not connected to it. Both instants stay claimed where they were.
    case unproven(UnprovenTime)
    /// Nothing is claimed of the room: what is said in it can be neither asked for nor missed, so that it has no gaps.
    case roomUncovered(RoomReference, at: Timestamp)
    /// The room's history between two instants, both included, was fetched and appended before this event. Messages that could
    /// not be stored or understood stay missing.
    ///
    /// Joins with the spans that it touches.
    case covered(session: SessionID, room: RoomReference, from: Timestamp, to: Timestamp)
    /// What the network has of the room before its first span was fetched as far back as that, and need not be asked for again.
    case askedBack(RoomReference, to: Timestamp)
    /// History did not come. It is noted on the gaps, and on the room until some of its history is fetched.
    case unfilled(UnfilledHistory, at: Timestamp)
    /// The room can't be joined. It is over when the room is live, or not among ours any more.
    case roomTroubled(RoomReference, RoomTrouble)
    /// What a read brought, before it is understood.
    case chunk(JournalChunk)
    /// Everything of the session's stream before `offset` has been parsed, and its messages come before this event.
    case parsed(session: SessionID, upTo: Int64)
    /// A message, and the way in which the listener came to know it.
    case message(IncomingMessage, Hearing = .live)
    /// A message was deleted. Its text is kept, unless it is told to be wiped, and it stays deleted whatever history brings.
    ///
    /// Of a message that is not stored nothing is recorded, where no ``MessageDeletion/Retraction`` comes with it: there is no
    /// text that could be taken for one that stands. So a listener that asks for history appends what it hears meanwhile behind
    /// the history that it got. A retraction is kept, and holds for what it retracts whenever that comes; also for a reaction.
    case deleted(MessageDeletion)
    /// Somebody reacted to a message, or took that back. One to a message that is not stored is kept until that is.
    case reaction(IncomingReaction)
    /// A name change that also changes the key by which the network knows the user.
    ///
    /// The new name begins right behind the row of kind `rename` that was appended just before this, in the same batch; where
    /// there is none, at that time, or behind what is stored of the user from then on.
    case userRenamed(session: SessionID, fromKey: String, to: UserReference, at: Timestamp)
    /// A room has another name and so another key from here on, and is heard on. Where another room has that key, the two stay
    /// two: this one is gone, and the other is heard.
    ///
    /// The new name begins right behind the room's row of kind `system` that was appended just before this, in the same batch;
    /// where there is none, as for a user.
    case roomRenamed(session: SessionID, fromKey: String, to: RoomReference, at: Timestamp)
    /// A room is among ours, in that workspace, with that partner.
    case roomListed(RoomListing, at: Timestamp)
    /// A room is not among ours any more, or the network has it no more. Its history stays.
    case roomUnlisted(RoomReference, isGone: Bool, at: Timestamp)
    /// Who somebody is, and where their picture is.
    case userListed(UserListing, at: Timestamp)
    /// Who is in a room: all of them, and nobody else.
    case membersListed(RoomReference, [UserReference], at: Timestamp)
    /// Something that could not be understood; it is kept, and the room's coverage is split at its instant.
    case unreadable(UnreadableEvent)
    /// The peer was there at `at`. Goes through the queue behind what it vouches for.
    case signOfLife(session: SessionID, at: Timestamp)
    /// The connection is over; `at` is its last sign of life. Every room that was live is covered up to there.
    case sessionEnded(session: SessionID, at: Timestamp, reason: EndReason, detail: String?)
    /// Between connections: so many attempts in a row have failed, and the next is at `nextTry`. Noted on every open gap.
    case waiting(attempts: Int, nextTry: Timestamp)
}

extension ChatEvent {
    /// The way in which a listener came to know a message.
    package enum Hearing: Sendable, Hashable {
        /// The listener heard the message as it was said.
        ///
        /// A message whose id is stored changes nothing if the stored message ever said the same. A new text becomes one more
        /// version, in the order of the versions' times.
        case live
        /// The listener heard an edit: the text is the newest version, unless the network's times show a newer one.
        ///
        /// A message that is not stored is stored with this text, so that nothing heard is lost.
        case edit
        /// The network sent the message's present state and does not report edits: a text that differs from the stored one
        /// becomes the newest version, since its receipt. A message that is not stored is stored like any other.
        ///
        /// The order matters: a listener appends what it hears behind the history that it asked for earlier. A snapshot is not a
        /// sign of life, because it may be older than what the listener heard before.
        case snapshot
        /// History or a replay repeats a message that was said earlier, so nobody joins or leaves by it.
        ///
        /// A message with an id is merged by its id, as ``live`` is, and the stored row keeps its time. A message without an id
        /// is compared by room, the network's time, sender, kind and text, at the coarser of the two resolutions: it is known if
        /// as many such messages are stored as its occurrence in the replay says. Otherwise it is new and gets the flag
        /// ``MessageFlags/replayed``. A stored message without a network time never matches.
        case replay(Occurrence, TimeResolution)

        package var isReplay: Bool { if case .replay = self { true } else { false } }
    }
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
    /// Since when it says this, as the network claims; nil for what it said at first, and where the network tells no time.
    package var editedAt: Timestamp?
    /// As the network claims; nil for what is not deleted.
    package var deletedAt: Timestamp?
    /// The network's id of the message that it answers; nil where it answers none.
    package var replyTo: String?
    /// Where the network has files that came with it.
    package var attachments: [String]
    /// What the network sent of it, where it sends each message by itself.
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

/// A time of a room that no connection to its network vouches for.
package struct UnprovenTime: Sendable, Hashable {
    package var room: RoomReference
    /// The last instant that is proven; nil is the latest message before `to` that a connection brought of any room and that
    /// somebody else said.
    package var from: Timestamp?
    package var to: Timestamp
    /// Keys of the rooms in which the bouncer itself speaks, which proves nothing of the network.
    package var bouncerRooms: [String]
    /// The bouncer's history was asked for and shows that it has nothing of this time, so that it need not be asked again.
    package var isLost: Bool

    package init(
        room: RoomReference, from: Timestamp?, to: Timestamp, bouncerRooms: [String] = [], isLost: Bool = false
    ) {
        (self.room, self.from, self.to) = (room, from, to)
        (self.bouncerRooms, self.isLost) = (bouncerRooms, isLost)
    }
}

/// That a message is gone from its network.
package struct MessageDeletion: Sendable, Hashable {
    package var session: SessionID?
    package var room: RoomReference
    /// The message's.
    package var remoteID: String
    /// When it was deleted, as the network claims; nil where it does not say.
    package var sourceTime: Timestamp?
    package var receivedAt: Timestamp
    /// Nil on networks that don't tell by whom, and whose history tells of deletions itself.
    package var retraction: Retraction?

    /// By whom and why, and what becomes of what was said.
    package struct Retraction: Sendable, Hashable {
        package var by: UserReference?
        package var reason: String?
        /// No text of it is kept; else it is marked as deleted.
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
    /// How many bytes of the session came before.
    package var offset: Int64
    package var receivedAt: Timestamp
    package var bytes: [UInt8]

    package init(session: SessionID, offset: Int64, receivedAt: Timestamp, bytes: [UInt8]) {
        (self.session, self.offset, self.receivedAt, self.bytes) = (session, offset, receivedAt, bytes)
    }
}

/// What a listener received and could not understand.
package struct UnreadableEvent: Sendable, Hashable {
    package var session: SessionID?
    /// Nil when it can't be told which room it belongs to: then no room's coverage can be trusted at that instant.
    package var room: RoomReference?
    package var remoteID: String?
    package var receivedAt: Timestamp
    /// Where it belongs in the room's history, as near as can be told, for what is a part of that: it is missing there until
    /// history brings it in another shape. Nil for what was only heard, which history may have whole.
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
    /// A bouncer lost its connection to the network.
    case bouncer
    /// The account is not in the room any more.
    case left
    /// The network has the room no more.
    case gone
}
