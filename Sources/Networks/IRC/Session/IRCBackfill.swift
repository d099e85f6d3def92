import ChatModel
import IRCWire
import Sessions

/// Fetches missing history: finds the missing times in the archive, requests them from the server, and covers the times
/// that the answers prove complete.
struct IRCBackfill: Sendable {
    /// Rooms whose history is being fetched, and their requests.
    var history: IRCHistory

    init(answerTimeout: Duration) {
        history = IRCHistory(answerTimeout: answerTimeout)
    }

    /// The time of the next call of ``tick(_:_:)``; nil if none is due.
    var due: Duration? { history.due }

    /// True if ``nextRequest(at:_:_:)`` would return a line.
    var hasRequest: Bool { history.hasRequest }

    /// Asks the archive for the start of a room's missing history.
    mutating func lookUp(_ room: RoomReference, retriesLost: Bool = false, _ step: inout IRCStep) {
        // A waiting question gets an answer with the archive's state at that time, so a second one is not needed.
        guard history.lookups.count < IRCHistory.maximumLookups, history.lookups.insert(room.key).inserted else {
            return
        }
        step.lookups.append(.room(room, retriesLost: retriesLost))
    }

    /// Requests history again, for a person.
    ///
    /// - Parameters:
    ///   - key: The room's key; nil for all rooms.
    ///   - after: The beginning of the requested time, regardless of the archive; nil to request only missing history.
    /// - Returns: The number of rooms whose history is requested; nil if the server has no history.
    mutating func backfill(
        _ key: String?, after: Timestamp?, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) -> Int? {
        guard presence.hasHistory else { return nil }
        let rooms = presence.spans.starts.keys.sorted().filter { key == nil || $0 == key }
            .compactMap { presence.liveRoom($0) }
        for room in rooms {
            if let after {
                begin(room, .latest(horizon: after.milliseconds), missingSince: nil, &presence, &step)
            } else {
                lookUp(room, retriesLost: true, &step)
            }
        }
        return rooms.count
    }

    /// Handles the archive's answer.
    mutating func receiveAnswer(_ answer: IRCLookup.Answer, _ presence: inout IRCPresence, _ step: inout IRCStep) {
        switch answer {
        case .room(let known):
            history.lookups.remove(known.room.key)
            fill(known, horizon: IRCHorizon(presence), &presence, &step)
        case .directRooms(let known, let complete): searchTargets(known, complete, &presence, &step)
        // The receiver takes these.
        case .lastMessages: break
        }
    }

    /// Requests a room's missing history, and the history before the archive, as far back as `horizon`.
    mutating func fill(
        _ known: IRCLookup.KnownRoom, horizon: IRCHorizon, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        let room = known.room
        guard let liveSince = presence.liveSince(room.key) else { return }
        let missing = known.start.flatMap { $0.completeUntil < liveSince ? $0 : nil }
        guard presence.hasHistory else {
            if let missing {
                noteUnfilled(room, from: missing.completeUntil, to: liveSince, .unsupported, presence, &step)
            }
            return
        }
        let back = horizon.start(before: known.start, liveSince: liveSince)
        if let missing {
            noteUnfilled(
                room, from: missing.completeUntil, to: liveSince, .pending, nextTry: step.at, presence, &step)
            let anchors = missing.anchors.map(HistoryPoint.init)
            let after = anchors.first.map { HistoryFill.Start.after($0, earlier: Array(anchors.dropFirst())) }
            begin(
                room, after ?? .latest(horizon: missing.completeUntil.milliseconds),
                missingSince: missing.completeUntil, quietSince: missing.quietSince, next: back, &presence, &step)
        } else if let back {
            begin(room, back, missingSince: nil, &presence, &step)
        }
    }

    /// Returns the next request for history, to send when no other line waits.
    mutating func nextRequest(
        at elapsed: Duration, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) -> IRCMessage? {
        prepareList(&presence, &step)
        let isLabeled = presence.registration.capabilities.contains("labeled-response")
        return history.nextRequest(at: elapsed, isLabeled: isLabeled)
    }

