import IRCWire

/// Which of the rooms that we want we are in, and when to ask for the others; all times are since one instant.
struct IRCJoining: Sendable {
    private enum State {
        case wanted(at: Duration)
        /// To be asked for when a line may be sent.
        case due
        case asked(at: Duration)
        case joined(at: Duration)
        /// This server can't have it.
        case impossible
    }

    private struct Room {
        /// Its place in the configuration's order.
        let place: Int
        /// Folded, of the configuration: the network may have renamed it.
        let configured: [UInt8]
        var name: [UInt8]
        var key: [UInt8]?
        /// The server said that this is the matter with it.
        var isKeyWrong = false
        var state: State
        var backoff: Backoff
        /// What was said of it last.
        var trouble: String?
    }

    /// A line has 512 bytes, and a channel takes two with its comma, but for odd ones.
    private static let channelsALine = 256
    /// Rooms that are refused again and again are asked for together: a thousand would else need every line that may be sent.
    private static let rhythm: Duration = .seconds(60)

    private let answerTimeout: Duration
    private let limits: Backoff.Limits
    private let mapping: CaseMapping
    private var renames: RoomRenames
    private var rooms: [[UInt8]: Room] = [:]
    private var lastPlace = 0
    /// Those that are due, in their order.
    private var queue: [[UInt8]] = []
    private var random: any RandomNumberGenerator & Sendable

    /// - Parameters:
    ///   - names: As the configuration has them.
    ///   - renames: What rooms are called by now, by folded names that they had.
    ///   - keys: What rooms are locked with, by any of their names.
    init(
        _ names: [String], renames: [[UInt8]: [UInt8]] = [:], keys: [String: String] = [:], mapping: CaseMapping,
        limits: Backoff.Limits, answerTimeout: Duration, now: Duration, random: any RandomNumberGenerator & Sendable
    ) {
        (self.mapping, self.limits, self.answerTimeout, self.random) = (mapping, limits, answerTimeout, random)
        self.renames = RoomRenames(renames, mapping: mapping)
        _ = want(names, at: now)
        renew(keys: keys, at: now)
    }

    /// From now on these are wanted, and no others.
    ///
    /// A name that a room had before is that room's, unless its name of today is in the configuration, too.
    ///
    /// - Returns: those that were wanted until now, and whether an answer to the JOIN of each is waited for.
    mutating func want(_ names: [String], at now: Duration) -> [(name: [UInt8], isAsked: Bool)] {
        let configured = names.map { Array($0.utf8) }
        let keys = Set(configured.map(mapping.fold))
        let present = configured.map { name -> [UInt8] in
            guard let today = renames.today(of: mapping.fold(name)), !keys.contains(mapping.fold(today)) else {
                return name
            }
            return today
        }
        let wanted = Set(present.map(mapping.fold))
        let dropped = inOrder { key, _ in !wanted.contains(key) }.compactMap { rooms[$0]?.name }.map {
            ($0, isAsked($0))
        }
        queue.removeAll { !wanted.contains($0) }
        rooms = rooms.filter { wanted.contains($0.key) }
        for (configured, name) in zip(configured, present) where rooms[mapping.fold(name)] == nil {
            lastPlace += 1
            rooms[mapping.fold(name)] = Room(
                place: lastPlace, configured: mapping.fold(configured), name: name, state: .wanted(at: now),
                backoff: Backoff(limits: limits))
        }
        return dropped
    }

    func isWanted(_ name: [UInt8]) -> Bool { rooms[mapping.fold(name)] != nil }

    /// Whether an answer to its JOIN is waited for.
    func isAsked(_ name: [UInt8]) -> Bool {
        if case .asked = rooms[mapping.fold(name)]?.state { true } else { false }
    }

    /// When it will be asked for again; nil where it won't, or is being.
    func nextTry(_ name: [UInt8]) -> Duration? {
        if case .wanted(let time) = rooms[mapping.fold(name)]?.state { time } else { nil }
    }

    /// The rooms whose time has come wait for a line of their own from here on.
    ///
    /// - Returns: those that this server can't have.
    mutating func ripen(at now: Duration, support: ISupport) -> [[UInt8]] {
        let ripe = inOrder { if case .wanted(let time) = $1.state { time <= now } else { false } }
        guard !ripe.isEmpty else { return [] }
        let refused = JoinLines(ripe.compactMap(channel), support: support).refused.map(\.name)
        for key in ripe { rooms[key]?.state = .due }
        for name in refused { rooms[mapping.fold(name)]?.state = .impossible }
        queue += ripe.filter(isDue)
        return refused
    }

    /// Whether ``ask(at:support:)`` has a line to send.
    var hasDue: Bool { !queue.isEmpty }

    /// A line for as many of the rooms that are due as it takes, which is sent now: they count as asked for. Nil where none is.
    mutating func ask(at now: Duration, support: ISupport) -> IRCMessage? {
        while !queue.isEmpty {
            let first = Array(queue.prefix(Self.channelsALine))
            let joins = JoinLines(first.compactMap(channel), support: support)
            let comma = UInt8(ascii: ",")
            for name in joins.lines.first?.param(0).split(separator: comma) ?? [] {
                rooms[mapping.fold(Array(name))]?.state = .asked(at: now)
            }
            // Since they became due, what the server allows has changed.
            for refused in joins.refused { rooms[mapping.fold(refused.name)]?.state = .wanted(at: now) }
            queue.replaceSubrange(0..<first.count, with: first.filter(isDue))
            if let line = joins.lines.first { return line }
        }
        return nil
    }

