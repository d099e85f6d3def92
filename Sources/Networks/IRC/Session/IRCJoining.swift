import IRCWire
import Sessions

/// Tracks the wanted rooms: which of them we are in, and the times to join the others. All durations count from one
/// instant.
struct IRCJoining: Sendable {
    private enum State {
        case wanted(at: Duration)
        /// Ready to be joined with the next line.
        case due
        case requested(at: Duration)
        case joined(at: Duration)
        /// The server can't have a room of this name.
        case impossible
    }

    private struct Room {
        /// The place in the configuration's order.
        let place: Int
        /// The configured name, folded. The network may have renamed the room.
        let configured: [UInt8]
        var name: [UInt8]
        var key: [UInt8]?
        /// True if the server refused the room because of its key.
        var isKeyWrong = false
        var state: State
        var backoff: Backoff
        /// The last reported trouble of the room.
        var trouble: String?
    }

    /// The limit of channels to try for one line: a line has 512 bytes, and a channel usually takes at least two with
    /// its comma.
    private static let channelsALine = 256
    /// The step to which retries of refused rooms are rounded, so that they share lines: a thousand would otherwise
    /// take every line that may be sent.
    private static let retryStep: Duration = .seconds(60)

    private let answerTimeout: Duration
    private let limits: Backoff.Limits
    private let mapping: CaseMapping
    private var renames: RoomRenames
    private var rooms: [[UInt8]: Room] = [:]
    private var lastPlace = 0
    /// Keys of the rooms that are due, in the order in which they became due.
    private var queue: [[UInt8]] = []
    private var random: any RandomNumberGenerator & Sendable

    /// - Parameters:
    ///   - names: The names in the configuration.
    ///   - renames: The present names of rooms, by folded former names.
    ///   - keys: The channel keys (mode `k`), by any of a room's names.
    init(
        _ names: [String], renames: [[UInt8]: [UInt8]] = [:], keys: [String: String] = [:], mapping: CaseMapping,
        limits: Backoff.Limits, answerTimeout: Duration, now: Duration, random: any RandomNumberGenerator & Sendable
    ) {
        (self.mapping, self.limits, self.answerTimeout, self.random) = (mapping, limits, answerTimeout, random)
        self.renames = RoomRenames(renames, mapping: mapping)
        _ = setWantedRooms(names, at: now)
        renew(keys: keys, at: now)
    }

