import Bytes

/// Fetches one room's history with CHATHISTORY (IRCv3 draft/chathistory), and says what is proved by it.
///
/// Neither an empty nor a short answer proves anything: servers cut what they give by age or by the time of a join without
/// a word (Ergo's `expire-time` and `query-cutoff`), and answer an unknown msgid with nothing. Two pages belong together
/// where the later one holds a message of the earlier one, and what is archived belongs to a page that holds one of its
/// messages. So each request begins before the last message that is known.
///
/// All bounds are milliseconds of the network's clock, the lower one included, the upper one not; an upper bound of nil is
/// the live span, which must be open before ``begin()``: what is sent during the fill is heard there. The messages of a page
/// are to be stored no later than the verdicts on it.
package struct HistoryFill: Sendable {
    package enum Start: Sendable, Hashable {
        /// Forward to the live span from the last messages that are archived: the newest one, and earlier ones, which take its
        /// place where the server no longer has it, as it was retracted. The newest comes first.
        case after(HistoryPoint, earlier: [HistoryPoint] = [])
        /// First contact: backward from now to the horizon, or to all that the server gives.
        case latest(horizon: Int64? = nil)
        /// The same, backward from before an instant from which on the room is complete.
        case before(Int64, horizon: Int64? = nil)
    }

    package enum Action: Sendable, Hashable {
        case request(IRCMessage)
        case covered(from: Int64, to: Int64?)
        case gap(from: Int64, to: Int64?, HistoryGap)
        /// The server refused or did not answer: call ``retry()`` after that many seconds. Other rooms go on.
        case retry(seconds: Int, code: String, text: String)
        /// Nothing more is asked.
        case finished
    }

    enum Cursor: Hashable {
        case latest
        case afterID([UInt8])
        case afterTime(Int64)
        case beforeID([UInt8])
        case beforeTime(Int64)
    }

    /// Messages of a page that are asked for at most: what soju gives.
    static let maximumPage = 1000
    /// Messages of the newest page, with which a fill to the live span begins: enough for a quiet room, and no burden where
    /// hundreds of rooms have nothing new.
    static let newestPage = 50
    /// Messages of which one must be in the next page.
    static let maximumKnown = 16
    /// How far before a message is asked by time, so that a complete answer holds it: replays cut times to whole seconds,
    /// and clocks of a network's servers differ.
    static let overlap: Int64 = 10_000
    /// 1990, the first year whose times are believed: where a gap without horizon begins.
    static let earliest: Int64 = 631_152_000_000
    /// Pages in a row that may end at one time. A hundred messages a page, this is a burst of 6,400 in a millisecond.
    static let maximumStalls = 64
    /// Seconds to wait after the first failure, doubling.
    static let firstRetry = 30
    static let maximumRetry = 3600
    /// The code of ``fail(code:text:)`` for a request that was not answered in time.
    package static let timeout = "TIMEOUT"

    let target: [UInt8]
    /// Half as many after each answer that was too large.
    private(set) var pageSize: Int
    private var types: Set<MessageReferenceType>
    package let start: Start

    var cursor: Cursor
    /// Forward: messages that are archived, the newest first. The next page is connected with them by holding one.
    var known: [HistoryPoint] = []
    /// Forward: where the page begins that reaches the live span; nil until it came.
    var newest: Int64?
    /// Forward: the messages of that page where all have one time, so that nothing later tells that they were reached.
    var tip: [HistoryPoint] = []
    /// Forward: how the next page is connected with what is known.
    var link = Link.overlap
    /// Forward: where the next claim begins. Backward: where it ends.
    var bound: Int64?
    /// Forward: the first message after the newest that is known, while that is sought.
    var firstPast: Int64?
    /// The newest, or oldest, time there was.
    var reached: Int64?
    /// Where the next page may begin again with what this one had.
    var previous: [HistoryPoint] = []
    private var stalls = 0
    private var failures = 0
    private(set) var isWaiting = false
    private(set) var isFinished = false

    enum Link {
        /// It begins before the last known message, which it has to hold.
        case overlap
        /// It begins right behind the last known message, which the server had in the page before.
        case successor
        /// It and those that follow it are searched for a known message: from before the newest one, or from before the
        /// earliest.
        case search(isWide: Bool)
    }

    /// `limit` and `types` are what ISUPPORT says; a limit of 0 is none.
    package init(target: [UInt8], start: Start, limit: Int, types: Set<MessageReferenceType>) {
        (self.target, self.start, self.types) = (target, start, types)
        pageSize = limit > 0 ? min(limit, Self.maximumPage) : Self.maximumPage
        switch start {
        case .latest: cursor = .latest
        case .before(let end, _):
            bound = end
            // Never by id: that of one which the server has forgotten looks like the beginning of history.
            cursor = .beforeTime(end)
        case .after(let anchor, let earlier):
            known = Array(([anchor] + earlier).prefix(Self.maximumKnown))
            bound = anchor.milliseconds
            cursor = .latest
        }
    }

    package mutating func begin() -> [Action] {
        ask(cursor)
    }

    /// The messages of the answer, in any order.
    package mutating func receive(page: [IRCMessage]) -> [Action] {
        guard isWaiting else { return [] }
        (isWaiting, failures) = (false, 0)
        let places = page.enumerated().compactMap { index, message in HistoryPoint(message).map { (index, $0) } }
        let points = places.sorted { ($0.1.milliseconds, $0.0) < ($1.1.milliseconds, $1.0) }.map(\.1)
        guard page.isEmpty || !points.isEmpty else { return end(.withoutTimes) }
        switch start {
        case .after(let anchor, _): return receiveForward(points, anchor)
        case .latest(let horizon), .before(_, let horizon): return receiveBackward(points, horizon)
        }
    }

    /// The answer is larger than can be read: half as many messages are asked for.
    package mutating func tooLarge() -> [Action] {
        guard isWaiting else { return [] }
        isWaiting = false
        guard count(cursor) > 1 else { return end(.tooLarge) }
        pageSize = count(cursor) / 2
        return ask(cursor)
    }

    /// The server's FAIL, or that it does not answer.
    package mutating func fail(code: String, text: String) -> [Action] {
        guard isWaiting else { return [] }
        isWaiting = false
        if ["INVALID_MSGREFTYPE", "INVALID_PARAMS"].contains(code), let cursor = cursorByTime {
            types = [.timestamp]
            return ask(cursor)
        }
        // On a slow line a page may take longer than is waited for.
        if code == Self.timeout { pageSize = max(count(cursor) / 2, 1) }
        let seconds = Self.firstRetry << min(failures, 7)
        failures += 1
        return [.retry(seconds: min(seconds, Self.maximumRetry), code: code, text: text)]
    }

    /// Asks again what failed. What came before it must be proved to be still there, for the server may have forgotten
    /// meanwhile.
    package mutating func retry() -> [Action] {
        guard !isFinished, !isWaiting else { return [] }
        if case .successor = link { return search(isWide: false) }
        return ask(cursor)
    }

    mutating func ask(_ cursor: Cursor) -> [Action] {
        self.cursor = cursor
        isWaiting = true
        return [.request(cursor.request(target: target, count: count(cursor)))]
    }

    private func count(_ cursor: Cursor) -> Int {
        guard cursor == .latest, case .after = start else { return pageSize }
        return min(pageSize, Self.newestPage)
    }

    mutating func finish(_ actions: [Action] = []) -> [Action] {
        isFinished = true
        return actions + [.finished]
    }

    /// Whatever kind of history: no page so far can be gone on from.
    mutating func end(_ reason: HistoryGap) -> [Action] {
        switch start {
        case .after(let anchor, _):
            let from = bound ?? anchor.milliseconds
            guard newest.map({ from < $0 }) ?? true else { return finish() }
            return finish([.gap(from: from, to: newest, reason)])
        case .latest(let horizon), .before(_, let horizon):
            let to = reached.map { min($0 + 1, bound ?? .max) } ?? bound
            return finish([.gap(from: horizon ?? Self.earliest, to: to, reason)])
        }
    }

    /// Whether this page ends where too many before it did.
    mutating func isStalled(at time: Int64, progressed: Bool) -> Bool {
        stalls = progressed ? 0 : stalls + 1
        reached = time
        return stalls > Self.maximumStalls
    }

    mutating func forgetStalls() {
        stalls = 0
    }

    /// The messages that the page before did not have, each as often as it is there.
    func new(of points: [HistoryPoint]) -> [HistoryPoint] {
        Self.difference(points, previous)
    }

    /// The messages that are not among the known ones, each as often as it is there.
    static func difference(_ points: [HistoryPoint], _ known: [HistoryPoint]) -> [HistoryPoint] {
        var known = known.reduce(into: [HistoryPoint: Int]()) { $0[$1.identity, default: 0] += 1 }
        return points.filter { point in
            guard let count = known[point.identity], count > 0 else { return true }
            known[point.identity] = count - 1
            return false
        }
    }

    /// Whether pages are asked for by the id of one of these.
    func asksByID(_ points: [HistoryPoint]) -> Bool {
        types.contains(.msgid) && points.contains { $0.msgid != nil }
    }

    var asksByTime: Bool { types.contains(.timestamp) }

    private var cursorByTime: Cursor? {
        switch cursor {
        case .afterID: (previous.last ?? known.first).map { .afterTime($0.milliseconds - 1) }
        case .beforeID: previous.first.map { .beforeTime($0.milliseconds + 1) }
        default: nil
        }
    }
}

extension HistoryPoint {
    /// What tells it from others in the same history.
    fileprivate var identity: HistoryPoint {
        guard let msgid else { return self }
        return HistoryPoint(msgid: msgid, milliseconds: 0, sender: [], text: [])
    }
}

extension HistoryFill.Cursor {
    fileprivate func request(target: [UInt8], count: Int) -> IRCMessage {
        let (verb, reference): (String, [UInt8]) =
            switch self {
            case .latest: ("LATEST", [Byte.star])
            case .afterID(let id): ("AFTER", Array("msgid=") + id)
            case .afterTime(let time): ("AFTER", Array("timestamp=") + ServerTime.text(milliseconds: time))
            case .beforeID(let id): ("BEFORE", Array("msgid=") + id)
            case .beforeTime(let time): ("BEFORE", Array("timestamp=") + ServerTime.text(milliseconds: time))
            }
        return IRCMessage("CHATHISTORY", [Array(verb), target, reference, Array("\(count)")])
    }
}
