/// Counts the messages of one source that are alike, so that each can be told from the others (`docs/import.md`).
///
/// Exact while like messages have fewer than ``capacity`` different ones between them, and always for a source that is
/// in order of time, where a minute's messages stand together.
package struct OccurrenceCounter: Sendable {
    private struct Key: Hashable {
        var first: Int
        var second: Int
        var time: Int64
        var resolution: TimeResolution
        /// Counts those whose source's order, not their time, puts them there.
        var isByPlace = false
    }

    /// At about 60 bytes each.
    package static let capacity = 100_000

    private let folding: NameFolding
    private var counts: [Key: Int] = [:]
    private var minute: Timestamp?

    /// - Parameter folding: The store's own, or it would count others than these; `exact` for keys, which are folded.
    package init(folding: NameFolding) {
        self.folding = folding
    }

    /// Numbers a message of the source by those that came before it.
    package mutating func count(_ message: inout ImportedMessage) {
        let content = message.content(folding)
        message.occurrence = count(content, message.kind, at: message.matchedTime, message.resolution)
        guard let later = message.laterMinute else { return }
        let (first, second) = (hash(1, content, message.kind), hash(2, content, message.kind))
        var key = Key(first: first, second: second, time: later.microseconds, resolution: .minute)
        let inOrder = counts[key] ?? 0
        key.isByPlace = true
        message.occurrence.inLaterMinute = inOrder + counts[key, default: 0].increment()
    }

    /// Which one it is of a replay's messages that are alike; one counter a replay, which is given all of it, in order.
    package mutating func count(_ message: IncomingMessage, resolution: TimeResolution) -> Occurrence {
        count(
            [folding.fold(message.room.key), message.sender.map { folding.fold($0.key) }, message.body], message.kind,
            at: message.sourceTime ?? message.receivedAt, resolution)
    }

    private mutating func count(
        _ content: [String?], _ kind: MessageKind, at time: Timestamp, _ own: TimeResolution
    ) -> Occurrence {
        let minute = TimeResolution.minute.floor(time)
        if minute != self.minute, counts.count >= Self.capacity { counts.removeAll(keepingCapacity: true) }
        self.minute = minute
        let (first, second) = (hash(1, content, kind), hash(2, content, kind))
        var occurrence = Occurrence()
        func next(_ resolution: TimeResolution) -> Int {
            let key = Key(
                first: first, second: second, time: resolution.floor(time).microseconds, resolution: resolution)
            return counts[key, default: 0].increment()
        }
        occurrence.inMinute = next(.minute)
        guard own != .minute else { return occurrence }
        occurrence.inSecond = next(.second)
        guard own != .second else { return occurrence }
        occurrence.inMicrosecond = next(.microsecond)
        return occurrence
    }

    /// Of two, so that even among millions none is taken for another.
    private func hash(_ seed: Int, _ content: [String?], _ kind: MessageKind) -> Int {
        var hasher = Hasher()
        hasher.combine(seed)
        for part in content {
            var text = part ?? ""
            hasher.combine(part == nil ? nil : text.utf8.count)
            // Bytes: strings that are canonically equivalent would be equal.
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
        hasher.combine(kind)
        return hasher.finalize()
    }
}

extension ImportedMessage {
    /// What makes it like another one, but for kind and time: room and sender by key, else by their names as the network takes
    /// them for the same.
    fileprivate func content(_ folding: NameFolding) -> [String?] {
        if let exact {
            // Those with an id are matched by it, and the others with each other.
            let former = exact.sender?.former.map { "\($0.firstSeen) \($0.name)" }
            return [exact.roomKey, exact.sender?.key ?? former, body, remoteID == nil ? "" : nil]
        }
        return [roomKey ?? folding.fold(room), senderKey ?? sender.map(folding.fold), body]
    }
}

extension Int {
    fileprivate mutating func increment() -> Int {
        self += 1
        return self
    }
}
