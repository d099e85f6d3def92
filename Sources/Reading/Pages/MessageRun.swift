import ChatModel

/// Messages sorted by (id, account name), and the nearest message that was cut off. Never cuts between equal ids.
///
/// A slice, because to copy a page's messages takes a tenth of the time to read them *(measured)*.
struct MessageRun {
    var messages: ArraySlice<Message>
    /// The id of the nearest message that was cut off.
    var beyond: Int64?

    init(_ messages: [Message]) { self.messages = messages[...] }

    private init(_ messages: ArraySlice<Message>, beyond: Message) {
        (self.messages, self.beyond) = (messages, beyond.id.microseconds)
    }

    func cutToEarliest(_ size: PageSize) -> MessageRun {
        let (first, last) = (messages.startIndex, messages.endIndex)
        var end = first + size.fitting(messages)
        while end > first, end < last, messages[end].id == messages[end - 1].id { end += 1 }
        guard end < last else { return self }
        return MessageRun(messages[..<end], beyond: messages[end])
    }

    func cutToLatest(_ size: PageSize) -> MessageRun {
        let (first, last) = (messages.startIndex, messages.endIndex)
        var start = last - size.fitting(messages.reversed())
        while start > first, start < last, messages[start - 1].id == messages[start].id { start -= 1 }
        guard start > first else { return self }
        return MessageRun(messages[start...], beyond: messages[start - 1])
    }
}

/// The room of a page.
struct PageSize {
    /// The number of messages.
    var count: Int
    /// The bytes of the messages.
    var bytes: Int
    /// The number of messages that have a place whatever their bytes.
    var least = 1

    /// Returns the number of messages that have a place, from the first one on.
    func fitting(_ messages: some Collection<Message>) -> Int {
        guard bytes < .max else { return min(count, messages.count) }
        var (found, left) = (0, bytes)
        for message in messages.prefix(count) {
            left -= message.weight
            guard left >= 0 || found < least else { break }
            found += 1
        }
        return found
    }

    /// Returns half of the room, or what another run leaves if that is more.
    func half(beside run: MessageRun) -> PageSize {
        PageSize(
            count: max(count / 2, count - run.messages.count),
            bytes: bytes == .max ? .max : max(bytes / 2, bytes - run.messages.weight))
    }

    /// Returns the room that another run leaves.
    func rest(beside run: MessageRun) -> PageSize {
        PageSize(
            count: max(count - run.messages.count, 0),
            bytes: bytes == .max ? .max : max(bytes - run.messages.weight, 0))
    }
}

extension Message {
    /// The bytes of its texts, with some for the rest.
    var weight: Int {
        var weight = 128 + (body?.utf8.count ?? 0) + (sender?.name.utf8.count ?? 0) + room.utf8.count
        weight += (reply?.body?.utf8.count ?? 0) + (reply?.sender?.utf8.count ?? 0)
        for attachment in attachments { weight += 128 + attachment.path.utf8.count }
        for reaction in reactions {
            weight += reaction.by.reduce(32 + reaction.text.utf8.count) { $0 + $1.utf8.count + 8 }
        }
        return weight
    }
}

extension [Message] {
    func merged() -> [Message] {
        sorted { ($0.id, $0.account) < ($1.id, $1.account) }
    }
}

extension Sequence<Message> {
    /// The bytes of all messages.
    var weight: Int { reduce(0) { $0 + $1.weight } }
}
