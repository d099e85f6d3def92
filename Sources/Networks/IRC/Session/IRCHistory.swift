import ChatModel
import IRCWire

/// Rooms whose history is requested with CHATHISTORY, one after the other, with one request in flight.
///
/// All durations count from one instant. If the server has no CHATHISTORY, there are no rooms.
struct IRCHistory: Sendable {
    /// A room whose history is not complete yet.
    struct Room: Sendable {
        let reference: RoomReference
        /// The name that the server uses.
        let name: [UInt8]
        /// The time when live receiving began, by the network's clock.
        let liveSince: Timestamp
        /// The beginning of the missing history; nil if the room was never archived.
        let missingSince: Timestamp?
        var fill: HistoryFill
        /// The interruptions that pages have shown so far.
        fileprivate var interruptions: IRCInterruptions
        /// The request that waits for its turn.
        fileprivate(set) var request: IRCMessage?
        fileprivate(set) var retryAt: Duration?
        /// The request that follows this one.
        var next: HistoryFill.Start?
        /// The time of the last archived message, in milliseconds; nil if a message of the same millisecond may be
        /// missing.
        var quietSince: Int64?
        /// True until the room's first request.
        fileprivate(set) var isNew = true
        /// The history that the server can't return. If there are too many entries, an earlier refusal may stay noted
        /// on a gap in between.
        var lost: [UnfilledHistory] = []
        static let maximumLost = 1000
        var wasRefused = false
        var messages = 0
        /// The earliest received time; in forward order, the latest.
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

    /// The time to wait for an answer.
    let answerTimeout: Duration

    private(set) var rooms: [String: Room] = [:]
    /// Messages without ids at the beginning of live receiving.
    var counts = IRCPagedCounts()
    /// The limit of lookups: more than the rooms of an account. If a server makes us join endless rooms, some are
    /// looked up with their next join.
    static let maximumLookups = 5000
    /// Keys of rooms about which the archive has not answered yet.
    var lookups: Set<String> = []
    /// The search for conversations that began while we were away; nil if there is none.
    var targets: Targets?
    /// Keys of rooms with a request, in the order in which they came.
    private var requestQueue: [String] = []
    /// The keys in `requestQueue`.
    private var waiting: Set<String> = []
    /// Keys of rooms that have received a page and wait for another one. Each has the points of a page in memory, so
    /// these rooms go first, and their number is limited.
    private var loaded: Set<String> = []
    private static let maximumLoaded = 16
    /// Keys of rooms whose last answer was a refusal, until they are requested again.
    private var refused: Set<String> = []
    /// The request in flight. Its subject is nil if the answer is no longer wanted and only awaited.
    private var pending: (subject: Subject?, until: Duration)?
    private var matcher = ReplyMatcher()

    init(answerTimeout: Duration) {
        self.answerTimeout = answerTimeout
    }

    /// Finds the conversations with new messages, and the rooms without.
    struct Targets: Sendable {
        /// Nil until the request is prepared, so that it covers all rooms that wait by then.
        var search: HistoryTargets?
        /// The beginning of the search, in milliseconds since 1970; nil if there is none.
        var since: Int64?
        /// The time back to which an unknown conversation is requested, in milliseconds since 1970; nil for all of it.
        var horizon: Int64?
        /// Known conversations, by their room's key.
        var known: [String: IRCLookup.KnownRoom] = [:]
        /// Rooms that wait, by key, with the time of their last archived message.
        var quiet: [String: Int64] = [:]
        var failures = 0
        fileprivate(set) var request: IRCMessage?
        fileprivate(set) var retryAt: Duration?
        /// Conversations that the server listed.
        var found: [(nick: [UInt8], latest: Int64)] = []
        /// Keys of the rooms in `quiet` without a message since.
        var unchanged: [String] = []
    }

    /// The number of rooms from which one list takes less time than a request for each room.
    static let minimumForListing = 4
    /// True if the server's list had no quiet room, or is unavailable. The list is not requested for rooms again.
    var isListingUseless = false

    /// Rooms that wait for their first request and may have no new messages, by key, with the time of their last
    /// archived message.
    private(set) var quietRooms: [String: Int64] = [:]

    /// Updates ``quietRooms`` after a room was changed.
    private mutating func noteQuiet(_ key: String) {
        quietRooms[key] = rooms[key].flatMap { $0.isNew ? $0.quietSince : nil }
    }

    /// True if no request is in flight.
    var canRequest: Bool { pending == nil }

    /// Adds a room. Replaces an earlier request for the same room.
    mutating func addRoom(_ room: Room) {
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

    /// - Returns: The interruptions in a page with these moves.
    mutating func interruptions(
        of key: String, _ moves: [IRCInterruptions.Move]
    ) -> [IRCInterruptions.Interruption] {
        rooms[key]?.interruptions.addMoves(moves) ?? []
    }

    /// Forgets the order of a room's newest page, because earlier pages follow.
    mutating func restartInterruptions(of key: String) {
        rooms[key]?.interruptions.restart()
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
            requestQueue.insert(
                key, at: loaded.count >= Self.maximumLoaded && loaded.contains(key) ? 0 : requestQueue.count)
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

    /// Returns the next request, to send at once; nil if none is due or one is in flight.
    mutating func nextRequest(at now: Duration, isLabeled: Bool) -> IRCMessage? {
        guard pending == nil else { return nil }
        if let request = targets?.request {
            targets?.request = nil
            pending = (.targets, now + answerTimeout)
            return matcher.request(
                request, batchType: HistoryTargets.batchType, target: nil, isLabeled: isLabeled)
        }
        while !requestQueue.isEmpty, !isFull {
            let key = requestQueue.removeFirst()
            waiting.remove(key)
            guard let room = rooms[key], let request = room.request else { continue }
            rooms[key]?.request = nil
            rooms[key]?.isNew = false
            noteQuiet(key)
            pending = (.room(key: key), now + answerTimeout)
            return matcher.request(request, batchType: "chathistory", target: room.name, isLabeled: isLabeled)
        }
        return nil
    }

    /// True if a request waits for its turn.
    var hasRequest: Bool {
        let isListing = targets.map { $0.request != nil || $0.search == nil } ?? false
        return pending == nil && (isListing || !requestQueue.isEmpty && !isFull)
    }

    /// True if the next room must wait for a room that has received its first page.
    private var isFull: Bool {
        loaded.count >= Self.maximumLoaded && requestQueue.first.map { !loaded.contains($0) } ?? false
    }

    /// Returns the request's subject and the reply, if the output is a reply. The subject is nil if the answer is no
    /// longer wanted.
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

    /// The time of the next work, apart from ``nextRequest(at:isLabeled:)``; nil if none is due.
    var due: Duration? {
        ([pending?.until, targets?.retryAt] + rooms.values.map(\.retryAt)).compactMap(\.self).min()
    }

    /// The progress, without a room while conversations are searched for; nil if nothing is requested or waits.
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
