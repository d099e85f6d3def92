import ChatModel
import IRCWire

/// Finds conversations with messages from while we were away (`CHATHISTORY TARGETS`).
extension IRCSession {
    mutating func searchTargets(_ known: [KnownRoom], _ complete: Timestamp?) {
        guard hasHistory else {
            for known in known { fill(known) }
            return
        }
        // From before the last message of each, so that it is listed; where none is known, all there are may be missing.
        let since = known.compactMap { $0.start.map { $0.lastKnown ?? $0.completeUntil.milliseconds } }.min()
        guard let from = since ?? (horizon == nil ? complete?.milliseconds : nil) ?? horizon.map({ $0 ?? 0 }) else {
            return
        }
        history.targets = IRCHistory.Targets(
            since: from, horizon: horizon ?? complete?.milliseconds,
            known: Dictionary(known.map { ($0.room.key, $0) }) { first, _ in first })
    }

    /// Milliseconds by which the search is widened, for a message of the last millisecond and for servers with other
    /// clocks: those of a network are usually within seconds of each other.
    private static let targetsOverlap: Int64 = 10_000

    /// Prepares the request for the list, which covers all rooms that wait by now. Requests it for rooms alone only
    /// where many wait.
    mutating func prepareList() {
        guard history.canAsk else { return }
        // A bouncer's list has no joins, so that it does not show where the bouncer was out of a room: its pages do.
        let quiet = history.isListingVain || isBouncer ? [:] : history.quietRooms
        if history.targets == nil, quiet.count >= IRCHistory.worthListing { history.targets = IRCHistory.Targets() }
        guard let targets = history.targets, targets.search == nil else { return }
        let from = quiet.values.reduce(targets.since ?? .max, min)
        let search = HistoryTargets(
            from: from - Self.targetsOverlap, to: networkTime(now.at).milliseconds + Self.targetsOverlap,
            limit: registration.support.historyLimit ?? 0, mapping: names.mapping)
        history.targets?.search = search
        history.targets?.quiet = quiet
        takeTargets(search.begin())
    }

    mutating func takeTargets(_ actions: [HistoryTargets.Action]) {
        for action in actions {
            switch action {
            case .request(let request): history.post(request, of: .targets)
            case .found(let name, let latest): found(name, latest: latest)
            case .finished(let isComplete): finishedTargets(isComplete: isComplete)
            }
        }
    }

    private mutating func found(_ name: [UInt8], latest: Int64) {
        guard registration.support.isChannel(name) else {
            history.targets?.found.append((name, latest))
            return
        }
        let key = names.channel(name).key
        if history.targets?.quiet[key] == latest { history.targets?.unchanged.append(key) }
    }

    /// Handles the complete list. A conversation that is listed with the time of its last archived message has no newer
    /// one; one with another time is requested. One that is not listed may have had any: the server does not have it,
    /// as it may not have messages to a dead connection of ours, or messages that are too old.
    private mutating func finishedTargets(isComplete: Bool) {
        guard let targets = history.targets else { return }
        history.targets = nil
        var others = targets.known
        for (nick, latest) in targets.found {
            let key = names.direct(nick).key
            let known = others.removeValue(forKey: key)
            if known == nil, let horizon = targets.horizon, latest < horizon { continue }
            guard targets.since != nil else { continue }
            let room = direct(nick)
            // Of too many.
            guard directs.contains(room.key) else { continue }
            // Those that are known are live since the clock was told first.
            liveSince[room.key] = liveSince[room.key] ?? networkTime(heardSince)
            if let known, known.start?.quietSince == latest {
                unchanged(known)
            } else {
                fill(known ?? KnownRoom(room: room), horizon: targets.horizon)
            }
        }
        for known in others.values {
            guard let since = known.start?.completeUntil, let end = liveSince[known.room.key], since <= end else {
                continue
            }
            unfilled(
                known.room, from: since, to: end, isComplete ? .limit : .burst,
                detail: isComplete ? Self.notListed : Self.targetsBurst)
        }
        // Each room is looked for in one list, so that all are asked for in the end.
        for key in targets.quiet.keys { history.change(key) { $0.quietSince = nil } }
        for key in targets.unchanged {
            guard let room = history.rooms[key], room.isNew, let since = room.missingSince else { continue }
            claim(room.reference, from: since, to: room.liveSince)
            finished(room)
        }
        if !targets.quiet.isEmpty, targets.unchanged.isEmpty { history.isListingVain = true }
    }

    private mutating func unchanged(_ known: KnownRoom) {
        guard let since = known.start?.completeUntil, let end = liveSince[known.room.key], since <= end else { return }
        claim(known.room, from: since, to: end)
    }

    private static let targetsBurst = "the server has more conversations of one time than it tells of"
    private static let notListed = "the server's history does not hold this conversation"

    mutating func failedTargets(_ detail: String) {
        history.targets?.quiet = [:]
        history.isListingVain = true
        guard let targets = history.targets, targets.since != nil else {
            history.targets = nil
            return
        }
        let seconds = min(30 << min(targets.failures, 7), 3600)
        history.targets?.failures += 1
        history.wait(.targets, until: now.elapsed + .seconds(seconds))
        for known in targets.known.values {
            guard let since = known.start?.completeUntil, let end = liveSince[known.room.key] else { continue }
            unfilled(
                known.room, from: since, to: end, .refused, detail: detail,
                nextTry: now.at.advanced(by: .seconds(seconds)))
        }
    }
}

extension HistoryStart {
    /// The time of the last archived message, in milliseconds by the network's clock; nil where the network gives no
    /// times.
    fileprivate var lastKnown: Int64? { latest?.sourceTime?.milliseconds }

    /// The same where the room was heard for longer than that millisecond, so that all of it is archived; else nil.
    var quietSince: Int64? { lastKnown.flatMap { $0 < completeUntil.milliseconds ? $0 : nil } }
}

extension Timestamp {
    /// Milliseconds since 1970 UTC, rounded towards zero.
    var milliseconds: Int64 { microseconds / 1000 }

    init(milliseconds: Int64) {
        self.init(microseconds: milliseconds * 1000)
    }
}
