/// Messages that belong together (IRCv3 batch).
package struct Batch: Sendable, Hashable {
    /// A message or a nested batch.
    package indirect enum Item: Sendable, Hashable {
        case message(IRCMessage)
        case batch(Batch)
    }

    /// The line that opened the batch, with its tags: `BATCH +reference type params…`.
    package let opening: IRCMessage
    /// The items in the order of delivery; a nested batch is in the place where it was opened.
    package internal(set) var items: [Item]
    /// True if the end of the batch was received.
    package internal(set) var isComplete: Bool

    /// The type, such as `chathistory`; empty if the opening line has none.
    package var type: String { DecodedText(opening.param(1)).text }
    /// The parameters after the type.
    package var params: [[UInt8]] { Array(opening.params.dropFirst(2)) }
    /// True for a replay, which describes the past: it doesn't change who is in a room.
    package var isReplay: Bool { ["chathistory", "znc.in/playback"].contains(type) }
    /// The label of the request that the batch answers; nil if it has none.
    package var label: [UInt8]? { opening.tag("label") }

    /// All messages, those of nested batches included. A `draft/multiline` batch is one message, or one for each line
    /// when it is too large.
    package var messages: [IRCMessage] {
        if let joined = Multiline.join(self) { return [joined] }
        let lines = Multiline.separateLines(self)
        if !lines.isEmpty { return lines }
        return items.flatMap { item in
            switch item {
            case .message(let message): [message]
            case .batch(let batch): batch.messages
            }
        }
    }

    /// Returns the batch without messages before `time`, in milliseconds since 1970. Messages without a time stay.
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
