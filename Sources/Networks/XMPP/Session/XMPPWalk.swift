import ChatModel
import XMPPWire

/// History to fetch, of a room or of the account's own archive.
struct XMPPFetch: Sendable, Hashable {
    /// Nil for the account's own archive.
    var room: JID?
    /// The instant from which on the archive has everything.
    var end: Timestamp
    /// The instant back to which everything is fetched, whatever the archive has; nil for what is missing.
    var after: Timestamp?
    /// True to look again for history that the server did not have before.
    var retriesLost = false
}

/// A walk through a message archive, from its newer end to a message that was stored before the gap.
///
/// Only such a message proves where the gap ends: an archive that was cut says "complete", too, and ejabberd (23.01) takes
/// an id that it no longer has for a time.
struct XMPPWalk: Sendable {
    let fetch: XMPPFetch
    /// The id before which the next page ends; nil for the newest page.
    private(set) var before: String?
    /// Everything from the first page's end up to this instant is stored.
    private(set) var end: Timestamp
    /// The instant of the gap's beginning: a message that was stored until then proves the rest. Nil without a gap.
    let gapStart: Timestamp?
    /// True if the archive was empty before the gap, so that it shows the gap to be silent if it is still empty.
    private let wasEmpty: Bool
    /// The time that ends a walk without a gap.
    private let horizon: Timestamp?
    /// The time of the oldest message so far.
    private(set) var oldest: Timestamp
    private(set) var hasMet = false
    private(set) var isComplete = false
    /// The messages of the oldest second so far. Prosody's times are whole seconds, so the page before may have others of
    /// the same second, which come first.
    private var held: [ArchivedMessage] = []
    /// The limit of messages that are held back.
    private static let maximumHeld = 5000
    /// The messages that refer to older ones, which have not come yet.
    private(set) var waiting: [ArchivedMessage] = []
    private var restarts = 0
    /// The limit of new beginnings of one walk, after an archive has lost the messages that were read last.
    private static let maximumRestarts = 3

    init(
        _ fetch: XMPPFetch, gapStart: Timestamp?, place: HistoryPlace?, horizon: Timestamp?, wasEmpty: Bool = false
    ) {
        (self.fetch, self.wasEmpty) = (fetch, wasEmpty)
        (before, end) = (place?.place, place?.end ?? fetch.end)
        (self.gapStart, self.horizon) = (gapStart, horizon)
        oldest = end
    }

    /// Begins again at the newer end. Returns false if the walk has done so too often.
    mutating func restart() -> Bool {
        guard before != nil, restarts < Self.maximumRestarts else { return false }
        restarts += 1
        (before, end, oldest) = (nil, fetch.end, fetch.end)
        (held, waiting) = ([], [])
        return true
    }

    /// Takes a page, oldest message first.
    ///
    /// - Parameter stored: The ids of the page whose messages were stored before the gap.
    /// - Returns: The messages to store, in the order of time.
    mutating func take(
        _ page: [ArchivedMessage], _ pageEnd: ArchivePageEnd, stored: Set<String>
    ) -> (messages: [ArchivedMessage], isOver: Bool) {
        let times = page.compactMap { $0.delay?.time }
        oldest = min(oldest, times.min() ?? oldest)
        hasMet = hasMet || page.contains { stored.contains($0.id) }
        let bound = fetch.after ?? (gapStart == nil ? horizon : nil)
        let isOld = if let newest = times.max(), let bound { newest < bound } else { false }
        let next = pageEnd.first ?? page.first?.id
        // A page whose messages can't be read has ids, too.
        isComplete = pageEnd.isComplete || next == nil || next == before
        let isOver = hasMet || isOld || isComplete
        before = next
        let all = page + held
        guard !isOver, held.count < Self.maximumHeld, let first = page.first?.delay, first.resolution == .second else {
            held = []
            return (all, isOver)
        }
        held = Array(all.prefix { $0.delay?.time == first.time })
        return (Array(all.dropFirst(held.count)), isOver)
    }

    /// The id before which a later connection continues: that of the oldest message that was given out; nil without one.
    private(set) var place: String?

    /// Notes the oldest message that was given out, and the messages that wait for older ones. A later connection must not
    /// continue before those.
    mutating func note(oldest id: String?, waiting: [ArchivedMessage]) {
        self.waiting = waiting
        if waiting.isEmpty { place = id ?? place }
    }

    /// Returns the events that say what of a room is complete after the walk.
    func ending(session: SessionID, room: RoomReference, at: Timestamp) -> [ChatEvent] {
        let goal = fetch.after ?? gapStart ?? max(horizon ?? oldest, .earliestPlausible)
        let start = min(reached(goal), end)
        var events: [ChatEvent] = []
        if start < end { events.append(.covered(session: session, room: room, from: start, to: end)) }
        if gapStart != nil {
            if start > goal {
                events.append(
                    .unfilled(
                        UnfilledHistory(
                            room: room, from: goal, to: start, reason: .limit,
                            detail: "the server's archive begins later, or lost its beginning"), at: at))
            }
        } else if fetch.after == nil {
            events.append(.fetchedBack(room, to: min(start, horizon ?? start)))
        }
        if fetch.after == nil { events.append(.fetched(room, end: end)) }
        return events
    }

    /// Returns the instant from which on everything is stored.
    private func reached(_ goal: Timestamp) -> Timestamp {
        if hasMet || !isComplete { return goal }
        if wasEmpty, oldest >= end { return goal }
        // An archive that is older than the gap and has nothing that was stored before it proves nothing.
        if gapStart != nil, oldest <= goal { return end }
        return max(oldest, goal)
    }
}
