import ChatModel
import IRCWire

/// Conversations in which something was said while we were away (`CHATHISTORY TARGETS`).
extension IRCSession {
    mutating func searchTargets(_ known: [KnownRoom], _ complete: Timestamp?) {
        guard hasHistory else {
            for known in known { fill(known) }
            return
        }
        // Where none is known, all there are may be missing.
        let since = known.compactMap(\.start?.completeUntil).min() ?? (horizon == nil ? complete : nil)
        guard let from = since?.milliseconds ?? horizon.map({ $0 ?? 0 }) else { return }
        let search = HistoryTargets(
            from: from - Self.targetsOverlap, to: networkTime(now.at).milliseconds + Self.targetsOverlap,
            limit: registration.support.historyLimit ?? 0, mapping: names.mapping)
        history.targets = IRCHistory.Targets(
            search: search, horizon: horizon ?? complete?.milliseconds,
            known: Dictionary(known.map { ($0.room.key, $0) }) { first, _ in first })
        takeTargets(search.begin())
    }

    /// So that a message of the last millisecond, or of a server whose clock differs, is in it: the network's servers are
    /// within seconds of each other as a rule.
    private static let targetsOverlap: Int64 = 10_000

    mutating func takeTargets(_ actions: [HistoryTargets.Action]) {
        for action in actions {
            switch action {
            case .request(let request): history.post(request, of: .targets)
            case .found(let name, _):
                if !registration.support.isChannel(name) { history.targets?.found.append(name) }
            case .finished(let isComplete): finishedTargets(isComplete: isComplete)
            }
        }
    }

    /// Those that were found are asked for, and in the others nothing was said.
    private mutating func finishedTargets(isComplete: Bool) {
        guard let targets = history.targets else { return }
        history.targets = nil
        var others = targets.known
        for nick in targets.found {
            let room = direct(nick)
            // Those that are known are live since the clock was told first.
            liveSince[room.key] = liveSince[room.key] ?? networkTime(openedAt)
            fill(others.removeValue(forKey: room.key) ?? KnownRoom(room: room), horizon: targets.horizon)
        }
        for known in others.values {
            guard let since = known.start?.completeUntil, let end = liveSince[known.room.key], since <= end else {
                continue
            }
            if isComplete {
                step.events.append(.fetched(session: id, room: known.room, from: since, to: end))
            } else {
                unfilled(known.room, from: since, to: end, .burst, detail: Self.targetsBurst)
            }
        }
    }

    private static let targetsBurst = "the server has more conversations of one time than it tells of"

    mutating func failedTargets(_ detail: String) {
        guard let targets = history.targets else { return }
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

extension Timestamp {
    /// Since 1970 UTC, the rest cut.
    var milliseconds: Int64 { microseconds / 1000 }

    init(milliseconds: Int64) {
        self.init(microseconds: milliseconds * 1000)
    }
}
