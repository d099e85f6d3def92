/// One message with everything that its archive knows of it.
package struct MessageDetail: Sendable, Hashable {
    /// What it said from an instant on.
    package struct Version: Sendable, Hashable {
        package var at: Timestamp
        package var body: String?

        package init(at: Timestamp, body: String?) {
            self.at = at
            self.body = body
        }
    }

    /// By whom and why it was deleted.
    package struct Retraction: Sendable, Hashable {
        /// As they are called today.
        package var by: String?
        package var reason: String?

        package init(by: String?, reason: String?) {
            (self.by, self.reason) = (by, reason)
        }
    }

    /// The connection that brought it.
    package struct Session: Sendable, Hashable {
        package var id: SessionID
        package var startedAt: Timestamp
        package var lastSignOfLife: Timestamp
        /// Nil while it lasts.
        package var endedAt: Timestamp?
        /// An ``EndReason``.
        package var reason: String?
        /// The same for people.
        package var detail: String?

        package init(
            id: SessionID, startedAt: Timestamp, lastSignOfLife: Timestamp, endedAt: Timestamp?, reason: String?,
            detail: String?
        ) {
            self.id = id
            self.startedAt = startedAt
            self.lastSignOfLife = lastSignOfLife
            self.endedAt = endedAt
            self.reason = reason
            self.detail = detail
        }
    }

    /// What the network sent.
    package enum Raw: Sendable, Hashable {
        package enum Absence: String, Sendable, Hashable, CaseIterable {
            /// Its connection's bytes were never kept, or it has no place in them.
            case notKept = "not_kept"
            /// The journal does not have its bytes any more.
            case gone
        }

        /// The first bytes, at most ``limit``, and how many there are.
        case bytes([UInt8], length: Int64)
        case missing(Absence)

        /// As much as one read brings; messages are longer only where the network sends no ends.
        package static let limit = 64 * 1024
    }

    /// What is known to be complete around it, in its room.
    package struct Coverage: Sendable, Hashable {
        package enum Place: Sendable, Hashable {
            /// Nothing is missing from one instant to another, or to now where there is none.
            case covered(from: Timestamp, to: Timestamp?, gapBefore: Gap?, gapAfter: Gap?)
            case inGap(Gap)
            /// Before anything was known to be complete.
            case notArchived
        }

        package var place: Place
        /// The beginning of the room's archive; nil while nothing was ever known to be complete.
        package var archivedSince: Timestamp?

        package init(place: Place, archivedSince: Timestamp?) {
            self.place = place
            self.archivedSince = archivedSince
        }
    }

    /// With names as they were then.
    package var message: Message
    package var roomNow: String
    /// Nil where there is no sender.
    package var senderNow: String?
    /// In order of time, the last is what it says now. The first is the original, unless only an edit of it was heard.
    package var versions: [Version]
    package var raw: Raw
    /// Nil where it was not deleted, or nothing but that is known.
    package var retraction: Retraction?
    /// Nil for what no connection brought.
    package var session: Session?
    package var coverage: Coverage

    package init(
        message: Message, roomNow: String, senderNow: String?, versions: [Version], raw: Raw,
        retraction: Retraction? = nil, session: Session?, coverage: Coverage
    ) {
        self.message = message
        self.roomNow = roomNow
        self.senderNow = senderNow
        self.versions = versions
        self.raw = raw
        self.retraction = retraction
        self.session = session
        self.coverage = coverage
    }
}

/// What looking for a message by its id has found: ids are unique in an account only.
package enum MessageLookup: Sendable, Hashable {
    package struct Place: Sendable, Hashable {
        package var id: MessageID
        package var account: String

        package init(id: MessageID, account: String) {
            self.id = id
            self.account = account
        }
    }

    case found(MessageDetail)
    /// More than one account has it.
    case several(accounts: [String])
    /// None has it; the nearest that are there.
    case unknown(before: Place?, after: Place?)
}
