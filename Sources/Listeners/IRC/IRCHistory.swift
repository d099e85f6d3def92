import ChatModel
import IRCWire

/// Rooms whose history is asked for with CHATHISTORY, one after the other, one request in flight.
///
/// All times of waiting are since one instant. It has no rooms where the server has no CHATHISTORY.
struct IRCHistory: Sendable {
    /// A room whose history is not whole yet.
    struct Room: Sendable {
        let reference: RoomReference
        /// As the server knows it.
        let name: [UInt8]
        /// From here on it is heard, by the network's clock.
        let liveSince: Timestamp
        /// From here on something is missing; nil where the room was never archived.
        let missingSince: Timestamp?
        var fill: HistoryFill
        /// As far as pages have shown them.
        fileprivate var interruptions: IRCInterruptions
        /// Waits for its turn.
        fileprivate(set) var request: IRCMessage?
        fileprivate(set) var retryAt: Duration?
        /// What is to be asked for after this.
        var next: HistoryFill.Start?
        /// When the last message was said that is archived, where nothing of that millisecond can be missing.
        var quietSince: Int64?
        /// Nothing was asked of it yet.
        fileprivate(set) var isNew = true
        /// What can't be had of it; of more than these a refusal in between may stay noted.
        var lost: [UnfilledHistory] = []
        static let maximumLost = 1000
        var wasRefused = false
        var messages = 0
        /// The earliest, or latest, that was given.
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

    /// What was asked for.
    enum Subject: Sendable, Hashable {
        case room(key: String)
        case targets
    }

    /// How long an answer is waited for. A page of 1,000 messages comes within a few seconds.
    static let answerTimeout: Duration = .seconds(60)

    private(set) var rooms: [String: Room] = [:]
    /// Messages without ids that were said since we are there: how often a page had each, at most, and how often it was heard.
    /// A page may have what comes to us only after it.
    private var told: [HistoryPoint: (paged: Int, heard: Int)] = [:]
    /// Points that are told apart in a session; a later one that is both in a page and heard after it is stored twice.
    private static let maximumTold = 10_000
    /// More than an account is in. Of a server that has us join others without end, some are asked for with the next join.
    static let maximumLookups = 5000
    /// Keys of rooms of which the archive is still to say what is missing.
    var lookups: Set<String> = []
    /// The search for conversations that began while we were away; nil where there is none.
    var targets: Targets?
    /// Keys of rooms with a request, those that came first, first.
    private var turns: [String] = []
    /// The same.
    private var waiting: Set<String> = []
    /// Keys of rooms of which a page has come and another is to come. Each holds the points of a page, and so they go first, and
    /// there are no more than these.
    private var loaded: Set<String> = []
    private static let maximumLoaded = 16
    /// Keys of rooms whose answer was a refusal, until they are asked for again.
    private var refused: Set<String> = []
    /// The subject is nil where nobody wants the answer any more; it is waited for all the same.
    private var asked: (subject: Subject?, until: Duration)?
    private var matcher = ReplyMatcher()

    /// Which conversations have news, and which rooms have none.
    struct Targets: Sendable {
        /// Nil until it is asked for, so that it has all rooms that wait by then.
        var search: HistoryTargets?
        /// From when on conversations are searched for, in milliseconds since 1970; nil where none are.
        var since: Int64?
        /// From when on a conversation that is not known is asked for, in milliseconds since 1970; nil is from its beginning.
        var horizon: Int64?
        /// Conversations that are known, by their room's key.
        var known: [String: IRCSession.KnownRoom] = [:]
        /// Rooms that wait, by key: when the last message was said that is archived.
        var quiet: [String: Int64] = [:]
        var failures = 0
        fileprivate(set) var request: IRCMessage?
        fileprivate(set) var retryAt: Duration?
        /// Conversations that the server lists.
        var found: [(nick: [UInt8], latest: Int64)] = []
        /// Keys of those of `quiet` in which nothing was said since.
        var unchanged: [String] = []
    }

    /// Fewer rooms are asked for one by one.
    static let worthListing = 4
    /// The server's list had no quiet room, or can't be had: it is not asked for rooms' sake again.
    var isListingVain = false

