import ChatModel

/// The times in which a bouncer was not in a room, as far as the pages of the room's history show them.
struct IRCInterruptions: Sendable {
    /// A join or departure of the account itself.
    struct Move: Sendable, Hashable {
        var time: Timestamp
        var isJoin: Bool
    }

    /// A time in which the account was not in the room.
    struct Interruption: Sendable, Hashable {
        /// The time when the account left; nil if the history has no departure, because the bouncer was not connected.
        var from: Timestamp?
        /// The time when the account joined again.
        var to: Timestamp
    }

    /// True if the pages come in order of time, perhaps after the newest one; false if each page is earlier than the
    /// last.
    let isForward: Bool
    /// The interruptions that no claim has included yet.
    private var pending: [Interruption] = []
    /// The latest departure without a join after it.
    private var departure: Timestamp?
    /// The outermost move so far, because pages overlap in time.
    private var reached: Timestamp?
    /// The interruption at which claims begin, or end.
    private var edge: Interruption?

    init(isForward: Bool) {
        self.isForward = isForward
    }

    /// Handles the moves of a page, in order of time.
    ///
    /// - Returns: The interruptions that the page shows.
    mutating func addMoves(_ moves: [Move]) -> [Interruption] {
        var found: [Interruption] = []
        for move in moves where isNew(move.time) {
            if move.isJoin {
                found.append(Interruption(from: departure, to: move.time))
                departure = nil
            } else {
                departure = move.time
            }
        }
        if isForward {
            reached = moves.last?.time ?? reached
        } else {
            // The next move is in the pages before this one.
            if let left = departure, let next = pending.first ?? edge {
                found.append(Interruption(from: left, to: next.to))
            }
            (departure, reached) = (nil, moves.first?.time ?? reached)
        }
        pending = isForward ? pending + found : found + pending
        return found
    }

    private func isNew(_ time: Timestamp) -> Bool {
        guard let reached else { return true }
        return isForward ? time >= reached : time <= reached
    }

    /// Forgets the order of the newest page, because earlier pages follow. An interruption that ends at that page's first
    /// message remains.
    mutating func restart() {
        (departure, reached, edge) = (nil, nil, nil)
    }

    /// Returns the part of a span that was not claimed before, and the interruptions that end in it or at its end.
    mutating func claim(
        from: Timestamp, to: Timestamp
    ) -> (from: Timestamp, to: Timestamp, interruptions: [Interruption]) {
        let start = isForward ? max(from, edge?.to ?? from) : from
        let end = isForward ? to : min(to, edge?.to ?? to)
        let within = pending.filter { $0.to > start && $0.to <= end.next }
        let again = isForward ? [] : [edge].compactMap(\.self).filter { $0.to > start && $0.to <= end }
        pending.removeAll(where: within.contains)
        edge = (isForward ? within.last : within.first) ?? edge
        return (start, end, within + again)
    }
}

extension Timestamp {
    /// The microsecond after this one. A span ends a microsecond before the first message after it, which may be the
    /// account's join.
    var next: Timestamp { advanced(byMicroseconds: 1) }
}
