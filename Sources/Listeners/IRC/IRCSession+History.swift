import ChatModel
import IRCWire

/// Requests what was said while we were away.
extension IRCSession {
    /// A question to the archive that comes before a request for history.
    enum Lookup: Sendable, Hashable {
        /// - Parameter retriesLost: True when a person asked, so that what the server did not have is requested again.
        case room(RoomReference, retriesLost: Bool)
        /// All known conversations.
        case directs([RoomReference])
    }

    /// True when the server offers history.
    var hasHistory: Bool { registration.capabilities.contains("draft/chathistory") }

    /// Notes the time of the network's clock, in microseconds since 1970, that came with a receipt.
    mutating func tellClock(_ time: Int64?, at receipt: Timestamp) {
        guard let time else { return }
        let lead = time - receipt.microseconds
        guard lead != clockLead else { return }
        clockLead = lead
        step.events.append(.clockTold(session: id, leadMicroseconds: lead))
    }

    /// Converts a time of receipt into the network's clock.
    func networkTime(_ receipt: Timestamp) -> Timestamp { receipt.advanced(byMicroseconds: clockLead) }

    /// Requests what is missing of a room, once the archive has answered what that is.
    mutating func lookUp(_ room: RoomReference) {
        lookUp(room, retriesLost: false)
    }

    private mutating func lookUp(_ room: RoomReference, retriesLost: Bool) {
        // One that waits for its answer is answered by what holds then.
        guard history.lookups.count < IRCHistory.maximumLookups, history.lookups.insert(room.key).inserted else {
            return
        }
        step.lookups.append(.room(room, retriesLost: retriesLost))
    }

    /// - Parameters:
    /// - key: The key of one room; nil for all.
    /// - after: Requests everything since then, whatever the archive has; nil requests what is missing.
    /// - Returns: The number of rooms whose history is requested; nil where the server has none.
    mutating func backfill(_ key: String?, after: Timestamp?) -> Int? {
        guard hasHistory else { return nil }
        let rooms = liveSince.keys.sorted().filter { key == nil || $0 == key }.compactMap { heardRoom($0) }
        for room in rooms {
            if let after {
                begin(room, .latest(horizon: after.milliseconds), missingSince: nil)
            } else {
                lookUp(room, retriesLost: true)
            }
        }
        return rooms.count
    }

    private func heardRoom(_ key: String) -> RoomReference? {
        let name = Array(key.utf8)
        if registration.support.isChannel(name) { return membership.isJoined(name) ? names.channel(name) : nil }
        return directs.contains(key) ? names.direct(name) : nil
    }

    /// The archive's answer to a ``Lookup``.
    enum Answer: Sendable {
        case room(KnownRoom)
        /// - Parameter complete: The end of the time in which all messages to us were received; nil in a new archive.
        case directs([KnownRoom], complete: Timestamp?)
    }

    struct KnownRoom: Sendable {
        var room: RoomReference
        /// nil where the room was never archived.
        var start: HistoryStart?
    }

    mutating func learn(_ answer: Answer) {
        switch answer {
        case .room(let known):
            history.lookups.remove(known.room.key)
            fill(known)
        case .directs(let known, let complete): searchTargets(known, complete)
        }
    }

    /// - Parameter horizon: How far back to request what came before the archive; nil for the configured horizon.
    mutating func fill(_ known: KnownRoom, horizon: Int64?? = nil) {
        let room = known.room
        guard let liveSince = liveSince[room.key] else { return }
        let missing = known.start.flatMap { $0.completeUntil < liveSince ? $0 : nil }
        guard hasHistory else {
            if let missing { unfilled(room, from: missing.completeUntil, to: liveSince, .unsupported) }
            return
        }
        let back = backward(known.start, liveSince: liveSince, horizon: horizon ?? self.horizon)
        if let missing {
            unfilled(room, from: missing.completeUntil, to: liveSince, .pending, nextTry: now.at)
            let anchors = missing.anchors.map(HistoryPoint.init)
            let after = anchors.first.map { HistoryFill.Start.after($0, earlier: Array(anchors.dropFirst())) }
            begin(
                room, after ?? .latest(horizon: missing.completeUntil.milliseconds),
                missingSince: missing.completeUntil, quietSince: missing.quietSince, next: back)
        } else if let back {
            begin(room, back, missingSince: nil)
        }
    }

    /// Where to begin with what came before the archive; nil where that was requested before.
    private func backward(_ start: HistoryStart?, liveSince: Timestamp, horizon: Int64??) -> HistoryFill.Start? {
        guard let horizon else { return nil }
        guard let start, start.archivedSince < liveSince else { return .latest(horizon: horizon) }
        let end = horizon.map { Timestamp(milliseconds: $0) } ?? .earliestBelieved
        if let asked = start.askedBackTo, asked <= end { return nil }
        return .before(start.archivedSince.milliseconds + 1, horizon: horizon)
    }

