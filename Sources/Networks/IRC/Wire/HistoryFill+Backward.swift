extension HistoryFill {
    mutating func receiveBackward(_ points: [HistoryPoint], _ horizon: Int64?) -> [Action] {
        guard let first = points.first else { return receiveEmptyPage() }
        if let actions = burst(points, first, horizon) { return actions }
        guard !new(of: points).isEmpty else { return finish() }
        let isPast = reached.map { first.milliseconds < $0 } ?? true
        let time = min(first.milliseconds, reached ?? first.milliseconds)
        guard !isStalled(at: time, progressed: isPast) else { return end(.noProgress) }
        if let horizon, time < horizon { return finish(claim(from: horizon)) }
        previous = points
        // The first millisecond's beginning may be in the next page.
        return (isPast ? claim(from: time + 1) : []) + requestPage(next(before: points, first))
    }

    /// Handles a full page of one millisecond, like the method of the same name for forward fills.
    private mutating func burst(_ points: [HistoryPoint], _ first: HistoryPoint, _ horizon: Int64?) -> [Action]? {
        guard case .beforeTime(let base) = cursor, first.milliseconds >= base - 1, points.count >= pageSize,
            !asksByID(points)
        else { return nil }
        let isPast = reached.map { first.milliseconds < $0 } ?? true
        guard !isStalled(at: min(first.milliseconds, reached ?? .max), progressed: isPast) else {
            return end(.noProgress)
        }
        previous = points
        let end = first.milliseconds + 1
        let actions =
            claim(from: end) + [.gap(from: base - 1, to: min(end, bound ?? end), .burst(messages: points.count))]
        bound = base - 1
        if let horizon, base - 1 <= horizon { return finish(actions) }
        return actions + requestPage(.beforeTime(base - 1))
    }

    private func claim(from start: Int64) -> [Action] {
        guard bound.map({ start < $0 }) ?? true else { return [] }
        return [.covered(from: start, to: bound)]
    }

    private func next(before points: [HistoryPoint], _ first: HistoryPoint) -> Cursor {
        if asksByID(points), let id = points.first(where: { $0.msgid != nil })?.msgid { return .beforeID(id) }
        guard case .beforeTime(let base) = cursor else { return .beforeTime(first.milliseconds + 1) }
        return .beforeTime(min(first.milliseconds + 1, base - 1))
    }

    /// Handles an empty page. After a request by id, requests the time before that message, because the message may
    /// have been deleted. Does not claim the first millisecond, because the server may have cut a part of it.
    private mutating func receiveEmptyPage() -> [Action] {
        guard case .beforeID = cursor, asksByTime, let reached else { return finish() }
        return requestPage(.beforeTime(reached + 1))
    }
}
