import ChatModel
import IRCWire

/// Rooms whose history is requested with CHATHISTORY, one after the other, with one request in flight.
///
/// All durations count from one instant. There are no rooms where the server has no CHATHISTORY.
struct IRCHistory: Sendable {
    /// A room whose history is not whole yet.
    struct Room: Sendable {
        let reference: RoomReference
        /// The name that the server uses.
        let name: [UInt8]
        /// When live receiving began, by the network's clock.
        let liveSince: Timestamp
        /// The beginning of what is missing; nil where the room was never archived.
        let missingSince: Timestamp?
        var fill: HistoryFill
        /// The interruptions that pages have shown so far.
        fileprivate var interruptions: IRCInterruptions
        /// The request that waits for its turn.
        fileprivate(set) var request: IRCMessage?
        fileprivate(set) var retryAt: Duration?
        /// The request that follows this one.
        var next: HistoryFill.Start?
        /// The time of the last archived message, where nothing of its millisecond can be missing.
        var quietSince: Int64?
        /// True until the first request for it.
        fileprivate(set) var isNew = true
        /// What the server can't give; beyond the limit an earlier refusal may stay noted on a gap in between.
        var lost: [UnfilledHistory] = []
        static let maximumLost = 1000
        var wasRefused = false
        var messages = 0
        /// The earliest time that was received, or in forward order the latest.
        var reached: Timestamp?

        init(
            reference: RoomReference, name: [UInt8], liveSince: Timestamp, missingSince: Timestamp?,
            fill: HistoryFill, next: HistoryFill.Start? = nil, quietSince: Int64? = nil
        ) {
            (self.reference, self.name, self.liveSince, self.missingSince) = (reference, name, liveSince, missingSince)
            (self.fill, self.next, self.quietSince) = (fill, next, quietSince)
            let isForward = if case .after = fill.start { true } else { false }
            interruptions = IRCInterruptions(isForward: isForward)
        }
    }

    /// The subject of a request.
    enum Subject: Sendable, Hashable {
        case room(key: String)
        case targets
    }

    /// The time to wait for an answer. A page of 1,000 messages comes within a few seconds.
    static let answerTimeout: Duration = .seconds(60)

    private(set) var rooms: [String: Room] = [:]
    /// Messages without ids since we are there: the most that one page had of each, and how many came live. A page may
    /// have a message that comes live only after it.
    private var counts: [HistoryPoint: (paged: Int, live: Int)] = [:]
    /// The most points that are kept in a session; beyond it, a message that comes in a page and then live is stored
    /// twice.
    private static let maximumCounts = 10_000
    /// More rooms than an account is in. Where a server makes us join rooms without end, some are requested with the
    /// next join.
    static let maximumLookups = 5000
    /// Keys of rooms about which the archive has not answered yet.
    var lookups: Set<String> = []
    /// The search for conversations that began while we were away; nil where none is made.
    var targets: Targets?
    /// Keys of rooms with a request, in the order in which they came.
    private var turns: [String] = []
    /// The keys in `turns`.
    private var waiting: Set<String> = []
    /// Keys of rooms of which one page has come and another is still to come. Each holds the points of a page, so these
    /// rooms go first, and there is a limit to them.
    private var loaded: Set<String> = []
    private static let maximumLoaded = 16
    /// Keys of rooms whose last answer was a refusal, until they are requested again.
    private var refused: Set<String> = []
    /// The request in flight. Its subject is nil where the answer is not wanted any more, but still has to be waited
    /// for.
    private var pending: (subject: Subject?, until: Duration)?
    private var matcher = ReplyMatcher()