    /// Replaces the wanted rooms.
    ///
    /// A former name of a room means that room, unless the configuration also has its present name.
    ///
    /// - Returns: The rooms that are no longer wanted; `isRequested` is true if the JOIN has no answer yet.
    mutating func setWantedRooms(_ names: [String], at now: Duration) -> [(name: [UInt8], isRequested: Bool)] {
        let configured = names.map { Array($0.utf8) }
        let keys = Set(configured.map(mapping.fold))
        let present = configured.map { name -> [UInt8] in
            guard let current = renames.currentName(of: mapping.fold(name)), !keys.contains(mapping.fold(current))
            else {
                return name
            }
            return current
        }
        let wanted = Set(present.map(mapping.fold))
        let dropped = inOrder { key, _ in !wanted.contains(key) }.compactMap { rooms[$0]?.name }.map {
            ($0, isRequested($0))
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

    /// Returns true if the room's JOIN has no answer yet.
    func isRequested(_ name: [UInt8]) -> Bool {
        if case .requested = rooms[mapping.fold(name)]?.state { true } else { false }
    }

    /// Returns the time of the next request for the room; nil if there is none, or if an answer is pending.
    func nextTry(_ name: [UInt8]) -> Duration? {
        if case .wanted(let time) = rooms[mapping.fold(name)]?.state { time } else { nil }
    }

    /// Moves the rooms whose time has come to the queue.
    ///
    /// - Returns: The rooms that can't exist on this server.
    mutating func markDue(at now: Duration, support: ISupport) -> [[UInt8]] {
        let dueKeys = inOrder { if case .wanted(let time) = $1.state { time <= now } else { false } }
        guard !dueKeys.isEmpty else { return [] }
        let refused = JoinLines(dueKeys.compactMap(channel), support: support).refused.map(\.name)
        for key in dueKeys { rooms[key]?.state = .due }
        for name in refused { rooms[mapping.fold(name)]?.state = .impossible }
        queue += dueKeys.filter(isDue)
        return refused
    }

    /// True if ``nextJoin(at:support:)`` would return a line.
    var hasDue: Bool { !queue.isEmpty }

    /// Returns a line for as many due rooms as fit, and marks them as requested; nil if no room is due. The caller must
    /// send the line now.
    mutating func nextJoin(at now: Duration, support: ISupport) -> IRCMessage? {
        while !queue.isEmpty {
            let first = Array(queue.prefix(Self.channelsALine))
            let joins = JoinLines(first.compactMap(channel), support: support)
            let comma = UInt8(ascii: ",")
            for name in joins.lines.first?.param(0).split(separator: comma) ?? [] {
                rooms[mapping.fold(Array(name))]?.state = .requested(at: now)
            }
            // The server's limits have changed since the rooms became due.
            for refused in joins.refused { rooms[mapping.fold(refused.name)]?.state = .wanted(at: now) }
            queue.replaceSubrange(0..<first.count, with: first.filter(isDue))
            if let line = joins.lines.first { return line }
        }
        return nil
    }

    /// Returns the rooms whose JOIN was not answered in time. They are requested again later.
    mutating func unanswered(at now: Duration) -> [[UInt8]] {
        let late = inOrder { if case .requested(let time) = $1.state { now >= time + answerTimeout } else { false } }
        return late.compactMap { key in
            failed(key, uptime: nil, at: now)
            return rooms[key]?.name
        }
    }

    /// True if we are in every wanted room.
    var isComplete: Bool {
        rooms.values.allSatisfy { if case .joined = $0.state { true } else { false } }
    }

    /// The time of the next work; nil if none is due.
    var nextDue: Duration? {
        rooms.values.compactMap { room in
            switch room.state {
            case .wanted(let time): time
            case .requested(let time): time + answerTimeout
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

    /// Notes that the server refused the room, which is requested again later.
    mutating func refused(_ name: [UInt8], forItsKey isKeyWrong: Bool = false, at now: Duration) {
        rooms[mapping.fold(name)]?.isKeyWrong = isKeyWrong
        failed(mapping.fold(name), uptime: nil, at: now)
    }

    /// Notes an invitation: a room that waits for its next JOIN becomes due at once.
    ///
    /// - Returns: True if the room waited.
    mutating func invited(to name: [UInt8], at now: Duration) -> Bool {
        guard case .wanted? = rooms[mapping.fold(name)]?.state else { return false }
        rooms[mapping.fold(name)]?.state = .wanted(at: now)
        return true
    }

    /// True if a room is refused because of its key.
    var lacksKey: Bool { rooms.values.contains(where: \.isKeyWrong) }

    /// Replaces the channel keys. Rooms that were refused because of the key, and have another one now, become due at
    /// once.
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

    /// Notes that the network renamed a room, in which we still are.
    mutating func renamed(_ old: [UInt8], to name: [UInt8], at now: Duration) {
        let (before, after) = (mapping.fold(old), mapping.fold(name))
        renames.rename(before, to: name, folded: after)
        // The queue is short, and has each room once.
        if isDue(before) || isDue(after) { queue.removeAll { $0 == before || $0 == after } }
        guard var room = rooms.removeValue(forKey: before) else { return }
        (room.name, room.state) = (name, .joined(at: now))
        rooms[after] = room
    }

    /// Notes that we have left the room, by a KICK or by a PART of another client.
    mutating func left(_ name: [UInt8], at now: Duration) {
        guard case .joined(let since)? = rooms[mapping.fold(name)]?.state else { return }
        failed(mapping.fold(name), uptime: now - since, at: now)
    }

    /// Notes the trouble with a room. Returns true if it differs from the last one.
    mutating func isNewTrouble(_ trouble: String, of name: [UInt8]) -> Bool {
        let before = rooms[mapping.fold(name)]?.trouble
        rooms[mapping.fold(name)]?.trouble = trouble
        return before != trouble
    }

    /// Returns the keys of the chosen rooms, in the configuration's order.
    private func inOrder(_ isChosen: ([UInt8], Room) -> Bool) -> [[UInt8]] {
        rooms.filter { isChosen($0.key, $0.value) }.sorted { $0.value.place < $1.value.place }.map(\.key)
    }

    private func isDue(_ key: [UInt8]) -> Bool {
        if case .due? = rooms[key]?.state { true } else { false }
    }

    private func channel(_ key: [UInt8]) -> JoinLines.Channel? {
        rooms[key].map { JoinLines.Channel($0.name, key: $0.key) }
    }

    private mutating func failed(_ key: [UInt8], uptime: Duration?, at now: Duration) {
        guard var room = rooms[key] else { return }
        let time = now + room.backoff.next(afterUptime: uptime, using: &random)
        room.state = .wanted(at: room.backoff.bound > Self.retryStep ? time.roundedUp(to: Self.retryStep) : time)
        rooms[key] = room
    }
}

extension Duration {
    fileprivate func roundedUp(to step: Duration) -> Duration {
        let (time, step) = (microseconds, step.microseconds)
        return .microseconds((time + step - 1) / step * step)
    }
}