    /// Rooms that wait to be asked for the first time and may have no news, by key: when the last message was said that is
    /// archived.
    private(set) var quietRooms: [String: Int64] = [:]

    /// Keeps ``quietRooms`` in step with a room that was changed.
    private mutating func noteQuiet(_ key: String) {
        quietRooms[key] = rooms[key].flatMap { $0.isNew ? $0.quietSince : nil }
    }

    /// No answer is waited for.
    var canAsk: Bool { asked == nil }

    /// Takes the place of what was asked for of that room before.
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

    /// What of a span is to be claimed of a room, and what is to be taken back of it.
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
        if asked?.subject == .room(key: key) { asked?.subject = nil }
    }

    /// A page has these, of the time since which the room is heard.
    mutating func note(paged points: [HistoryPoint], in key: String) {
        var counts: [HistoryPoint: Int] = [:]
        for point in points where point.msgid == nil { counts[point.placed(in: key), default: 0] += 1 }
        for (point, count) in counts where told.count < Self.maximumTold || told[point] != nil {
            told[point, default: (0, 0)].paged = max(told[point]?.paged ?? 0, count)
        }
    }

    /// - Returns: whether a page had it before it was heard.
    mutating func note(heard point: HistoryPoint, in key: String) -> Bool {
        let point = point.placed(in: key)
        guard told.count < Self.maximumTold || told[point] != nil else { return false }
        told[point, default: (0, 0)].heard += 1
        return told[point].map { $0.heard <= $0.paged } ?? false
    }

    /// What is asked of a subject next.
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

    /// The next request, to be sent at once; nil where none is to be made, or one is not answered yet.
    mutating func nextRequest(at now: Duration, isLabeled: Bool) -> IRCMessage? {
        guard asked == nil else { return nil }
        if let request = targets?.request {
            targets?.request = nil
            asked = (.targets, now + Self.answerTimeout)
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
            asked = (.room(key: key), now + Self.answerTimeout)
            return matcher.request(request, batchType: "chathistory", target: room.name, isLabeled: isLabeled)
        }
        return nil
    }

    /// Whether a request waits for its turn.
    var hasRequest: Bool {
        let isListing = targets.map { $0.request != nil || $0.search == nil } ?? false
        return asked == nil && (isListing || !turns.isEmpty && !isFull)
    }

    /// The next room has to wait for one whose history has begun to come.
    private var isFull: Bool {
        loaded.count >= Self.maximumLoaded && turns.first.map { !loaded.contains($0) } ?? false
    }

    /// What the output answers, if it is an answer; of no subject where nobody wants it any more.
    mutating func receive(
        _ output: BatchCollector.Output, mapping: CaseMapping
    ) -> (subject: Subject?, reply: ReplyMatcher.Reply)? {
        guard let asked, let reply = matcher.receive(output, mapping: mapping) else { return nil }
        self.asked = nil
        return (asked.subject, reply)
    }

    /// What was asked and not answered in time, which is forgotten by that.
    mutating func unanswered(at now: Duration) -> Subject? {
        guard let asked, now >= asked.until else { return nil }
        self.asked = nil
        matcher.forget()
        return asked.subject
    }

    /// What is to be asked again by now, which then counts as asked.
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

    /// When something is to be done but what ``nextRequest(at:isLabeled:)`` gives; nil where nothing is.
    var due: Duration? {
        ([asked?.until, targets?.retryAt] + rooms.values.map(\.retryAt)).compactMap(\.self).min()
    }

    /// How far it is, of no room while conversations are searched for; nil where nothing is asked for, and nothing waits for its turn.
    var progress: BackfillProgress? {
        let count = rooms.count - refused.count + lookups.count
        guard count > 0 || targets?.retryAt == nil && targets != nil else { return nil }
        var progress = BackfillProgress(rooms: count)
        if case .room(let key)? = asked?.subject, let room = rooms[key] {
            (progress.room, progress.messages, progress.reached) = (room.reference.name, room.messages, room.reached)
        }
        return progress
    }
}

extension HistoryPoint {
    /// The same in a room: what it tells from all others.
    fileprivate func placed(in key: String) -> HistoryPoint {
        HistoryPoint(
            msgid: nil, milliseconds: milliseconds, sender: Array(key.utf8) + [0] + sender, text: text)
    }
}