    /// Finds the conversations with new messages, and the rooms without.
    struct Targets: Sendable {
        /// Nil until the request is prepared, so that it covers all rooms that wait by then.
        var search: HistoryTargets?
        /// The beginning of the search, in milliseconds since 1970; nil where none is made.
        var since: Int64?
        /// How far back an unknown conversation is requested, in milliseconds since 1970; nil means from its beginning.
        var horizon: Int64?
        /// Known conversations, by their room's key.
        var known: [String: IRCBackfill.KnownRoom] = [:]
        /// Rooms that wait, by key, with the time of their last archived message.
        var quiet: [String: Int64] = [:]
        var failures = 0
        fileprivate(set) var request: IRCMessage?
        fileprivate(set) var retryAt: Duration?
        /// Conversations that the server listed.
        var found: [(nick: [UInt8], latest: Int64)] = []
        /// Keys of those in `quiet` without a message since.
        var unchanged: [String] = []
    }

    /// The number of rooms from which one list is cheaper than a request for each.
    static let minimumForListing = 4
    /// True when the server's list had no quiet room, or can't be had: it is not requested for rooms again.
    var isListingUseless = false

    /// Rooms that wait for their first request and may have no new message, by key, with the time of their last archived
    /// message.
    private(set) var quietRooms: [String: Int64] = [:]

    /// Updates ``quietRooms`` after a room was changed.
    private mutating func noteQuiet(_ key: String) {
        quietRooms[key] = rooms[key].flatMap { $0.isNew ? $0.quietSince : nil }
    }

    /// True when no answer is being waited for.
    var canAsk: Bool { pending == nil }

    /// Adds a room, in place of an earlier request for the same room.
    mutating func add(_ room: Room) {
        remove(room.reference.key)
        rooms[room.reference.key] = room
        noteQuiet(room.reference.key)
    }

    mutating func change(_ key: String, _ body: (inout Room) -> Void) {
        guard var room = rooms[key] else { return }
        body(&room)
        rooms[key] = room
        noteQuiet(key)
        if room.messages > 0 { loaded.insert(key) }
    }

    /// - Returns: The interruptions that a page with these moves shows.
    mutating func interruptions(
        of key: String, _ moves: [IRCInterruptions.Move]
    ) -> [IRCInterruptions.Interruption] {
        rooms[key]?.interruptions.note(moves) ?? []
    }

    /// Returns the part of a span that can be claimed as complete for a room, and the interruptions in it.
    mutating func claim(
        _ key: String, from: Timestamp, to: Timestamp
    ) -> (from: Timestamp, to: Timestamp, interruptions: [IRCInterruptions.Interruption]) {
        rooms[key]?.interruptions.claim(from: from, to: to) ?? (from, to, [])
    }

    mutating func remove(_ key: String) {
        rooms[key] = nil
        noteQuiet(key)
        refused.remove(key)
        loaded.remove(key)
        if pending?.subject == .room(key: key) { pending?.subject = nil }
    }

    /// Notes the points of a page from the time since which the room is live.
    mutating func note(paged points: [HistoryPoint], in key: String) {
        var paged: [HistoryPoint: Int] = [:]
        for point in points where point.msgid == nil { paged[point.placed(in: key), default: 0] += 1 }
        for (point, count) in paged where counts.count < Self.maximumCounts || counts[point] != nil {
            counts[point, default: (0, 0)].paged = max(counts[point]?.paged ?? 0, count)
        }
    }

    /// - Returns: True when a page had the message before it came live.
    mutating func note(live point: HistoryPoint, in key: String) -> Bool {
        let point = point.placed(in: key)
        guard counts.count < Self.maximumCounts || counts[point] != nil else { return false }
        counts[point, default: (0, 0)].live += 1
        return counts[point].map { $0.live <= $0.paged } ?? false
    }

    /// Sets a subject's next request.
    mutating func post(_ request: IRCMessage, of subject: Subject) {
        switch subject {
        case .targets:
            targets?.request = request
            targets?.retryAt = nil
        case .room(let key):
            rooms[key]?.request = request
            rooms[key]?.retryAt = nil
            refused.remove(key)
            guard waiting.insert(key).inserted else { return }
            turns.insert(key, at: loaded.count >= Self.maximumLoaded && loaded.contains(key) ? 0 : turns.count)
        }
    }

