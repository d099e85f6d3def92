/// One message with everything that its archive knows about it.
package struct MessageDetail: Sendable, Hashable {
    /// A text of the message, with the time when the message got it.
    package struct Version: Sendable, Hashable {
        package var at: Timestamp
        package var body: String?

        package init(at: Timestamp, body: String?) {
            self.at = at
            self.body = body
        }
    }

    /// The person who deleted the message, and the reason.
    package struct Retraction: Sendable, Hashable {
        /// The person's present name; nil if unknown.
        package var by: String?
        package var reason: String?

        package init(by: String?, reason: String?) {
            (self.by, self.reason) = (by, reason)
        }
    }

    /// The connection that brought the message.
    package struct Session: Sendable, Hashable {
        package var id: SessionID
        /// The beginning of the connection, as a time of receipt.
        package var startedAt: Timestamp
        /// The last time when the peer was known to be connected, as a time of receipt.
        package var lastSignOfLife: Timestamp
        /// The end; nil while it lasts.
        package var endedAt: Timestamp?
        /// An ``EndReason``; nil while it lasts.
        package var reason: String?
        /// The reason for people.
        package var detail: String?

        package init(
            id: SessionID, startedAt: Timestamp, lastSignOfLife: Timestamp, endedAt: Timestamp?, reason: String?,
            detail: String?
        ) {
            (self.id, self.startedAt, self.lastSignOfLife, self.endedAt) = (id, startedAt, lastSignOfLife, endedAt)
            (self.reason, self.detail) = (reason, detail)
        }
    }

    /// The bytes that the network sent.
    package enum Raw: Sendable, Hashable {
        /// The reason why there are none.
        package enum Absence: String, Sendable, Hashable, CaseIterable {
            /// The connection's bytes were never kept, or the message has no place in them.
            case notKept = "not_kept"
            /// The journal no longer has the bytes.
            case gone
        }

        /// The first bytes, at most ``limit``, and the number of all.
        case bytes([UInt8], length: Int64)
        case missing(Absence)

        /// 64 KiB, as much as one read brings; a message is longer only on networks without message ends.
        package static let limit = 64 * 1024
    }

    /// The completeness of the room around the message.
    package struct Coverage: Sendable, Hashable {
        /// The message's place in the room's coverage.
        package enum Place: Sendable, Hashable {
            /// Nothing is missing from one instant to another; to now if `to` is nil.
            case covered(from: Timestamp, to: Timestamp?, gapBefore: Gap?, gapAfter: Gap?)
            case inGap(Gap)
            /// Before the first time that is known to be complete.
            case notArchived
        }

        package var place: Place
        /// The beginning of the room's coverage; nil while nothing was ever known to be complete.
        package var archivedSince: Timestamp?

        package init(place: Place, archivedSince: Timestamp?) {
            self.place = place
            self.archivedSince = archivedSince
        }
    }

    /// The message, with the names of its time.
    package var message: Message
    /// The room's present name.
    package var roomNow: String
    /// The sender's present name; nil without a sender.
    package var senderNow: String?
    /// The sender's present picture; nil if there is none.
    package var pictureNow: Picture?
    /// The texts in order of time, the present one last. The first is the original, unless only an edit was received.
    package var versions: [Version]
    /// True if ``versions`` lacks earlier ones, because all together are too long for an answer.
    package var areVersionsCut: Bool
    package var raw: Raw
    /// The author and the reason of the deletion; nil if the message is not deleted, or if both are unknown.
    package var retraction: Retraction?
    /// The connection that brought the message; nil for a message of an import.
    package var session: Session?
    package var coverage: Coverage

    package init(
        message: Message, roomNow: String, senderNow: String?, versions: [Version],
        areVersionsCut: Bool = false, raw: Raw,
        retraction: Retraction? = nil, session: Session?, coverage: Coverage
    ) {
        (self.message, self.roomNow, self.senderNow, self.versions) = (message, roomNow, senderNow, versions)
        self.areVersionsCut = areVersionsCut
        (self.raw, self.retraction, self.session, self.coverage) = (raw, retraction, session, coverage)
    }
}

/// The result of looking for a message by its id, which is unique only within an account.
package enum Lookup<Found: Sendable & Hashable>: Sendable, Hashable {
    /// One account has the message.
    case found(Found)
    /// More than one account has the id.
    case several(accounts: [String])
    /// No account has the id; the nearest messages before and after it.
    case unknown(before: MessagePlace?, after: MessagePlace?)
}

package typealias MessageLookup = Lookup<MessageDetail>
package typealias ThreadLookup = Lookup<MessageThread>

/// A message's id in an account.
package struct MessagePlace: Sendable, Hashable {
    package var id: MessageID
    package var account: String

    package init(id: MessageID, account: String) {
        self.id = id
        self.account = account
    }
}
