import ChatModel
import IRCWire

/// The backlog of one room that bip replays. It has no ids and at most times of bip's own clock, so its lines are
/// compared with the stored ones in their order.
struct IRCBacklog: Sendable {
    /// A line with its text as it was said.
    struct Line: Sendable {
        /// The message, without a time of its own; nil for a line that only shows a time.
        var message: IncomingMessage?
        var time: BipTime?
    }

    /// The content in which a stored message and a line agree. bip's backlog does not distinguish notices.
    fileprivate struct Content: Hashable {
        let sender: String?
        let body: String?
        let isAction: Bool
    }

    /// The limit of comparisons of lines with equal stored messages, so that a room with one text in all lines costs
    /// 10 MB of memory at most.
    private static let maximumComparisons = 400_000
    /// The seconds by which bip's clock may differ from ours, transmission included.
    fileprivate static let clockTolerance: Int64 = 10
    /// Offsets of time zones are multiples of a quarter of an hour, in seconds.
    fileprivate static let zoneStep: Int64 = 900
    private static let day: Int64 = 86_400

    let lines: [Line]

    /// Returns the events for the lines that are not stored. A line that follows a stored one is not before it, so that
    /// the archive has bip's order, by which the next backlog is compared.
    ///
    /// - Parameters:
    ///   - stored: The newest messages of the room, newest first.
    ///   - key: Returns the key of a sender's name.
    ///   - zone: The zone of this machine, which counts as bip's if no line is stored.
    func newMessages(
        after stored: [StoredPoint], key: (String) -> String, now: Timestamp, zone: Zone = .current
    ) -> [ChatEvent] {
        let stored = stored.reversed().filter { [.message, .action, .notice].contains($0.kind) }
        let matches = matches(
            stored.map {
                Content(sender: $0.sender.map(key), body: $0.body, isAction: $0.kind == .action)
            }, stored.map { $0.id.time.microseconds / 1_000_000 })
        let shift = shift(matches, stored) ?? -Int64(zone.secondsFromGMT(at: now))
        var replay = IRCReplay()
        var previous: Timestamp?
        return zip(zip(lines, matches), times(shift: shift, now: now)).compactMap { line, time in
            if let place = line.1 { previous = stored[place].id.time }
            guard var message = line.0.message else { return nil }
            message.sourceTime = time
            if line.1 == nil, let last = previous, let time, time.isSlightlyBefore(last) {
                let next = last.advanced(byMicroseconds: 1)
                (message.sourceTime, previous) = (next, next)
                message.flags.formUnion(.toTheSecond)
                return .message(message, .replay(Occurrence(), .microsecond))
            }
            guard time != nil else {
                return line.1 == nil ? .message(message, .replay(Occurrence(), .microsecond)) : nil
            }
            let event = replay.event(message)
            return line.1 == nil ? event : nil
        }
    }

    /// Finds the longest common sequence of the lines and the stored messages (Hunt and Szymanski's algorithm).
    ///
    /// - Parameter seconds: The times of the stored messages, in seconds since 1970.
    /// - Returns: For each line, the place of its stored message; nil if it has none.
    private func matches(_ contents: [Content], _ seconds: [Int64]) -> [Int?] {
        var places: [Content: [Int]] = [:]
        for (place, content) in contents.enumerated() { places[content, default: []].append(place) }
        var nodes: [(line: Int, place: Int, previous: Int?)] = []
        // The last node of the best sequence of each length.
        var tails: [Int] = []
        for (number, line) in lines.enumerated() {
            guard let content = line.content else { continue }
            let fitting = (places[content] ?? []).reversed().lazy.filter { line.time?.fits(seconds[$0]) ?? true }
            for place in fitting.prefix(Self.maximumComparisons / max(1, lines.count)) {
                var (low, high) = (0, tails.count)
                while low < high {
                    let middle = (low + high) / 2
                    if nodes[tails[middle]].place < place { low = middle + 1 } else { high = middle }
                }
                // An earlier line has this message.
                if low < tails.count, nodes[tails[low]].place == place { continue }
                nodes.append((number, place, low > 0 ? tails[low - 1] : nil))
                if low == tails.count { tails.append(nodes.count - 1) } else { tails[low] = nodes.count - 1 }
            }
        }
        var matches = [Int?](repeating: nil, count: lines.count)
        var next = tails.last
        while let node = next {
            matches[nodes[node].line] = nodes[node].place
            next = nodes[node].previous
        }
        return matches
    }

    /// Returns the seconds to add to bip's times, -12 h to under 12 h, by the last line that is stored; nil if none is.
    private func shift(_ matches: [Int?], _ stored: [StoredPoint]) -> Int64? {
        let last = zip(lines, matches).reversed().first { $0.time != nil && $1 != nil }
        guard let last, let time = last.0.time, let place = last.1 else { return nil }
        let difference = stored[place].id.time.microseconds / 1_000_000 - Int64(time.second)
        let steps = (difference.modulo(Self.day) + Self.zoneStep / 2) / Self.zoneStep
        let shift = steps * Self.zoneStep % Self.day
        return shift < Self.day / 2 ? shift : shift - Self.day
    }

    /// Returns the lines' times. A time without a date is the latest one that is not after the next line.
    private func times(shift: Int64, now: Timestamp) -> [Timestamp?] {
        var limit = now.microseconds / 1_000_000 + Self.clockTolerance
        let times = lines.reversed().map { line -> Timestamp? in
            guard let time = line.time else { return nil }
            let clock = Int64(time.second) + shift
            let second = time.day.map { Int64($0) * Self.day + clock } ?? limit - (limit - clock).modulo(Self.day)
            limit = min(limit, second)
            return Timestamp(microseconds: limit * 1_000_000)
        }
        return times.reversed()
    }
}

extension IRCBacklog.Line {
    fileprivate var content: IRCBacklog.Content? {
        message.map { .init(sender: $0.sender?.key, body: $0.body, isAction: $0.kind == .action) }
    }
}

extension BipTime {
    /// Returns true if a time, in seconds since 1970, can be this one in some zone and on some day.
    fileprivate func fits(_ seconds: Int64) -> Bool {
        let difference = (seconds - Int64(second)).modulo(IRCBacklog.zoneStep)
        return difference <= IRCBacklog.clockTolerance || difference >= IRCBacklog.zoneStep - IRCBacklog.clockTolerance
    }
}

extension Int64 {
    /// Returns the remainder of a division, 0 or more.
    fileprivate func modulo(_ divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension Timestamp {
    /// Returns true for bip's time of a line whose predecessor has a later time in the archive, because bip's times are
    /// whole seconds of another clock.
    fileprivate func isSlightlyBefore(_ predecessor: Timestamp) -> Bool {
        self < predecessor && predecessor < advanced(by: .seconds(IRCBacklog.clockTolerance + 1))
    }
}
