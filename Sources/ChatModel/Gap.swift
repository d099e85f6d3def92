/// A part of a room's time whose messages are not all there, or not known to be.
package struct Gap: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The time between two covered spans, or after the last one.
        case gap(Missing)
        /// The time since the account left the room, or since the room is gone. Nothing is missing.
        case ended(EndReason, imported: [Imported] = [])
        /// The time of an imported log with unknown completeness, before a room's first covered span or in a room
        /// without one.
        case imported
        /// The time between the end of an imported log and a room's first covered span. Only the network's history, or
        /// another log, can fill it.
        case seam(Missing)
        /// The time of messages that were removed, by a rule or on request.
        case purged(Purge)
        /// The time of encrypted messages, whose texts are unknown.
        case encrypted(messages: Int64)
    }

    /// The kind of a gap, and for messages that may be missing, whether they can still come.
    package enum State: String, Sendable, Hashable {
        /// The gap lasts until now, because nothing is being received.
        case current
        /// The gap has an end, and the network may still fill it.
        case open
        /// The gap has an end, and the network has no history to fill it.
        case lost
        case ended, imported
        /// ``Kind/seam(_:)``
        case notArchived = "not_archived"
        case purged, encrypted

        /// True for a time in which messages may be missing that nobody decided to leave out.
        package var isMissing: Bool { ![.ended, .purged, .encrypted].contains(self) }
    }

    /// Messages that may be missing.
    package struct Missing: Sendable, Hashable {
        /// An ``EndReason``; ``Gap/quiet``; `failure` for an event that could not be read or stored, or `unreadable` for
        /// such a message of the network's history; nil if unknown.
        package var reason: String?
        /// True if the gap has an end, and the network may still fill it.
        package var isOpen: Bool
        /// The time of the next attempt to fill the gap or to connect; nil if none is planned.
        package var nextTry: Timestamp?
        /// An ``UnfilledReason``; nil if nothing was tried, or the reason is unknown.
        package var unfilled: String?
        /// The reason in the server's words.
        package var detail: String?
        /// The imported parts in order of time; logs less than a day apart are merged.
        package var imported: [Imported] = []
        /// The messages that were received later.
        package var replayed = Replayed()

        package init(
            reason: String? = nil, isOpen: Bool = false, nextTry: Timestamp? = nil, unfilled: String? = nil,
            detail: String? = nil
        ) {
            (self.reason, self.isOpen, self.nextTry) = (reason, isOpen, nextTry)
            (self.unfilled, self.detail) = (unfilled, detail)
        }
    }

    /// A part of a gap for which a log was imported. Its completeness is unknown.
    package struct Imported: Sendable, Hashable {
        package var from: Timestamp
        package var to: Timestamp

        package init(from: Timestamp, to: Timestamp) {
            (self.from, self.to) = (from, to)
        }
    }

    /// The messages of a gap that a network or a bouncer repeated later. Nobody knows if they are all.
    package struct Replayed: Sendable, Hashable {
        /// The number of messages; joins, leaves, renames and modes don't count.
        package var messages: Int64
        /// True if there may be more, which were not counted.
        package var hasMore: Bool

        /// 1,000. Counting reads the row of each message, and a page may have a hundred gaps.
        package static let limit: Int64 = 1000

        package init(messages: Int64 = 0, hasMore: Bool = false) {
            (self.messages, self.hasMore) = (messages, hasMore)
        }
    }

    /// The reason of a gap that lasts on an open connection: nothing was received recently, and the next data will
    /// prove that nothing is missing.
    package static let quiet = "quiet"

    package var account: String
    package var room: String
    /// The last instant known to be complete; for a ``Kind/seam(_:)``, the end of the log.
    package let from: Timestamp
    /// The next instant known to be complete; nil while the gap lasts.
    package let to: Timestamp?
    /// The beginning to show, by this machine's clock of that time. Equal to `from` unless that clock had been ahead.
    package let shownFrom: Timestamp
    /// The end to show, by this machine's clock of that time; nil while the gap lasts.
    package let shownTo: Timestamp?
    package var kind: Kind
    /// False if the account is no longer in the configuration; nil if that is unknown, or the account was imported.
    package var isConfigured: Bool?

    /// - Parameter ahead: The microseconds by which `from` and `to` are ahead of this machine's clock.
    package init(
        account: String, room: String, from: Timestamp, to: Timestamp?, kind: Kind,
        ahead: (from: Int64, to: Int64) = (0, 0)
    ) {
        (self.account, self.room, self.from, self.to, self.kind) = (account, room, from, to, kind)
        shownFrom = from.advanced(byMicroseconds: 0 &- ahead.from)
        shownTo = to?.advanced(byMicroseconds: 0 &- ahead.to)
    }

    /// Shows removed messages of a room in the place of a gap.
    package init(_ purge: Purge, room: String) {
        self.init(account: purge.account, room: room, from: purge.first, to: purge.last, kind: .purged(purge))
    }

    /// Returns the length of the gap in real time, up to `now` while the gap lasts.
    package func length(at now: Timestamp) -> Duration {
        // The times of a log are not by the clock that was ahead.
        if case .seam = kind, let end = shownTo { return end.since(from) }
        return to.map { $0.since(from) } ?? now.since(shownFrom)
    }
}

extension Gap {
    package var state: State {
        switch kind {
        case .gap(let missing): to == nil ? .current : missing.isOpen ? .open : .lost
        case .ended: .ended
        case .imported: .imported
        case .seam: .notArchived
        case .purged: .purged
        case .encrypted: .encrypted
        }
    }

    /// The messages that may be missing; nil for the kinds that miss none.
    package var missing: Missing? {
        get {
            switch kind {
            case .gap(let missing), .seam(let missing): missing
            case .ended, .imported, .purged, .encrypted: nil
            }
        }
        set {
            guard let newValue, missing != nil else { return }
            if case .seam = kind { kind = .seam(newValue) } else { kind = .gap(newValue) }
        }
    }

    /// The code of the reason, as in ``Missing/reason``.
    package var reason: String? {
        if case .ended(let reason, _) = kind { reason.rawValue } else { missing?.reason }
    }

    /// The parts for which a log was imported.
    package var imported: [Imported] {
        switch kind {
        case .ended(_, let imported): imported
        case .imported: to.map { [Imported(from: from, to: $0)] } ?? []
        case .gap, .seam, .purged, .encrypted: missing?.imported ?? []
        }
    }

    /// The removed messages.
    package var purge: Purge? {
        if case .purged(let purge) = kind { purge } else { nil }
    }
}