    /// Does the work that is due by now; see ``due``.
    mutating func tick(_ presence: inout IRCPresence, _ step: inout IRCStep) {
        if let subject = history.unanswered(at: step.elapsed) {
            let text = "no answer within \(history.answerTimeout)"
            failed(subject, code: HistoryFill.timeout, text: text, &presence, &step)
        }
        for subject in history.retries(at: step.elapsed) {
            switch subject {
            case .targets: takeTargets(history.targets?.search?.begin() ?? [], &presence, &step)
            case .room(let key): change(key, &presence, &step) { $0.retry() }
            }
        }
    }

    /// Stops fetching the history of a room that is no longer received.
    mutating func forget(_ room: RoomReference) {
        history.remove(room.key)
    }

    /// Stops fetching the history of all rooms, because a bouncer lost its network.
    mutating func lostNetwork(_ rooms: [RoomReference]) {
        (history.targets, history.lookups) = (nil, [])
        for room in rooms { forget(room) }
    }

    /// - Returns: True if a page of history had the message before it came live.
    mutating func countLive(_ message: IRCMessage, in room: RoomReference) -> Bool {
        HistoryPoint(message).map { history.counts.countLive($0, in: room.key) } ?? false
    }

    private mutating func begin(
        _ room: RoomReference, _ start: HistoryFill.Start, missingSince: Timestamp?, quietSince: Int64? = nil,
        next: HistoryFill.Start? = nil, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        guard let liveSince = presence.liveSince(room.key) else { return }
        let name = Array(room.kind == .channel ? room.key.utf8 : room.name.utf8)
        let fill = HistoryFill(
            target: name, start: start, limit: presence.support.historyLimit ?? 0,
            types: presence.support.referenceTypes)
        history.addRoom(
            IRCHistory.Room(
                reference: room, name: name, liveSince: liveSince, missingSince: missingSince, fill: fill,
                next: next, quietSince: quietSince))
        change(room.key, &presence, &step) { $0.begin() }
    }

    /// Changes a room's fill, and performs the resulting actions. Covered spans come first, so that notes go on the
    /// remaining gaps.
    mutating func change(
        _ key: String, _ presence: inout IRCPresence, _ step: inout IRCStep,
        by body: (inout HistoryFill) -> [HistoryFill.Action]
    ) {
        var actions: [HistoryFill.Action] = []
        history.change(key) { actions = body(&$0.fill) }
        for case .covered(let from, let to) in actions { covered(key, from: from, to: to, &presence, &step) }
        for action in actions {
            guard let room = history.rooms[key] else { return }
            switch action {
            case .covered: break
            case .request(let request): history.post(request, of: .room(key: key))
            case .gap(let from, let to, let gap):
                let end = to.map { Timestamp(milliseconds: $0) } ?? room.liveSince
                let lost = UnfilledHistory(
                    room: room.reference, from: Timestamp(milliseconds: from), to: end, reason: gap.reason,
                    detail: presence.configuration.secrets.mask(gap.detail))
                history.change(key) { if $0.lost.count < IRCHistory.Room.maximumLost { $0.lost.append(lost) } }
                step.events.append(.unfilled(lost, at: step.at))
            case .retry(let seconds, let code, let text):
                history.wait(.room(key: key), until: step.elapsed + .seconds(seconds))
                history.change(key) { $0.wasRefused = true }
                var end = room.liveSince
                if case .before(let archived, _) = room.fill.start { end = Timestamp(milliseconds: archived) }
                noteUnfilled(
                    room.reference, from: room.missingSince ?? .earliestPlausible, to: end, .refused,
                    detail: "\(code): \(text)", nextTry: step.at.advanced(by: .seconds(seconds)), presence, &step)
            case .finished: finished(room, &presence, &step)
            }
        }
    }