    /// Returns the next request for history, to be sent once nothing else waits to be sent.
    mutating func askForHistory(at elapsed: Duration) -> IRCMessage? {
        prepareList()
        return history.nextRequest(at: elapsed, isLabeled: registration.capabilities.contains("labeled-response"))
    }

    /// Takes an answer about history; false where the output is something else.
    mutating func takeHistory(_ output: BatchCollector.Output) -> Bool {
        guard let (subject, reply) = history.receive(output, mapping: names.mapping) else { return false }
        switch output {
        case .batch(let batch), .broken(let batch, _):
            hear(batch.dropping(before: repeated(reply, of: subject)), replayOf: nil)
        case .message, .stray: break
        }
        guard let subject else { return true }
        switch reply {
        case .batch(let batch): received(batch.messages, of: subject)
        case .nothing: received([], of: subject)
        case .tooLarge: tooLarge(subject)
        case .failure(let code, let text): failed(subject, code: code, text: text)
        }
        return true
    }

    /// The end of the part of the answer that comes again, in milliseconds since 1970. Live messages don't count, as
    /// they are stored as soon as they come.
    private func repeated(_ reply: ReplyMatcher.Reply, of subject: IRCHistory.Subject?) -> Int64 {
        guard case .room(let key) = subject, case .batch(let batch) = reply, let room = history.rooms[key] else {
            return .min
        }
        return min(room.fill.repeated(page: batch.messages.map(names.decoded)) ?? .min, room.liveSince.milliseconds)
    }

    /// Handles requests without an answer, and repeats those whose wait is over.
    mutating func tickHistory() {
        if let subject = history.unanswered(at: now.elapsed) {
            failed(subject, code: HistoryFill.timeout, text: "no answer within \(IRCHistory.answerTimeout)")
        }
        for subject in history.retries(at: now.elapsed) {
            switch subject {
            case .targets: takeTargets(history.targets?.search?.begin() ?? [])
            case .room(let key):
                var actions: [HistoryFill.Action] = []
                history.change(key) { actions = $0.fill.retry() }
                take(actions, of: key)
            }
        }
    }

    /// Ends the history of a room that we have left.
    mutating func forgetHistory(of room: RoomReference) {
        history.remove(room.key)
        (liveSince[room.key], unsettled[room.key]) = (nil, nil)
    }

    /// How far back a room is requested that was never archived, in milliseconds since 1970: an inner nil means without
    /// limit, an outer nil not at all.
    var horizon: Int64?? {
        guard let days = configuration.historyDays else { return .some(nil) }
        guard days > 0 else { return nil }
        return networkTime(openedAt).advanced(by: .seconds(-86_400 * days)).milliseconds
    }

    private mutating func begin(
        _ room: RoomReference, _ start: HistoryFill.Start, missingSince: Timestamp?, quietSince: Int64? = nil,
        next: HistoryFill.Start? = nil
    ) {
        guard let liveSince = liveSince[room.key] else { return }
        let name = Array(room.kind == .channel ? room.key.utf8 : room.name.utf8)
        let support = registration.support
        let fill = HistoryFill(
            target: name, start: start, limit: support.historyLimit ?? 0, types: support.referenceTypes)
        history.add(
            IRCHistory.Room(
                reference: room, name: name, liveSince: liveSince, missingSince: missingSince, fill: fill,
                next: next, quietSince: quietSince))
        var actions: [HistoryFill.Action] = []
        history.change(room.key) { actions = $0.fill.begin() }
        take(actions, of: room.key)
    }

    private mutating func received(_ page: [IRCMessage], of subject: IRCHistory.Subject) {
        switch subject {
        case .targets:
            history.targets?.failures = 0
            takeTargets(history.targets?.search?.receive(page: page) ?? [])
        case .room(let key):
            let since = liveSince[key]?.milliseconds ?? .max
            history.note(paged: page.compactMap(HistoryPoint.init).filter { $0.milliseconds >= since }, in: key)
            noteInterruptions(in: page, of: key)
            var actions: [HistoryFill.Action] = []
            history.change(key) { room in
                room.messages += page.count
                actions = room.fill.receive(page: page.map(names.decoded))
            }
            take(actions, of: key)
        }
    }

    private mutating func tooLarge(_ subject: IRCHistory.Subject) {
        switch subject {
        case .targets: failedTargets("the server's answer is larger than can be read")
        case .room(let key):
            var actions: [HistoryFill.Action] = []
            history.change(key) { actions = $0.fill.tooLarge() }
            take(actions, of: key)
        }
    }

