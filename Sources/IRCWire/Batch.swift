/// Messages that belong together, whole (IRCv3 batch).
package struct Batch: Sendable, Hashable {
    package indirect enum Item: Sendable, Hashable {
        case message(IRCMessage)
        case batch(Batch)
    }

    /// The line that opened it, with its tags: `BATCH +reference type params…`.
    package let opening: IRCMessage
    /// In the order of delivery; a batch within stands where it was opened.
    package internal(set) var items: [Item]
    /// Its end was seen.
    package internal(set) var isComplete: Bool

    package var type: String { DecodedText(opening.param(1)).text }
    package var params: [[UInt8]] { Array(opening.params.dropFirst(2)) }
    /// Says what was, not what is now: nothing in it touches who is in a room.
    package var isReplay: Bool { ["chathistory", "znc.in/playback"].contains(type) }
    /// What the request that it answers was labelled with.
    package var label: [UInt8]? { opening.tag("label") }

    /// All messages, those of batches within included, each `draft/multiline` batch as its one message, or one a line
    /// where that is too large.
    package var messages: [IRCMessage] {
        if let joined = Multiline.join(self) { return [joined] }
        let lines = Multiline.apart(self)
        if !lines.isEmpty { return lines }
        return items.flatMap { item in
            switch item {
            case .message(let message): [message]
            case .batch(let batch): batch.messages
            }
        }
    }

    /// The batch without the messages whose time is earlier, in milliseconds since 1970.
    package func dropping(before time: Int64) -> Batch {
        func isLate(_ message: IRCMessage) -> Bool { HistoryPoint(message).map { $0.milliseconds >= time } ?? true }
        var batch = self
        batch.items = items.compactMap { item in
            switch item {
            case .message(let message): isLate(message) ? item : nil
            case .batch(let batch):
                Multiline.join(batch).map { isLate($0) ? item : nil } ?? .batch(batch.dropping(before: time))
            }
        }
        return batch
    }
}