    /// Rooms about which the server has said nothing for too long; they are tried again later.
    mutating func unanswered(at now: Duration) -> [[UInt8]] {
        let late = inOrder { if case .asked(let time) = $1.state { now >= time + answerTimeout } else { false } }
        return late.compactMap { key in
            failed(key, lived: nil, at: now)
            return rooms[key]?.name
        }
    }

    /// Whether we are in every room that is wanted.
    var isComplete: Bool {
        rooms.values.allSatisfy { if case .joined = $0.state { true } else { false } }
    }

    /// When something is to be done; nil where nothing is.
    var nextDue: Duration? {
        rooms.values.compactMap { room in
            switch room.state {
            case .wanted(let time): time
            case .asked(let time): time + answerTimeout
            case .due, .joined, .impossible: nil
            }
        }.min()
    }

    mutating func joined(_ name: [UInt8], at now: Duration) {
        let key = mapping.fold(name)
        if isDue(key) { queue.removeAll { $0 == key } }
        rooms[key]?.state = .joined(at: now)
        rooms[key]?.trouble = nil
        rooms[key]?.isKeyWrong = false
    }

    /// The server said no.
    mutating func refused(_ name: [UInt8], forItsKey isKeyWrong: Bool = false, at now: Duration) {
        rooms[mapping.fold(name)]?.isKeyWrong = isKeyWrong
        failed(mapping.fold(name), lived: nil, at: now)
    }

    /// Somebody lets us in: a room that waits to be asked for again is asked for at once.
    ///
    /// - Returns: whether it is such a room.
    mutating func invited(to name: [UInt8], at now: Duration) -> Bool {
        guard case .wanted? = rooms[mapping.fold(name)]?.state else { return false }
        rooms[mapping.fold(name)]?.state = .wanted(at: now)
        return true
    }

    /// Whether a room is refused for its key.
    var lacksKey: Bool { rooms.values.contains(where: \.isKeyWrong) }

    /// Rooms that have another key now, and were refused for that, are asked for at once.
    mutating func renew(keys: [String: String], at now: Duration) {
        let keys = Dictionary(
            keys.map { (mapping.fold(Array($0.key.utf8)), Array($0.value.utf8)) },
            uniquingKeysWith: { first, _ in first })
        for (name, var room) in rooms {
            let key = keys[room.configured] ?? keys[name]
            guard key != room.key else { continue }
            room.key = key
            if room.isKeyWrong, case .wanted = room.state { room.state = .wanted(at: now) }
            rooms[name] = room
        }
    }

    /// The network calls it another name from here on; we are in it.
    mutating func renamed(_ old: [UInt8], to name: [UInt8], at now: Duration) {
        let (before, after) = (mapping.fold(old), mapping.fold(name))
        renames.note(before, is: name, folded: after)
        // What waits for a line is few, and waits once.
        if isDue(before) || isDue(after) { queue.removeAll { $0 == before || $0 == after } }
        guard var room = rooms.removeValue(forKey: before) else { return }
        (room.name, room.state) = (name, .joined(at: now))
        rooms[after] = room
    }

    /// We are not in it any more: kicked, parted by somebody else.
    mutating func left(_ name: [UInt8], at now: Duration) {
        guard case .joined(let since)? = rooms[mapping.fold(name)]?.state else { return }
        failed(mapping.fold(name), lived: now - since, at: now)
    }

    /// Whether it is news that this is wrong with the room.
    mutating func isNews(_ trouble: String, of name: [UInt8]) -> Bool {
        let before = rooms[mapping.fold(name)]?.trouble
        rooms[mapping.fold(name)]?.trouble = trouble
        return before != trouble
    }

    /// Keys of the rooms that are chosen, in the configuration's order.
    private func inOrder(_ isChosen: ([UInt8], Room) -> Bool) -> [[UInt8]] {
        rooms.filter { isChosen($0.key, $0.value) }.sorted { $0.value.place < $1.value.place }.map(\.key)
    }

    private func isDue(_ key: [UInt8]) -> Bool {
        if case .due? = rooms[key]?.state { true } else { false }
    }

    private func channel(_ key: [UInt8]) -> JoinLines.Channel? {
        rooms[key].map { JoinLines.Channel($0.name, key: $0.key) }
    }

    private mutating func failed(_ key: [UInt8], lived: Duration?, at now: Duration) {
        guard var room = rooms[key] else { return }
        let time = now + room.backoff.next(afterLiving: lived, using: &random)
        room.state = .wanted(at: room.backoff.bound > Self.rhythm ? time.roundedUp(to: Self.rhythm) : time)
        rooms[key] = room
    }
}

extension Duration {
    fileprivate func roundedUp(to step: Duration) -> Duration {
        let (time, step) = (microseconds, step.microseconds)
        return .microseconds((time + step - 1) / step * step)
    }
}
