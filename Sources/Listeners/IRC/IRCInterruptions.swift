import ChatModel

/// Times in which a bouncer was not in a room, as far as the pages of the room's history have shown.
struct IRCInterruptions: Sendable {
    /// The account itself joined or left the room.
    struct Move: Sendable, Hashable {
        var time: Timestamp
        var isJoin: Bool
    }

    /// A time in which the account was not in the room.
    struct Interruption: Sendable, Hashable {
        /// When the account left; nil where the history has no departure, as the bouncer was not connected then.
        var from: Timestamp?
        /// When the account joined again.
        var to: Timestamp
    }

    /// True where the pages come in order of time; false where each page is before the last.
    let isForward: Bool
    /// Interruptions that no claim has covered yet.
    private var pending: [Interruption] = []
    /// The latest departure after which no join was seen.
    private var departure: Timestamp?
    /// The outermost move that was seen: pages overlap in time.
    private var reached: Timestamp?
    /// The interruption at which claims begin, or end.
    private var edge: Interruption?

    init(isForward: Bool) {
        self.isForward = isForward
    }

    /// Takes the moves of a page, in order of time.
    ///
    /// - Returns: The interruptions that the page shows.
    mutating func note(_ moves: [Move]) -> [Interruption] {
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
            // What follows it is what the pages before had.
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

    /// Returns the part of a span that is new to claim, and the interruptions in it.
    mutating func claim(
        from: Timestamp, to: Timestamp
    ) -> (from: Timestamp, to: Timestamp, interruptions: [Interruption]) {
        let start = isForward ? max(from, edge?.to ?? from) : from
        let end = isForward ? to : min(to, edge?.to ?? to)
        let within = pending.filter { $0.to > start && $0.to <= end }
        let again = isForward ? [] : [edge].compactMap(\.self).filter { $0.to > start && $0.to <= end }
        pending.removeAll(where: within.contains)
        edge = (isForward ? within.last : within.first) ?? edge
        return (start, end, within + again)
    }
}