    mutating func wait(_ subject: Subject, until time: Duration) {
        switch subject {
        case .targets: targets?.retryAt = time
        case .room(let key):
            rooms[key]?.retryAt = time
            refused.insert(key)
        }
    }

    /// Returns the next request, to be sent at once; nil where none is due, or one is not answered yet.
    mutating func nextRequest(at now: Duration, isLabeled: Bool) -> IRCMessage? {
        guard pending == nil else { return nil }
        if let request = targets?.request {
            targets?.request = nil
            pending = (.targets, now + Self.answerTimeout)
            return matcher.request(
                request, batchType: HistoryTargets.batchType, target: nil, isLabeled: isLabeled)
        }
        while !turns.isEmpty, !isFull {
            let key = turns.removeFirst()
            waiting.remove(key)
            guard let room = rooms[key], let request = room.request else { continue }
            rooms[key]?.request = nil
            rooms[key]?.isNew = false
            noteQuiet(key)
            pending = (.room(key: key), now + Self.answerTimeout)
            return matcher.request(request, batchType: "chathistory", target: room.name, isLabeled: isLabeled)
        }
        return nil
    }

    /// True when a request waits for its turn.
    var hasRequest: Bool {
        let isListing = targets.map { $0.request != nil || $0.search == nil } ?? false
        return pending == nil && (isListing || !turns.isEmpty && !isFull)
    }

    /// True when the next room has to wait for one whose history has begun to come.
    private var isFull: Bool {
        loaded.count >= Self.maximumLoaded && turns.first.map { !loaded.contains($0) } ?? false
    }

    /// Returns the request's subject and the reply, if the output is one; the subject is nil where the answer is not
    /// wanted any more.
    mutating func receive(
        _ output: BatchCollector.Output, mapping: CaseMapping
    ) -> (subject: Subject?, reply: ReplyMatcher.Reply)? {
        guard let pending, let reply = matcher.receive(output, mapping: mapping) else { return nil }
        self.pending = nil
        return (pending.subject, reply)
    }

    /// Returns and forgets the request that was not answered in time.
    mutating func unanswered(at now: Duration) -> Subject? {
        guard let pending, now >= pending.until else { return nil }
        self.pending = nil
        matcher.forget()
        return pending.subject
    }

    /// Returns the subjects to request again by now, and clears their waits.
    mutating func retries(at now: Duration) -> [Subject] {
        var subjects: [Subject] = []
        if let time = targets?.retryAt, time <= now {
            targets?.retryAt = nil
            subjects.append(.targets)
        }
        for key in refused.sorted() {
            guard let time = rooms[key]?.retryAt, time <= now else { continue }
            rooms[key]?.retryAt = nil
            subjects.append(.room(key: key))
        }
        return subjects
    }

    /// When this has to be called next, apart from ``nextRequest(at:isLabeled:)``; nil where nothing is due.
    var due: Duration? {
        ([pending?.until, targets?.retryAt] + rooms.values.map(\.retryAt)).compactMap(\.self).min()
    }

    /// The progress, without a room while conversations are searched for; nil where nothing is requested or waits for
    /// its turn.
    var progress: BackfillProgress? {
        let count = rooms.count - refused.count + lookups.count
        guard count > 0 || targets?.retryAt == nil && targets != nil else { return nil }
        var progress = BackfillProgress(rooms: count)
        if case .room(let key)? = pending?.subject, let room = rooms[key] {
            (progress.room, progress.messages, progress.reached) = (room.reference.name, room.messages, room.reached)
        }
        return progress
    }
}

extension HistoryPoint {
    /// The same point, distinct from the points of all other rooms.
    fileprivate func placed(in key: String) -> HistoryPoint {
        HistoryPoint(
            msgid: nil, milliseconds: milliseconds, sender: Array(key.utf8) + [0] + sender, text: text)
    }
}