    private mutating func failed(_ subject: IRCHistory.Subject, code: String, text: String) {
        switch subject {
        case .targets: failedTargets("\(code): \(text)")
        case .room(let key):
            var actions: [HistoryFill.Action] = []
            history.change(key) { actions = $0.fill.fail(code: code, text: text) }
            take(actions, of: key)
        }
    }

    /// Handles fetched spans first, so that notes then go to the gaps that are left.
    private mutating func take(_ actions: [HistoryFill.Action], of key: String) {
        for case .covered(let from, let to) in actions { covered(key, from: from, to: to) }
        for action in actions {
            guard let room = history.rooms[key] else { return }
            switch action {
            case .covered: break
            case .request(let request): history.post(request, of: .room(key: key))
            case .gap(let from, let to, let gap):
                let lost = UnfilledHistory(
                    room: room.reference, from: Timestamp(milliseconds: from),
                    to: to.map { Timestamp(milliseconds: $0) } ?? room.liveSince, reason: gap.reason,
                    detail: configuration.secrets.mask(gap.detail))
                history.change(key) { if $0.lost.count < IRCHistory.Room.maximumLost { $0.lost.append(lost) } }
                step.events.append(.unfilled(lost, at: now.at))
            case .retry(let seconds, let code, let text):
                history.wait(.room(key: key), until: now.elapsed + .seconds(seconds))
                history.change(key) { $0.wasRefused = true }
                var end = room.liveSince
                if case .before(let archived, _) = room.fill.start { end = Timestamp(milliseconds: archived) }
                unfilled(
                    room.reference, from: room.missingSince ?? .earliestBelieved, to: end, .refused,
                    detail: "\(code): \(text)", nextTry: now.at.advanced(by: .seconds(seconds)))
            case .finished: finished(room)
            }
        }
    }

    private mutating func covered(_ key: String, from: Int64, to: Int64?) {
        guard let room = history.rooms[key] else { return }
        let end = to.map { Timestamp(milliseconds: $0).advanced(byMicroseconds: -1) } ?? room.liveSince
        var start = Timestamp(milliseconds: from)
        // Between the end of what was heard and the last message that was, nothing is missing.
        if case .after(let anchor, _) = room.fill.start, anchor.milliseconds == from, let since = room.missingSince {
            start = min(start, since)
        }
        history.change(key) { room in
            if case .after = room.fill.start { room.reached = end } else { room.reached = start }
        }
        let span = history.claim(key, from: start, to: end)
        claim(room.reference, from: span.from, to: span.to, without: span.interruptions)
    }

    mutating func finished(_ room: IRCHistory.Room) {
        history.remove(room.reference.key)
        step.fetched.append(IRCFetched(room: room.reference.name, messages: room.messages))
        switch room.fill.start {
        case .after: break
        case .latest, .before:
            if let since = room.missingSince { reachedBack(room, to: since) }
        }
        if room.missingSince == nil, room.lost.isEmpty, let horizon = room.fill.start.horizon {
            let end = horizon.map { Timestamp(milliseconds: $0) } ?? .earliestBelieved
            step.events.append(.askedBack(room.reference, to: end))
        }
        // A refusal between two pages was noted on what was given up before, too.
        if room.wasRefused { step.events += room.lost.map { .unfilled($0, at: now.at) } }
        if let next = room.next { begin(room.reference, next, missingSince: nil) }
    }

    /// Notes that history begins after the time to which the archive was complete. Nobody can know whether it once held
    /// more: even a history without messages may have been cut.
    private mutating func reachedBack(_ room: IRCHistory.Room, to since: Timestamp) {
        guard since <= room.liveSince, room.lost.isEmpty, room.reached.map({ $0 > since }) ?? true else { return }
        unfilled(
            room.reference, from: since, to: room.liveSince, .limit,
            detail: "the server's history holds nothing from before")
    }

    mutating func unfilled(
        _ room: RoomReference, from: Timestamp, to: Timestamp, _ reason: UnfilledReason, detail: String? = nil,
        nextTry: Timestamp? = nil
    ) {
        let detail = detail.map(configuration.secrets.mask)
        let history = UnfilledHistory(room: room, from: from, to: to, reason: reason, detail: detail, nextTry: nextTry)
        step.events.append(.unfilled(history, at: now.at))
    }
}

/// Reports that a room's history was fetched.
struct IRCFetched: Sendable, Hashable {
    var room: String
    /// The number of messages in it, known ones included.
    var messages: Int
}

extension HistoryFill.Start {
    /// How far back it goes: an outer nil means not back, an inner nil as far as the server has history.
    fileprivate var horizon: Int64?? {
        switch self {
        case .after: nil
        case .latest(let horizon), .before(_, let horizon): .some(horizon)
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
