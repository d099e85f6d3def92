import ChatModel
import IRCWire

/// Finds conversations with messages from while we were away (`CHATHISTORY TARGETS`).
extension IRCBackfill {
    mutating func searchTargets(
        _ known: [KnownRoom], _ complete: Timestamp?, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        let configured = Horizon(presence)
        guard presence.hasHistory else {
            for known in known { fill(known, horizon: configured, &presence, &step) }
            return
        }
        let (earliest, horizon) =
            switch configured {
            case .nothing: (complete?.milliseconds, complete?.milliseconds)
            case .back(let time): (time ?? 0, time)
            }
        // From before the last message of each, so that it is listed; where none is known, all there are may be missing.
        let since = known.compactMap { $0.start.map { $0.lastKnown ?? $0.completeUntil.milliseconds } }.min()
        guard let from = since ?? earliest else { return }
        history.targets = IRCHistory.Targets(
            since: from, horizon: horizon,
            known: Dictionary(known.map { ($0.room.key, $0) }) { first, _ in first })
    }

    /// Milliseconds by which the search is widened, for a message of the last millisecond and for servers with other
    /// clocks: those of a network are usually within seconds of each other.
    private static let targetsOverlap: Int64 = 10_000

    /// Prepares the request for the list, which covers all rooms that wait by now. Requests it for rooms alone only
    /// where many wait.
    mutating func prepareList(_ presence: inout IRCPresence, _ step: inout IRCStep) {
        guard history.canAsk else { return }
        // A bouncer's list has no joins, so that it does not show where the bouncer was out of a room: its pages do.
        let quiet = history.isListingUseless || presence.isBouncer ? [:] : history.quietRooms
        if history.targets == nil, quiet.count >= IRCHistory.minimumForListing {
            history.targets = IRCHistory.Targets()
        }
        guard let targets = history.targets, targets.search == nil else { return }
        let from = quiet.values.reduce(targets.since ?? .max, min)
        let search = HistoryTargets(
            from: from - Self.targetsOverlap, to: presence.networkTime(step.at).milliseconds + Self.targetsOverlap,
            limit: presence.support.historyLimit ?? 0, mapping: presence.names.mapping)
        history.targets?.search = search
        history.targets?.quiet = quiet
        takeTargets(search.begin(), &presence, &step)
    }

    mutating func takeTargets(
        _ actions: [HistoryTargets.Action], _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        for action in actions {
            switch action {
            case .request(let request): history.post(request, of: .targets)
            case .found(let name, let latest): found(name, latest: latest, presence)
            case .finished(let isComplete): finishedTargets(isComplete: isComplete, &presence, &step)
            }
        }
    }

    private mutating func found(_ name: [UInt8], latest: Int64, _ presence: IRCPresence) {
        guard presence.support.isChannel(name) else {
            history.targets?.found.append((name, latest))
            return
        }
        let key = presence.names.channel(name).key
        if history.targets?.quiet[key] == latest { history.targets?.unchanged.append(key) }
    }

    /// Handles the complete list. A conversation that is listed with the time of its last archived message has no newer
    /// one; one with another time is requested. One that is not listed may have had any: the server does not have it,
    /// as it may not have messages to a dead connection of ours, or messages that are too old.
    private mutating func finishedTargets(
        isComplete: Bool, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        guard let targets = history.targets else { return }
        history.targets = nil
        var others = targets.known
        for (nick, latest) in targets.found {
            let key = presence.names.direct(nick).key
            let known = others.removeValue(forKey: key)
            if known == nil, let horizon = targets.horizon, latest < horizon { continue }
            guard targets.since != nil else { continue }
            let room = presence.direct(nick, &step)
            // Of too many.
            guard presence.directs.contains(room.key) else { continue }
            presence.markLive(room)
            if let known, known.start?.quietSince == latest {
                unchanged(known, &presence, &step)
            } else {
                let horizon = Horizon.back(to: targets.horizon)
                fill(known ?? KnownRoom(room: room), horizon: horizon, &presence, &step)
            }
        }
        for known in others.values {
            guard let since = known.start?.completeUntil, let end = presence.liveSince[known.room.key], since <= end
            else {
                continue
            }
            noteUnfilled(
                known.room, from: since, to: end, isComplete ? .limit : .burst,
                detail: isComplete ? Self.notListed : Self.targetsBurst, presence, &step)
        }
        // Each room is looked for in one list, so that all are requested in the end.
        for key in targets.quiet.keys { history.change(key) { $0.quietSince = nil } }
        for key in targets.unchanged {
            guard let room = history.rooms[key], room.isNew, let since = room.missingSince else { continue }
            presence.claim(room.reference, from: since, to: room.liveSince, &step)
            finished(room, &presence, &step)
        }
        if !targets.quiet.isEmpty, targets.unchanged.isEmpty { history.isListingUseless = true }
    }

    private func unchanged(
        _ known: KnownRoom, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        guard let since = known.start?.completeUntil, let end = presence.liveSince[known.room.key], since <= end else {
            return
        }
        presence.claim(known.room, from: since, to: end, &step)
    }

    private static let targetsBurst = "the server has more conversations of one time than it tells of"
    private static let notListed = "the server's history does not hold this conversation"

    mutating func failedTargets(_ detail: String, _ presence: IRCPresence, _ step: inout IRCStep) {
        history.targets?.quiet = [:]
        history.isListingUseless = true
        guard let targets = history.targets, targets.since != nil else {
            history.targets = nil
            return
        }
        let seconds = min(30 << min(targets.failures, 7), 3600)
        history.targets?.failures += 1
        history.wait(.targets, until: step.elapsed + .seconds(seconds))
        for known in targets.known.values {
            guard let since = known.start?.completeUntil, let end = presence.liveSince[known.room.key] else { continue }
            noteUnfilled(
                known.room, from: since, to: end, .refused, detail: detail,
                nextTry: step.at.advanced(by: .seconds(seconds)), presence, &step)
        }
    }
}

extension HistoryStart {
    /// The time of the last archived message, in milliseconds by the network's clock; nil where the network gives no
    /// times.
    fileprivate var lastKnown: Int64? { latest?.sourceTime?.milliseconds }

    /// The same where the room was live for longer than that millisecond, so that all of it is archived; else nil.
    var quietSince: Int64? { lastKnown.flatMap { $0 < completeUntil.milliseconds ? $0 : nil } }
}
