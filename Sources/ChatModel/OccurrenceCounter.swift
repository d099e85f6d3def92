/// Counts the equal messages of one source, so that each can be distinguished (`docs/import.md`).
///
/// Exact if fewer than ``OccurrenceCounts/capacity`` different messages are between equal ones. Always exact for a
/// source in order of time, in which a minute's messages are together.
package struct OccurrenceCounter: Sendable {
    private let folding: NameFolding
    private var counts: OccurrenceCounts
    private var minute: Timestamp?
    /// The first error of the overflow; the numbers are wrong from then on.
    package private(set) var failure: (any Error)?

    /// - Parameters:
    ///   - folding: The store's folding, because both must count the same messages as equal; `exact` for keys, which
    ///     are already folded.
    ///   - makeOverflow: Creates the store for counts that don't fit in memory; nil for a source with a limited number
    ///     of messages a minute.
    package init(folding: NameFolding, makeOverflow: OccurrenceCounts.MakeOverflow? = nil) {
        self.folding = folding
        counts = OccurrenceCounts(makeOverflow: makeOverflow)
    }

    /// Numbers a message of the source by those before it.
    package mutating func count(_ message: inout ImportedMessage) {
        let key = Self.key(message.content(folding), message.kind)
        message.occurrence = count(key, at: message.matchedTime, message.resolution)
        guard let later = message.laterMinute else { return }
        // The messages with a time in that minute, and the messages that only the source's order puts there.
        let inOrder = number(key.at(later, .minute))
        message.occurrence.inLaterMinute = inOrder + next(key.at(later, .minute, part: 1))
    }

    /// Returns the number of a message in a replay. Each replay needs its own counter, which receives all of it in
    /// order.
    package mutating func count(_ message: IncomingMessage, resolution: TimeResolution) -> Occurrence {
        let content = [folding.fold(message.room.key), message.sender.map { folding.fold($0.key) }, message.body]
        return count(
            Self.key(content, message.kind), at: message.sourceTime ?? message.receivedAt, resolution)
    }

    private mutating func count(
        _ key: OccurrenceKey, at time: Timestamp, _ own: TimeResolution
    ) -> Occurrence {
        let minute = TimeResolution.minute.floor(time)
        if minute != self.minute, counts.isFull { counts.removeAll() }
        self.minute = minute
        var occurrence = Occurrence()
        occurrence.inMinute = next(key.at(time, .minute))
        guard own != .minute else { return occurrence }
        occurrence.inSecond = next(key.at(time, .second))
        guard own != .second else { return occurrence }
        occurrence.inMicrosecond = next(key.at(time, .microsecond))
        return occurrence
    }

    private mutating func next(_ key: OccurrenceKey) -> Int {
        let number = number(key) + 1
        do { try counts.increment(key) } catch { failure = failure ?? error }
        return number
    }

    private mutating func number(_ key: OccurrenceKey) -> Int {
        do {
            return try counts.number(key)
        } catch {
            failure = failure ?? error
            return 0
        }
    }

    private static func key(_ content: [String?], _ kind: MessageKind) -> OccurrenceKey {
        OccurrenceKey { hasher in
            for part in content {
                var text = part ?? ""
                hasher.combine(part == nil ? nil : text.utf8.count)
                // Hashes bytes, because canonically equivalent strings would be equal.
                text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            }
            hasher.combine(kind)
        }
    }
}

extension ImportedMessage {
    /// Returns the content in which equal messages agree, besides kind and time: text, room and sender. Room and sender
    /// are compared by key, or by folded name if they have no key.
    fileprivate func content(_ folding: NameFolding) -> [String?] {
        if let exact {
            // Messages with an id are matched by it, and the others with each other.
            let former = exact.sender?.former.map { "\($0.firstSeen) \($0.name)" }
            return [exact.roomKey, exact.sender?.key ?? former, body, remoteID == nil ? "" : nil]
        }
        return [roomKey ?? folding.fold(room), senderKey ?? sender.map(folding.fold), body]
    }
}
