import Bytes

/// Fetches one room's history with CHATHISTORY (IRCv3 draft/chathistory), and reports the time that is proven to be
/// complete.
///
/// Neither an empty nor a short answer proves anything: servers silently cut history by age or by the time of a join
/// (Ergo's `expire-time` and `query-cutoff`), and return an empty answer for an unknown msgid. Two pages are connected
/// if the later one has a message of the earlier one. Archived messages are connected with a page that has one of them.
/// So each request begins before the last known message.
///
/// All bounds are milliseconds of the network's clock; the lower one is included, the upper one excluded. A nil upper
/// bound is the live span, which must be open before ``begin()``, because messages that are sent during the fill are
/// received there. Store the messages of a page no later than the results of the actions that it returns.
package struct HistoryFill: Sendable {
    package enum Start: Sendable, Hashable {
        /// Forward from the last archived message to the live span. The `earlier` messages, newest first, replace that
        /// message if the server no longer has it, because it was retracted.
        case after(HistoryPoint, earlier: [HistoryPoint] = [])
        /// First contact: backward from now to the horizon, or to the beginning of the server's history.
        case latest(horizon: Int64? = nil)
        /// Backward from an instant after which the room is complete.
        case before(Int64, horizon: Int64? = nil)
    }

    /// An action for the caller.
    package enum Action: Sendable, Hashable {
        case request(IRCMessage)
        /// Everything from `from` to `to` is complete.
        case covered(from: Int64, to: Int64?)
        /// A part of the time from `from` to `to` can't be fetched.
        case gap(from: Int64, to: Int64?, HistoryGap)
        /// The request failed. Call ``retry()`` after this number of seconds. Other rooms continue.
        case retry(seconds: Int, code: String, text: String)
        /// The fill has ended.
        case finished
    }

    enum Cursor: Hashable {
        case latest
        case afterID([UInt8])
        case afterTime(Int64)
        case beforeID([UInt8])
        case beforeTime(Int64)
    }

    /// The limit of messages that are requested in a page, which is soju's limit.
    static let maximumPage = 1000
    /// The number of messages in the newest page, with which a fill to the live span begins: enough for a quiet room,
    /// and few for hundreds of rooms without new messages.
    static let newestPage = 50
    /// The limit of known messages. The next page must have one of them.
    static let maximumKnown = 16
    /// The time in milliseconds by which a request begins before a message, so that a complete answer has the message:
    /// replays cut times to whole seconds, and the clocks of a network's servers differ.
    package static let overlap: Int64 = 10_000
    /// 1990, the first plausible year: the beginning of a gap without a horizon.
    static let earliest: Int64 = 631_152_000_000
    /// The limit of consecutive pages that end at the same time. With 100 messages in a page, this is a burst of 6,400
    /// in a millisecond.
    static let maximumStalls = 64
    /// The seconds to wait after the first failure; doubled for each further one.
    static let firstRetry = 30
    static let maximumRetry = 3600
    /// The code for ``fail(code:text:)`` when a request was not answered in time.
    package static let timeout = "TIMEOUT"

    let target: [UInt8]
    /// The number of messages to request in a page; halved after each answer that was too large.
    private(set) var pageSize: Int
    private var types: Set<MessageReferenceType>
    package let start: Start

    var cursor: Cursor
    /// Forward: archived messages, newest first. The next page is connected with them if it has one.
    var known: [HistoryPoint] = []
    /// Forward: the beginning of the page that reaches the live span; nil until it has come.
    var newest: Int64?
    /// Forward: the messages of that page when all have the same time, so that no later one shows that they were
    /// reached.
    var tip: [HistoryPoint] = []
    /// Forward: the required connection between the next page and the known messages.
    var link = Link.overlap
    /// Forward: the beginning of the next claim. Backward: its end.
    var bound: Int64?
    /// Forward: the time of the first message after the newest known one, while that is sought.
    var firstPast: Int64?
    /// The newest time so far, or the oldest when going backward.
    var reached: Int64?
    /// The messages of the last page, which the next one may repeat.
    var previous: [HistoryPoint] = []
    private var stalls = 0
    private var failures = 0
    private(set) var isWaiting = false
    private(set) var isFinished = false

    enum Link {
        /// The page begins before the last known message, and must have it.
        case overlap
        /// The page begins directly after the last known message, which was in the page before.
        case successor
        /// The page and the following ones are searched for a known message, from before the newest one or, if
        /// `isWide`, from before the earliest one.
        case search(isWide: Bool)
    }

    /// - Parameters:
    ///   - limit: The limit that ISUPPORT gives; 0 for none.
    ///   - types: The types that ISUPPORT gives.
    package init(target: [UInt8], start: Start, limit: Int, types: Set<MessageReferenceType>) {
        (self.target, self.start, self.types) = (target, start, types)
        pageSize = limit > 0 ? min(limit, Self.maximumPage) : Self.maximumPage
        switch start {
        case .latest: cursor = .latest
        case .before(let end, _):
            bound = end
            // Never requests by id, because the answer for a forgotten id looks like the beginning of history.
            cursor = .beforeTime(end)
        case .after(let anchor, let earlier):
            known = Array(([anchor] + earlier).prefix(Self.maximumKnown))
            bound = anchor.milliseconds
            cursor = .latest
        }
    }

    /// Returns the first request.
    package mutating func begin() -> [Action] {
        requestPage(cursor)
    }

    /// Takes the messages of an answer, in any order.
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

    /// Handles an answer that was too large to read: requests half as many messages.
    package mutating func tooLarge() -> [Action] {
        guard isWaiting else { return [] }
        isWaiting = false
        guard count(cursor) > 1 else { return end(.tooLarge) }
        pageSize = count(cursor) / 2
        return requestPage(cursor)
    }

    /// Handles the server's FAIL or a missing answer.
    package mutating func fail(code: String, text: String) -> [Action] {
        guard isWaiting else { return [] }
        isWaiting = false
        if ["INVALID_MSGREFTYPE", "INVALID_PARAMS"].contains(code), let cursor = cursorByTime {
            types = [.timestamp]
            return requestPage(cursor)
        }
        // On a slow line, a page may take longer than the timeout.
        if code == Self.timeout { pageSize = max(count(cursor) / 2, 1) }
        let seconds = Self.firstRetry << min(failures, 7)
        failures += 1
        return [.retry(seconds: min(seconds, Self.maximumRetry), code: code, text: text)]
    }

    /// Repeats the failed request. The connection with the pages before must be proven again, because the server may
    /// have forgotten them meanwhile.
    package mutating func retry() -> [Action] {
        guard !isFinished, !isWaiting else { return [] }
        if case .successor = link { return search(isWide: false) }
        return requestPage(cursor)
    }

    mutating func requestPage(_ cursor: Cursor) -> [Action] {
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

    /// Ends the fill with a gap, because no page allows to continue.
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

    /// Returns true if too many pages before this one ended at the same time.
    mutating func isStalled(at time: Int64, progressed: Bool) -> Bool {
        stalls = progressed ? 0 : stalls + 1
        reached = time
        return stalls > Self.maximumStalls
    }

    mutating func forgetStalls() {
        stalls = 0
    }

    /// Returns the messages that the page before did not have. Equal messages count separately.
    func new(of points: [HistoryPoint]) -> [HistoryPoint] {
        Self.difference(points, previous)
    }

    /// Returns the messages that are not among the known ones. Equal messages count separately.
    static func difference(_ points: [HistoryPoint], _ known: [HistoryPoint]) -> [HistoryPoint] {
        var known = known.reduce(into: [HistoryPoint: Int]()) { $0[$1.identity, default: 0] += 1 }
        return points.filter { point in
            guard let count = known[point.identity], count > 0 else { return true }
            known[point.identity] = count - 1
            return false
        }
    }

    /// Returns true if pages are requested by the id of one of these messages.
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
    /// The part that distinguishes the message from others of the same history.
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
