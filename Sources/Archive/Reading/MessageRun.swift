import ChatModel

/// Messages sorted by (id, account name), and the nearest message that was cut off. Never cuts between equal ids.
struct MessageRun {
    var messages: [Message]
    /// The id of the nearest message that was cut off.
    var beyond: Int64?

    func cutToEarliest(_ count: Int) -> MessageRun {
        var end = min(count, messages.count)
        while end > 0, end < messages.count, messages[end].id == messages[end - 1].id { end += 1 }
        guard end < messages.count else { return self }
        return MessageRun(messages: Array(messages[..<end]), beyond: messages[end].id.microseconds)
    }

    func cutToLatest(_ count: Int) -> MessageRun {
        var start = max(messages.count - count, 0)
        while start > 0, start < messages.count, messages[start - 1].id == messages[start].id { start -= 1 }
        guard start > 0 else { return self }
        return MessageRun(messages: Array(messages[start...]), beyond: messages[start - 1].id.microseconds)
    }
}

extension [Message] {
    func merged() -> [Message] {
        sorted { ($0.id, $0.account) < ($1.id, $1.account) }
    }
}
