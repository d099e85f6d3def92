extension HistoryFill {
    mutating func receiveForward(_ points: [HistoryPoint], _ anchor: HistoryPoint, _ until: Int64?) -> [Action] {
        let isFirst = cursor == anchor.msgid.map { .afterID($0) } && !isAnchored
        guard let last = points.last else {
            // So an unknown msgid is answered, too.
            isAnchorAnswered = isAnchorAnswered || isFirst
            return isFirst ? seek(anchor) : endForward(anchor, until)
        }
        note(points, anchor, answersAnchor: isFirst)
        if let actions = burst(points, last, anchor, until) { return actions }
        // The server knows the anchor, so that nothing after it was the truth.
        let isTruth = isAnchorAnswered && last.isSame(as: anchor)
        guard !isTruth, !new(of: points).isEmpty else { return endForward(anchor, until) }
        let isPast = reached.map { last.milliseconds > $0 } ?? true
        let time = max(last.milliseconds, reached ?? last.milliseconds)
        guard !isStalled(at: time, progressed: isPast) else { return end(.noProgress) }
        if let until, time >= until { return endForward(anchor, until) }
        let actions = giveUpAnchor(anchor, until, beyond: Self.overlap) + (isPast ? claim(to: time) : [])
        previous = points
        return actions + ask(next(after: points, last))
    }

    /// Whatever kind of history: no page so far can be gone on from.
    mutating func end(_ reason: HistoryGap) -> [Action] {
        switch start {
        case .after(let first, let until):
            let anchor = anchor ?? first
            let from = max(isAnchored ? reached ?? anchor.milliseconds : anchor.milliseconds, bound ?? .min)
            guard until.map({ from < $0 }) ?? true else { return finish() }
            return finish([.gap(from: from, to: until, reason)])
        case .latest(let horizon), .before(_, let horizon):
            let to = reached.map { min($0 + 1, bound ?? .max) } ?? bound
            return finish([.gap(from: horizon ?? Self.earliest, to: to, reason)])
        }
    }

    /// By time, from so early that a complete answer holds the anchor.
    mutating func seek(_ anchor: HistoryPoint) -> [Action] {
        // What was seen after that place is no progress to go by any more.
        (reached, previous) = (nil, [])
        forgetStalls()
        return ask(.afterTime(anchor.milliseconds - Self.overlap))
    }

    /// The last message of the page before takes the anchor's place; where the anchor is still sought, it stays: nothing
    /// before it has to be whole.
    mutating func anchorAgain(on last: HistoryPoint, _ until: Int64?) -> [Action] {
        var actions: [Action] = []
        if let anchor, !isAnchored {
            actions = giveUpAnchor(anchor, until, beyond: 0)
            guard isAnchored else { return [] }
            actions += reached.map { claim(to: $0) } ?? []
        }
        switch cursor {
        case .afterID(let id): anchor = previous.last { $0.msgid == id } ?? last
        case .afterTime(let base):
            anchor = last
            cursor = .afterTime(min(base, last.milliseconds - 1))
        default: break
        }
        (isAnchored, isAnchorAnswered, firstPast) = (false, false, nil)
        return actions
    }

    private mutating func note(_ points: [HistoryPoint], _ anchor: HistoryPoint, answersAnchor: Bool) {
        guard !isAnchored else { return }
        isAnchored = answersAnchor || points.contains { $0.isSame(as: anchor) }
        firstPast = firstPast ?? points.first { $0.milliseconds > anchor.milliseconds }?.milliseconds
    }

    /// A full page of one millisecond can't be gone on from by time: what else that millisecond holds is lost. A server that
    /// gives fewer than its own CHATHISTORY limit of one millisecond, though it has more, is not found out.
    private mutating func burst(
        _ points: [HistoryPoint], _ last: HistoryPoint, _ anchor: HistoryPoint, _ until: Int64?
    ) -> [Action]? {
        guard case .afterTime(let base) = cursor, last.milliseconds <= base + 1, points.count >= pageSize,
            !types.contains(.msgid) || points.allSatisfy({ $0.msgid == nil })
        else { return nil }
        let isPast = reached.map { last.milliseconds > $0 } ?? true
        let end = base + 2
        guard !isStalled(at: max(last.milliseconds, reached ?? .min), progressed: isPast) else {
            return self.end(.noProgress)
        }
        previous = points
        guard end > anchor.milliseconds else { return ask(.afterTime(base + 1)) }
        let limit = until ?? .max
        var actions = giveUpAnchor(anchor, until, beyond: 0) + claim(to: min(last.milliseconds, limit))
        let from = max(last.milliseconds, bound ?? last.milliseconds)
        (isAnchored, bound) = (true, end)
        if from < min(end, limit) {
            actions.append(.gap(from: from, to: min(end, limit), .burst(messages: points.count)))
        }
        return end < limit ? actions + ask(.afterTime(base + 1)) : finish(actions)
    }

    /// Where what the server gives is that far past the anchor and does not hold it.
    private mutating func giveUpAnchor(_ anchor: HistoryPoint, _ until: Int64?, beyond: Int64) -> [Action] {
        guard !isAnchored, let reached, let firstPast, reached - anchor.milliseconds > beyond else { return [] }
        // Of that millisecond, too, the server may have forgotten a part.
        let end = firstPast + 1
        (isAnchored, bound) = (true, end)
        return [.gap(from: anchor.milliseconds, to: min(end, until ?? .max), .anchorMissing)]
    }

    private func claim(to end: Int64?) -> [Action] {
        guard isAnchored, let from = bound, end.map({ $0 > from }) ?? true else { return [] }
        return [.covered(from: from, to: end)]
    }

    private func next(after points: [HistoryPoint], _ last: HistoryPoint) -> Cursor {
        if types.contains(.msgid), let id = points.last(where: { $0.msgid != nil })?.msgid { return .afterID(id) }
        // Again from the last millisecond, of which this page may hold a part only.
        guard case .afterTime(let base) = cursor else { return .afterTime(last.milliseconds - 1) }
        return .afterTime(max(last.milliseconds - 1, base + 1))
    }

    private mutating func endForward(_ anchor: HistoryPoint, _ until: Int64?) -> [Action] {
        guard isAnchored || firstPast != nil else {
            return finish([.gap(from: anchor.milliseconds, to: until, .anchorMissing)])
        }
        return finish(giveUpAnchor(anchor, until, beyond: 0) + claim(to: until))
    }
}
