import IRCWire

/// Which of the rooms that we want we are in, and when to ask for the others; all times are since one instant.
struct IRCJoining: Sendable {
    private enum State {
        case wanted(at: Duration)
        case asked(at: Duration)
        case joined(at: Duration)
        /// This server can't have it.
        case impossible
    }

    private struct Room {
        let name: [UInt8]
        var state: State
        var backoff: Backoff
    }

    private let answerTimeout: Duration
    private let limits: Backoff.Limits
    private let mapping: CaseMapping
    private var rooms: [[UInt8]: Room] = [:]
    private var order: [[UInt8]] = []
    private var random: any RandomNumberGenerator & Sendable

    init(
        _ names: [String], mapping: CaseMapping, limits: Backoff.Limits, answerTimeout: Duration, now: Duration,
        random: any RandomNumberGenerator & Sendable
    ) {
        (self.mapping, self.limits, self.answerTimeout, self.random) = (mapping, limits, answerTimeout, random)
        _ = want(names, at: now)
    }

    /// From now on these are wanted, and no others.
    ///
    /// - Returns: those that were wanted until now, and whether an answer to the JOIN of each is waited for.
    mutating func want(_ names: [String], at now: Duration) -> [(name: [UInt8], isAsked: Bool)] {
        let wanted = Set(names.map { mapping.fold(Array($0.utf8)) })
        let dropped = order.filter { !wanted.contains($0) }.compactMap { rooms[$0]?.name }.map { ($0, isAsked($0)) }
        order.removeAll { !wanted.contains($0) }
        rooms = rooms.filter { wanted.contains($0.key) }
        for name in names.map({ Array($0.utf8) }) where rooms[mapping.fold(name)] == nil {
            rooms[mapping.fold(name)] = Room(name: name, state: .wanted(at: now), backoff: Backoff(limits: limits))
            order.append(mapping.fold(name))
        }
        return dropped
    }

    func isWanted(_ name: [UInt8]) -> Bool { rooms[mapping.fold(name)] != nil }

    /// Whether an answer to its JOIN is waited for.
    func isAsked(_ name: [UInt8]) -> Bool {
        if case .asked = rooms[mapping.fold(name)]?.state { true } else { false }
    }

    /// The rooms to ask for now, which then count as asked for.
    mutating func due(at now: Duration) -> [JoinLines.Channel] {
        var channels: [JoinLines.Channel] = []
        for key in order {
            guard case .wanted(let time)? = rooms[key]?.state, time <= now, let name = rooms[key]?.name else {
                continue
            }
            rooms[key]?.state = .asked(at: now)
            channels.append(JoinLines.Channel(name))
        }
        return channels
    }

    /// Rooms about which the server has said nothing for too long; they are tried again later.
    mutating func unanswered(at now: Duration) -> [[UInt8]] {
        let late = order.filter { key in
            if case .asked(let time)? = rooms[key]?.state { now >= time + answerTimeout } else { false }
        }
        return late.compactMap { key in
            failed(key, lived: nil, at: now)
            return rooms[key]?.name
        }
    }

    /// When something is to be done; nil where nothing is.
    var nextDue: Duration? {
        rooms.values.compactMap { room in
            switch room.state {
            case .wanted(let time): time
            case .asked(let time): time + answerTimeout
            case .joined, .impossible: nil
            }
        }.min()
    }

    mutating func joined(_ name: [UInt8], at now: Duration) {
        rooms[mapping.fold(name)]?.state = .joined(at: now)
    }

    /// The server said no.
    mutating func refused(_ name: [UInt8], at now: Duration) {
        failed(mapping.fold(name), lived: nil, at: now)
    }

    /// We are not in it any more: kicked, parted by somebody else.
    mutating func left(_ name: [UInt8], at now: Duration) {
        guard case .joined(let since)? = rooms[mapping.fold(name)]?.state else { return }
        failed(mapping.fold(name), lived: now - since, at: now)
    }

    mutating func isImpossible(_ name: [UInt8]) {
        rooms[mapping.fold(name)]?.state = .impossible
    }

    private mutating func failed(_ key: [UInt8], lived: Duration?, at now: Duration) {
        guard var room = rooms[key] else { return }
        room.state = .wanted(at: now + room.backoff.next(afterLiving: lived, using: &random))
        rooms[key] = room
    }
}
