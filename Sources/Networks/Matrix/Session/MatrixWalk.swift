import ChatModel
import LogFormats
import MatrixWire

/// A walk through a room's history, from its newer end to what the archive has.
///
/// Times of other servers prove nothing: only a message that the archive has before a gap proves where the gap ends. Before
/// the first complete span, where nothing is known, several pages that are older than the horizon end the walk.
struct MatrixWalk: Sendable {
    let fetch: MatrixFetch
    /// The server's place from which to read the next page; nil for the end of the room.
    var from: String?
    /// Everything from the first place up to this instant is stored.
    var end: Timestamp
    /// The time of the oldest event so far.
    private(set) var oldest: Timestamp
    /// The instant at which the walk may end.
    private let target: Timestamp?
    /// The ids of messages before the gap; empty without a gap.
    private let known: Set<String>
    private let isGap: Bool
    /// The time of the newest event of the last page that had one.
    private var newest: Timestamp?
    /// True once the creation of the room was read, so that nothing is before it.
    private var hasCreation = false
    private var hasMet = false
    /// The edits of messages that have not come yet, by the message.
    private var edits: [String: [ChatEvent]] = [:]
    /// The limit of messages with such edits.
    private static let maximumEdits = 5000
    /// The times in which the account was not in the room, the latest first.
    private var absences: [(left: Timestamp, joined: Timestamp)] = []
    private var joined: Timestamp?

    /// The number of pages in a row that are older than the horizon.
    private var olderPages = 0
    private static let maximumOlderPages = 2

    /// An event of a page, and the archive's events for it.
    struct Read {
        /// Nil for an event that can't be read.
        var event: MatrixEvent?
        var found: [ChatEvent]
    }

    init(_ fetch: MatrixFetch, _ start: HistoryStart?, horizon: Timestamp?) {
        self.fetch = fetch
        let place = fetch.after == nil && fetch.from == nil ? start?.place : nil
        (from, end) = (place?.place ?? fetch.from, place?.end ?? fetch.end)
        joined = fetch.joined
        oldest = end
        // Without a gap after the first complete span, history is missing before it.
        let gap = fetch.after == nil ? start.flatMap { $0.completeUntil < fetch.end ? $0 : nil } : nil
        isGap = gap != nil
        target = fetch.after ?? gap?.completeUntil ?? horizon
        known = Set((gap?.anchors ?? []).compactMap(\.remoteID))
    }

    /// Takes a page, the newest event first.
    ///
    /// - Returns: The events for the archive in the order of time, and whether the walk is over.
    mutating func take(
        _ read: [Read], _ page: MatrixMessages, me: String
    ) -> (events: [ChatEvent], isOver: Bool) {
        let times = read.compactMap { $0.event?.time }
        oldest = min(oldest, times.min() ?? oldest)
        newest = times.max() ?? newest
        for event in read.compactMap(\.event) {
            if event.type == "m.room.create" { hasCreation = true }
            if known.contains(event.id) { hasMet = true }
            guard case .member(let member, _) = event.meaning, member.user == me else { continue }
            if member.membership == "join" {
                joined = event.time
            } else if let back = joined, ["leave", "ban"].contains(member.membership) {
                absences.append((event.time, back))
                joined = nil
            }
        }
        if known.isEmpty, !times.isEmpty {
            let isOlder = if let newest, let target { newest < target } else { false }
            olderPages = isOlder ? olderPages + 1 : 0
            if olderPages >= Self.maximumOlderPages { hasMet = true }
        }
        defer { from = page.end }
        return (inOrder(read), hasMet || page.end == nil || page.end == from)
    }

    /// Returns the page's events in the order of time. Holds back the edits of older messages until these come.
    private mutating func inOrder(_ read: [Read]) -> [ChatEvent] {
        let ids = Set(read.compactMap { $0.event?.id })
        var (events, later): ([ChatEvent], [String: [ChatEvent]]) = ([], [:])
        for one in read.reversed() {
            for event in one.found {
                if case .message(let message, .edit) = event, message.editID != nil, let target = message.remoteID,
                    !ids.contains(target), edits.count + later.count < Self.maximumEdits
                {
                    later[target, default: []].append(event)
                } else {
                    events.append(event)
                }
            }
            if let id = one.event?.id, let held = edits.removeValue(forKey: id) { events += held }
        }
        edits.merge(later) { newer, older in older + newer }
        return events
    }

    /// Returns the events that say what is complete after the walk.
    ///
    /// - Parameter hidesHistory: True if the server shows nothing of the account's absences.
    func ending(
        session: SessionID, room: RoomReference, hidesHistory: Bool, at: Timestamp
    ) -> [ChatEvent] {
        let goal = target ?? oldest
        // A history that ends without the room's creation was removed or is hidden before that.
        // Before its creation a room has nothing, whatever the horizon is.
        let beginning = isGap || fetch.after != nil ? min(oldest, goal) : oldest
        let reached = hasMet ? goal : hasCreation ? beginning : max(newest ?? end, min(goal, end))
        let start = min(reached, end)
        // These edits are of messages before the fetched time.
        var (events, to) = (edits.sorted { $0.key < $1.key }.flatMap(\.value), end)
        func missing(_ from: Timestamp, _ to: Timestamp, _ detail: String) -> ChatEvent {
            .unfilled(UnfilledHistory(room: room, from: from, to: to, reason: .limit, detail: detail), at: at)
        }
        // Clocks differ: an absence may begin before the gap.
        for absence in hidesHistory ? absences : [] where absence.left < to && absence.joined > start {
            let (left, back) = (max(absence.left, start), min(absence.joined, to))
            if back < to { events.append(.covered(session: session, room: room, from: back, to: to)) }
            events.append(missing(left, back, "the room shows its members nothing of the time of their absence"))
            to = left
        }
        if start < to { events.append(.covered(session: session, room: room, from: start, to: to)) }
        if isGap {
            if start > goal { events.append(missing(goal, start, "the homeserver's history begins later")) }
        } else {
            events.append(.fetchedBack(room, to: start))
        }
        if fetch.after == nil { events.append(.fetched(room, end: end)) }
        return events
    }
}