    private mutating func covered(
        _ key: String, from: Int64, to: Int64?, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        guard let room = history.rooms[key] else { return }
        let end = to.map { Timestamp(milliseconds: $0).advanced(byMicroseconds: -1) } ?? room.liveSince
        var start = Timestamp(milliseconds: from)
        // Between the last live message and the end of the live span, nothing is missing.
        if case .after(let anchor, _) = room.fill.start, anchor.milliseconds == from, let since = room.missingSince {
            start = min(start, since)
        }
        history.change(key) { room in
            if case .after = room.fill.start { room.reached = end } else { room.reached = start }
        }
        let span = history.claim(key, from: start, to: end)
        presence.claim(room.reference, from: span.from, to: span.to, without: span.interruptions, &step)
        // The newest page comes first; if it has no archived message, the pages before it follow.
        if case .after(let anchor, _) = room.fill.start, to == nil, anchor.milliseconds != from {
            history.restartInterruptions(of: key)
        }
    }

    mutating func finished(
        _ room: IRCHistory.Room, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        history.remove(room.reference.key)
        step.fetched.append(IRCFetched(room: room.reference.name, messages: room.messages))
        switch room.fill.start {
        case .after: break
        case .latest, .before:
            if let since = room.missingSince { noteHistoryBeginning(room, to: since, presence, &step) }
        }
        if room.missingSince == nil, room.lost.isEmpty, let end = room.fill.start.horizon {
            step.events.append(.fetchedBack(room.reference, to: end))
        }
        // A refusal between two pages was also noted on the gaps from before it, so their own reasons are noted again.
        if room.wasRefused { step.events += room.lost.map { .unfilled($0, at: step.at) } }
        if let next = room.next { begin(room.reference, next, missingSince: nil, &presence, &step) }
    }

    /// Notes the gap between the end of the complete part and the beginning of the server's history. The server may
    /// have had more history earlier, even if it has none now.
    private func noteHistoryBeginning(
        _ room: IRCHistory.Room, to since: Timestamp, _ presence: IRCPresence, _ step: inout IRCStep
    ) {
        guard since <= room.liveSince, room.lost.isEmpty, room.reached.map({ $0 > since }) ?? true else { return }
        noteUnfilled(
            room.reference, from: since, to: room.liveSince, .limit,
            detail: "the server's history has nothing older", presence, &step)
    }

    func noteUnfilled(
        _ room: RoomReference, from: Timestamp, to: Timestamp, _ reason: UnfilledReason, detail: String? = nil,
        nextTry: Timestamp? = nil, _ presence: IRCPresence, _ step: inout IRCStep
    ) {
        let detail = detail.map(presence.configuration.secrets.mask)
        let history = UnfilledHistory(room: room, from: from, to: to, reason: reason, detail: detail, nextTry: nextTry)
        step.events.append(.unfilled(history, at: step.at))
    }
}

/// Reports that a room's history was fetched.
struct IRCFetched: Sendable, Hashable {
    var room: String
    /// The number of messages in the history, known ones included.
    var messages: Int
}

extension HistoryFill.Start {
    /// The time back to which history is requested; nil if only new messages are requested.
    fileprivate var horizon: Timestamp? {
        switch self {
        case .after: nil
        case .latest(let horizon), .before(_, let horizon):
            horizon.map { Timestamp(milliseconds: $0) } ?? .earliestPlausible
        }
    }
}

extension HistoryGap {
    fileprivate var reason: UnfilledReason {
        switch self {
        case .anchorMissing: .limit
        case .burst: .burst
        case .noProgress, .withoutTimes, .tooLarge: .unsupported
        }
    }
}

extension HistoryPoint {
    fileprivate init(_ point: StoredPoint) {
        let body = point.body ?? ""
        let text = point.kind == .action ? "\u{1}ACTION \(body)\u{1}" : body
        self.init(
            msgid: point.remoteID.map { Array($0.utf8) },
            milliseconds: (point.sourceTime ?? point.id.time).milliseconds,
            sender: Array((point.sender ?? "").utf8), text: Array(text.utf8))
    }
}
