import ChatModel
import IRCWire
import Sessions

/// Finds conversations with messages from while we were away (`CHATHISTORY TARGETS`).
extension IRCBackfill {
    mutating func searchTargets(
        _ known: [IRCLookup.KnownRoom], _ complete: Timestamp?, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        let configured = IRCHorizon(presence)
        guard presence.hasHistory else {
            for known in known { fill(known, horizon: configured, &presence, &step) }
            return
        }
        let (earliest, horizon) =
            switch configured {
            case .nothing: (complete?.milliseconds, complete?.milliseconds)
            case .back(let time): (time ?? 0, time)
            }
        // Begins before the last message of each conversation, so that the list has it. If no conversation is known,
        // all of them may be missing.
        let since = known.compactMap { $0.start.map { $0.lastKnown ?? $0.completeUntil.milliseconds } }.min()
        guard let from = since ?? earliest else { return }
        history.targets = IRCHistory.Targets(
            since: from, horizon: horizon,
            known: Dictionary(known.map { ($0.room.key, $0) }) { first, _ in first })
    }

    /// The milliseconds by which the search is widened, for a message of the last millisecond and for servers with
    /// other clocks, which are usually within seconds of each other.
    private static let targetsOverlap: Int64 = 10_000

    /// Prepares the request for the list, which covers all rooms that wait by now. Without conversations, requests it
    /// only if many rooms wait.
    mutating func prepareList(_ presence: inout IRCPresence, _ step: inout IRCStep) {
        guard history.canRequest else { return }
        // A bouncer's list has no joins, so only the pages show the times in which the bouncer was not in a room.
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

    /// Handles the complete list. A conversation with the time of its last archived message has no newer message; one
    /// with another time is requested. A conversation that is not listed may have had messages that the server does not
    /// keep, such as messages to our dead connection, or messages that are too old. If the list is not complete, each
    /// known conversation that it lacks is requested.
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
            // There are too many conversations to keep this one.
            guard presence.directRooms.contains(room.key) else { continue }
            presence.markLive(room)
            if let known, known.start?.quietSince == latest {
                unchanged(known, &presence, &step)
            } else {
                let horizon = IRCHorizon.back(to: targets.horizon)
                fill(known ?? IRCLookup.KnownRoom(room: room), horizon: horizon, &presence, &step)
            }
        }
        if !isComplete, targets.since != nil { step.troubles.append(Self.targetsCut) }
        for (_, known) in others.sorted(by: { $0.key < $1.key }) {
            if isComplete {
                noteNotListed(known, presence, &step)
            } else {
                fill(known, horizon: .nothing, &presence, &step)
            }
        }
        finishUnchanged(targets, &presence, &step)
    }

    private func noteNotListed(_ known: IRCLookup.KnownRoom, _ presence: IRCPresence, _ step: inout IRCStep) {
        guard let since = known.start?.completeUntil, let end = presence.liveSince(known.room.key), since <= end else {
            return
        }
        noteUnfilled(
            known.room, from: since, to: end, .limit, detail: "the server's history does not have this conversation",
            presence, &step)
    }

    /// Covers the channels whose last message in the list is the last one in the archive.
    private mutating func finishUnchanged(
        _ targets: IRCHistory.Targets, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        // Each room is compared with one list only, so that all rooms are requested in the end.
        for key in targets.quiet.keys { history.change(key) { $0.quietSince = nil } }
        for key in targets.unchanged {
            guard let room = history.rooms[key], room.isNew, let since = room.missingSince else { continue }
            presence.claim(room.reference, from: since, to: room.liveSince, &step)
            finished(room, &presence, &step)
        }
        if !targets.quiet.isEmpty, targets.unchanged.isEmpty { history.isListingUseless = true }
    }

    private func unchanged(
        _ known: IRCLookup.KnownRoom, _ presence: inout IRCPresence, _ step: inout IRCStep
    ) {
        guard let since = known.start?.completeUntil, let end = presence.liveSince(known.room.key), since <= end else {
            return
        }
        presence.claim(known.room, from: since, to: end, &step)
    }

    private static let targetsCut =
        "new conversations may be missing: the server lists only a part of the conversations of one time"

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
            guard let since = known.start?.completeUntil, let end = presence.liveSince(known.room.key) else { continue }
            noteUnfilled(
                known.room, from: since, to: end, .refused, detail: detail,
                nextTry: step.at.advanced(by: .seconds(seconds)), presence, &step)
        }
    }
}

extension HistoryStart {
    /// The time of the last archived message, in milliseconds by the network's clock; nil if the network gives no
    /// times.
    fileprivate var lastKnown: Int64? { latest?.sourceTime?.milliseconds }

    /// The same time if the room was received for longer than that millisecond, so that the whole millisecond is
    /// archived; otherwise nil.
    var quietSince: Int64? { lastKnown.flatMap { $0 < completeUntil.milliseconds ? $0 : nil } }
}
