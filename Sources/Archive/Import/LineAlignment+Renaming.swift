import ChatModel

/// Finds the messages of people who have new names.
extension LineAlignment {
    /// A name in the log, and the stored user whose texts it has.
    private struct Renaming: Hashable {
        let (line, message): (Int64, Int64)
    }

    /// Matches the lines of people whom a phone calls otherwise by now: the same words at the same times, beside lines that
    /// are stored. Logs that write each message when it comes are left out: in them, two names are two people.
    ///
    /// Within the compared lines, nobody has the old name, and nothing is stored under the new one before these lines' times.
    mutating func matchRenamed() {
        let unknown = unknownLines()
        guard !unknown.isEmpty, matches.contains(where: { $0 != nil }) else { return }
        let free = freeMessages()
        var found: [Renaming: [Int]] = [:]
        var lineCounts: [Int64: Int] = [:]
        for line in unknown {
            let sender = lines[line].entry.sender ?? 0
            lineCounts[sender, default: 0] += 1
            for stored in Set(partners(of: line, in: free).compactMap { messages[$0].entry.sender }) {
                found[Renaming(line: sender, message: stored), default: []].append(line)
            }
        }
        let order = found.sorted {
            ($1.value.count, $0.key.line, $0.key.message) < ($0.value.count, $1.key.line, $1.key.message)
        }
        var renamed: Set<Int64> = []
        for (names, places) in order {
            guard !renamed.contains(names.line), !renamed.contains(names.message),
                places.count * 10 >= (lineCounts[names.line] ?? 0) * 7, places.contains(where: isBesideMatches)
            else { continue }
            renamed.formUnion([names.line, names.message])
            for line in places {
                let partner = partners(of: line, in: free).first { messages[$0].entry.sender == names.message }
                guard let partner else { continue }
                isTaken[partner] = true
                matches[lines[line].index] = messages[partner].index
            }
        }
    }

    /// Returns the places of the said lines without a message whose sender has no earlier stored message.
    private func unknownLines() -> [Int] {
        var firstStored: [Int64: Int64] = [:]
        for message in messages {
            guard let sender = message.entry.sender, firstStored[sender] == nil else { continue }
            firstStored[sender] = message.entry.time
        }
        let last = messages.last?.entry.time ?? .min
        return lines.indices.filter { place in
            let (index, entry) = lines[place]
            guard let sender = entry.sender, entry.isSaid, !entry.hasNameOfItsTime, matches[index] == nil,
                entry.time <= last
            else {
                return false
            }
            return firstStored[sender].map { entry.time <= $0 } ?? true
        }
    }

    /// Returns the places of the said messages that are no line, of people who have none, by content.
    private func freeMessages() -> [OccurrenceKey: [Int]] {
        let senders = Set(lines.compactMap(\.entry.sender))
        var free: [OccurrenceKey: [Int]] = [:]
        for (place, message) in messages.enumerated() where !isTaken[place] && message.entry.isSaid {
            guard let sender = message.entry.sender, !senders.contains(sender) else { continue }
            free[message.entry.content, default: []].append(place)
        }
        return free
    }

    /// Returns the messages with the words and the time of a line.
    private func partners(of line: Int, in free: [OccurrenceKey: [Int]]) -> [Int] {
        let entry = lines[line].entry
        let all = free[entry.content] ?? []
        let near = all[index(in: all, at: entry.time)...].prefix(Self.mostCompared)
        return near.filter { place in
            let message = messages[place].entry
            return !isTaken[place] && message.resolution == entry.resolution && Self.equality(entry, message) == 0
        }
    }

    /// Returns true if the line before or the line after this one is stored.
    private func isBesideMatches(_ line: Int) -> Bool {
        [line - 1, line + 1].contains { lines.indices.contains($0) && matches[lines[$0].index] != nil }
    }
}
