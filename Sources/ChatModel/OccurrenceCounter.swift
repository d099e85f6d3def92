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
        let key = message.key(folding)
        message.occurrence = count(key, at: message.matchedTime, message.resolution)
        guard let later = message.laterMinute else { return }
        // The messages with a time in that minute, and the messages that only the source's order puts there.
        let inOrder = number(key.at(later, .minute))
        message.occurrence.inLaterMinute = inOrder + next(key.at(later, .minute, part: 1))
    }

    /// Returns the number of a message in a replay. Each replay needs its own counter, which receives all of it in
    /// order.
    package mutating func count(_ message: IncomingMessage, resolution: TimeResolution) -> Occurrence {
        let key = OccurrenceKey(
            folding.fold(message.room.key), message.sender.map { folding.fold($0.key) }, message.body, message.kind)
        return count(key, at: message.sourceTime ?? message.receivedAt, resolution)
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
        do {
            return try counts.increment(key)
        } catch {
            failure = failure ?? error
            return 1
        }
    }

    private mutating func number(_ key: OccurrenceKey) -> Int {
        do {
            return try counts.number(key)
        } catch {
            failure = failure ?? error
            return 0
        }
    }
}

extension OccurrenceKey {
    /// - Parameter further: A part of the content that few messages have.
    fileprivate init(
        _ room: String, _ sender: String?, _ body: String?, _ kind: MessageKind, further: String? = nil
    ) {
        self.init { hasher in
            hasher.combine(text: room)
            hasher.combine(text: sender)
            hasher.combine(text: body)
            if let further { hasher.combine(text: further) }
            hasher.combine(kind)
        }
    }
}

extension Hasher {
    /// Adds the text's bytes, because canonically equivalent strings would be equal.
    fileprivate mutating func combine(text: String?) {
        guard var text else { return combine(-1) }
        combine(text.utf8.count)
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ImportedMessage {
    /// Returns the key of the content in which equal messages agree: kind, text, room and sender. Room and sender are
    /// compared by key, or by folded name if they have no key.
    fileprivate func key(_ folding: NameFolding) -> OccurrenceKey {
        guard let exact else {
            let room = roomKey ?? folding.fold(room)
            // The account's own person is one under all names.
            let part = section == 0 ? nil : "section \(section)"
            if own != nil { return OccurrenceKey(room, nil, body, kind, further: "own" + (part ?? "")) }
            return OccurrenceKey(room, senderKey ?? sender.map(folding.fold), body, kind, further: part)
        }
        // Messages with an id are matched by it, and the others with each other.
        let former = exact.sender?.former.map { "\($0.firstSeen) \($0.name)" }
        return OccurrenceKey(
            exact.roomKey, exact.sender?.key ?? former, body, kind, further: remoteID == nil ? "" : nil)
    }
}
