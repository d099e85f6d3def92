extension HistoryFill {
    mutating func receiveForward(_ points: [HistoryPoint], _ anchor: HistoryPoint) -> [Action] {
        guard let end = newest else { return receiveNewest(points, anchor) }
        guard let last = points.last else { return isConnected([]) ? self.end(.anchorMissing) : lost(end) }
        if let actions = burst(points, last, end) { return actions }
        let isPast = reached.map { last.milliseconds > $0 } ?? true
        guard isConnected(points) else { return continueSearch(points, last, end, isPast: isPast) }
        return connect(points, last, end, isPast: isPast)
    }

    /// Handles the newest page, which reaches the live span: if it has an archived message, nothing is missing.
    private mutating func receiveNewest(_ points: [HistoryPoint], _ anchor: HistoryPoint) -> [Action] {
        guard !isConnected(points) else { return finish([.covered(from: anchor.milliseconds, to: nil)]) }
        if let end = unconnected(points) {
            newest = end
            if points.allSatisfy({ $0.milliseconds < end }) { tip = points }
            return [.covered(from: end, to: nil)] + search(isWide: false)
        }
        newest = points.first { $0.milliseconds > anchor.milliseconds }.map { $0.milliseconds + 1 }
        let claim = newest.map { [Action.covered(from: $0, to: nil)] } ?? []
        return claim + end(.anchorMissing)
    }

    /// Returns the time up to which messages of this page occur again in the pages that connect it with the archived
    /// ones, so that they need not be stored now. Nil if the whole page must be stored.
    package func repeated(page: [IRCMessage]) -> Int64? {
        guard case .after = start, newest == nil else { return nil }
        let points = page.compactMap(HistoryPoint.init).sorted { $0.milliseconds < $1.milliseconds }
        return isConnected(points) ? nil : unconnected(points)
    }

    /// Returns the proven beginning of the newest page, if it has no known message; nil if the page reaches further
    /// back.
    private func unconnected(_ points: [HistoryPoint]) -> Int64? {
        guard let anchor = known.first, let first = points.first, let last = points.last,
            first.milliseconds >= anchor.milliseconds - Self.overlap, last.milliseconds > anchor.milliseconds
        else { return nil }
        return max(first.milliseconds, anchor.milliseconds) + 1
    }

    /// Requests pages from a time so early that a complete answer has the newest known message, or the earliest one.
    mutating func search(isWide: Bool) -> [Action] {
        // Forgets the progress after that place, because the search starts there again.
        (reached, firstPast, previous, link) = (nil, nil, [], .search(isWide: isWide))
        forgetStalls()
        guard let sought = isWide ? known.last : known.first else { return end(.anchorMissing) }
        if asksByTime { return requestPage(.afterTime(sought.milliseconds - Self.overlap)) }
        // The page after an earlier message has the sought message.
        let ids = known.dropFirst(isWide ? known.count - 1 : 1) + known.prefix(1)
        guard let id = ids.lazy.compactMap(\.msgid).first else { return end(.anchorMissing) }
        return requestPage(.afterID(id))
    }

    private func isConnected(_ points: [HistoryPoint]) -> Bool {
        if case .successor = link { return true }
        return points.contains { point in known.contains { $0.isSame(as: point) } }
    }

    /// Returns true if everything up to the page that reaches the live span was received.
    private func isAtEnd(_ points: [HistoryPoint], _ time: Int64, _ end: Int64) -> Bool {
        time >= end || !tip.isEmpty && Self.difference(tip, points).isEmpty
    }

    /// Handles a page that is connected with the pages before it. Everything before its last millisecond is complete.
    private mutating func connect(
        _ points: [HistoryPoint], _ last: HistoryPoint, _ end: Int64, isPast: Bool
    ) -> [Action] {
        let time = max(last.milliseconds, reached ?? last.milliseconds)
        guard !isStalled(at: time, progressed: isPast) else { return self.end(.noProgress) }
        guard !isAtEnd(points, time, end) else { return finish(claim(to: end)) }
        let isNew = !new(of: points).isEmpty
        var wasSuccessor = false
        if case .successor = link { wasSuccessor = true }
        // The server reported more messages a moment ago.
        guard isNew || !wasSuccessor else { return self.end(.anchorMissing) }
        known = Array((points.reversed() + Self.difference(known, points)).prefix(Self.maximumKnown))
        previous = points
        return claim(to: time) + follow(points, last, isNew: isNew)
    }

    private mutating func follow(_ points: [HistoryPoint], _ last: HistoryPoint, isNew: Bool) -> [Action] {
        link = .overlap
        if asksByID(points) {
            if isNew, let before = points.dropLast().last?.msgid { return requestPage(.afterID(before)) }
            if let id = last.msgid {
                link = .successor
                return requestPage(.afterID(id))
            }
        }
        // Continues from the last millisecond again, because this page may have only a part of it.
        var time = last.milliseconds - 1
        if case .afterTime(let base) = cursor { time = max(time, base + 1) }
        if !isNew { time = max(time, last.milliseconds) }
        if time >= last.milliseconds { link = .successor }
        return requestPage(.afterTime(time))
    }

    /// Handles a page after which the sought message may still follow.
    private mutating func continueSearch(
        _ points: [HistoryPoint], _ last: HistoryPoint, _ end: Int64, isPast: Bool
    ) -> [Action] {
        guard case .search(let isWide) = link, let sought = known.first else { return lost(end) }
        firstPast = firstPast ?? points.first { $0.milliseconds > sought.milliseconds }?.milliseconds
        let isNew = !new(of: points).isEmpty
        let time = max(last.milliseconds, reached ?? last.milliseconds)
        guard !isStalled(at: time, progressed: isPast) else { return self.end(.noProgress) }
        guard isNew, !isAtEnd(points, time, end), time <= sought.milliseconds + Self.overlap else {
            guard isWide || known.count < 2 else { return search(isWide: true) }
            let actions = giveUp(end)
            if isFinished { return actions }
            return actions + (isNew ? connect(points, last, end, isPast: true) : self.end(.anchorMissing))
        }
        previous = points
        if asksByID(points), let id = points.last(where: { $0.msgid != nil })?.msgid {
            return requestPage(.afterID(id))
        }
        guard case .afterTime(let base) = cursor else { return requestPage(.afterTime(last.milliseconds - 1)) }
        return requestPage(.afterTime(max(last.milliseconds - 1, base + 1)))
    }

    /// Handles a page that has no known message and can't lead to one.
    private mutating func lost(_ end: Int64) -> [Action] {
        switch link {
        case .overlap, .successor: return search(isWide: false)
        case .search(let isWide):
            guard isWide || known.count < 2 else { return search(isWide: true) }
            let actions = giveUp(end)
            return isFinished ? actions : actions + self.end(.anchorMissing)
        }
    }

    /// Gives up the search: the server's history begins again after a gap.
    private mutating func giveUp(_ end: Int64) -> [Action] {
        guard let firstPast, let from = bound, firstPast + 1 < end else { return self.end(.anchorMissing) }
        // The server may also have forgotten a part of that millisecond.
        bound = max(firstPast + 1, from)
        return from < firstPast + 1 ? [.gap(from: from, to: firstPast + 1, .anchorMissing)] : []
    }

    /// Handles a full page of one millisecond, after which a request by time can't continue: the other messages of the
    /// millisecond are lost. Does not detect a server that returns fewer messages of one millisecond than its
    /// CHATHISTORY limit, although it has more.
    private mutating func burst(_ points: [HistoryPoint], _ last: HistoryPoint, _ end: Int64) -> [Action]? {
        guard case .afterTime(let base) = cursor, last.milliseconds <= base + 1, points.count >= pageSize,
            !asksByID(points)
        else { return nil }
        let isPast = reached.map { last.milliseconds > $0 } ?? true
        guard !isStalled(at: max(last.milliseconds, reached ?? .min), progressed: isPast) else {
            return self.end(.noProgress)
        }
        let next = base + 2
        var actions: [Action] = []
        if case .search = link, !isConnected(points) {
            previous = points
            guard let sought = known.first, next > sought.milliseconds else { return requestPage(.afterTime(base + 1)) }
            firstPast = firstPast ?? points.first { $0.milliseconds > sought.milliseconds }?.milliseconds
            if firstPast != nil { actions = giveUp(end) }
            if isFinished { return actions }
        }
        actions += claim(to: min(last.milliseconds, end))
        let from = max(last.milliseconds, bound ?? last.milliseconds)
        if from < min(next, end) {
            actions.append(.gap(from: from, to: min(next, end), .burst(messages: points.count)))
        }
        (known, previous, bound, link) = (Array(points.reversed().prefix(Self.maximumKnown)), points, next, .successor)
        return next < end ? actions + requestPage(.afterTime(base + 1)) : finish(actions)
    }

    private mutating func claim(to end: Int64) -> [Action] {
        guard let from = bound, end > from else { return [] }
        bound = end
        return [.covered(from: from, to: end)]
    }
}
