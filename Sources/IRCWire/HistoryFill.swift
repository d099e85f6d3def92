/// Fetches one room's history with CHATHISTORY (IRCv3 draft/chathistory), and says what is proved by it.
///
/// A page proves what lies between its messages, never what lies after it: a page shorter than asked is followed by another
/// request, until one brings nothing new. Every request is past the one before, or the fill ends.
///
/// All bounds are milliseconds of the network's clock, the lower one included, the upper one not; an upper bound of nil is
/// the live span, which must be open before ``begin()``: what is sent during the fill is heard there. The messages of a page
/// are to be stored no later than the verdicts on it.
package struct HistoryFill: Sendable {
    package enum Start: Sendable, Hashable {
        /// Forward from the last message that the room's coverage holds, to `until`, or to the live span.
        case after(HistoryPoint, until: Int64? = nil)
        /// First contact: backward from now to the horizon, or to all that the server gives.
        case latest(horizon: Int64? = nil)
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
    /// How far before the anchor is asked where its msgid is unknown, so that a complete answer holds it: replays cut times
    /// to whole seconds, and clocks of a network's servers differ.
    static let overlap: Int64 = 10_000
    /// 1990, the first year whose times are believed: where a gap without horizon begins.
    static let earliest: Int64 = 631_152_000_000
    /// Pages in a row that may end at one time. A hundred messages a page, this is a burst of 6,400 in a millisecond.
    static let maximumStalls = 64
    /// Seconds to wait after the first failure, doubling.
    static let firstRetry = 30
    static let maximumRetry = 3600

    let target: [UInt8]
    let pageSize: Int
    var types: Set<MessageReferenceType>
    package let start: Start

    var cursor: Cursor
    /// Of forward: the last message that is covered for certain, which must be found in what the server gives.
    var anchor: HistoryPoint?
    /// It was found, or given up.
    var isAnchored = false
    /// Something was asked again, perhaps an hour later: the server may have forgotten in between.
    var isInterrupted = false
    /// Of forward: the server said that nothing follows the anchor's msgid, which may mean that it knows none such.
    var isAnchorAnswered = false
    /// Of forward: where the next claim begins. Of backward: where it ends.
    var bound: Int64?
    /// Of forward without anchor: the first message after the anchor's time.
    var firstPast: Int64?
    /// The newest, or oldest, time there was.
    var reached: Int64?
    /// Where the next page may begin again with what this one had.
    var previous: [HistoryPoint] = []
    private var stalls = 0
    private var failures = 0
    private(set) var isWaiting = false
    private(set) var isFinished = false

    /// `limit` and `types` are what ISUPPORT says; a limit of 0 is none.
    package init(target: [UInt8], start: Start, limit: Int, types: Set<MessageReferenceType>) {
        (self.target, self.start, self.types) = (target, start, types)
        pageSize = limit > 0 ? min(limit, Self.maximumPage) : Self.maximumPage
        switch start {
        case .latest: cursor = .latest
        case .after(let anchor, _):
            self.anchor = anchor
            bound = anchor.milliseconds
            cursor = .afterTime(anchor.milliseconds - Self.overlap)
            if types.contains(.msgid), let id = anchor.msgid { cursor = .afterID(id) }
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
        case .after(let first, let until): return receiveForward(points, anchor ?? first, until)
        case .latest(let horizon): return receiveBackward(points, horizon)
        }
    }

    /// The server's FAIL, or that it does not answer.
    package mutating func fail(code: String, text: String) -> [Action] {
        guard isWaiting else { return [] }
        isWaiting = false
        // By time is the stronger question.
        if case .afterID(let id) = cursor, let anchor, anchor.msgid == id, !isAnchored { return seek(anchor) }
        if code == "INVALID_MSGREFTYPE", types.contains(.msgid), let cursor = cursorByTime {
            types = [.timestamp]
            return ask(cursor)
        }
        let seconds = Self.firstRetry << min(failures, 7)
        failures += 1
        return [.retry(seconds: min(seconds, Self.maximumRetry), code: code, text: text)]
    }

    /// Asks again what failed. What came before it is proved to be still there, for the server may have forgotten meanwhile.
    package mutating func retry() -> [Action] {
        guard !isFinished, !isWaiting else { return [] }
        isInterrupted = true
        guard case .after(_, let until) = start, let last = previous.last else { return ask(cursor) }
        return anchorAgain(on: last, until) + ask(cursor)
    }

    mutating func ask(_ cursor: Cursor) -> [Action] {
        self.cursor = cursor
        isWaiting = true
        return [.request(cursor.request(target: target, count: pageSize))]
    }

    mutating func finish(_ actions: [Action] = []) -> [Action] {
        isFinished = true
        return actions + [.finished]
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
        var known = previous.reduce(into: [HistoryPoint: Int]()) { $0[$1.identity, default: 0] += 1 }
        return points.filter { point in
            guard let count = known[point.identity], count > 0 else { return true }
            known[point.identity] = count - 1
            return false
        }
    }

    private var cursorByTime: Cursor? {
        switch cursor {
        case .afterID: previous.last.map { .afterTime($0.milliseconds - 1) }
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
