import Bytes

/// One message in several lines (IRCv3 draft/multiline).
enum Multiline {
    static let type = "draft/multiline"
    private static let concat = Array("draft/multiline-concat")
    /// The limit of a joined message in bytes. Servers allow 4,096 (Ergo's default) to 40,000. Each line of a larger
    /// message becomes a separate one.
    static let maximumBytes = 64 * 1024

    /// Returns the message of a batch: the text with line feeds, and the batch's tags (msgid, time, account). Nil for
    /// other batches, for one without lines, and for one of more than ``maximumBytes``. An incomplete message gets no
    /// msgid, because history may have the complete message with that msgid.
    static func join(_ batch: Batch) -> IRCMessage? {
        let lines = lines(of: batch)
        let bytes = lines.reduce(0) { $0 + $1.param(1).count + 1 }
        guard let first = lines.first, bytes <= maximumBytes else { return nil }
        var text = first.param(1)
        for line in lines.dropFirst() {
            if line.tags[concat] == nil { text.append(Byte.lineFeed) }
            text += line.param(1)
        }
        return message(batch, first, text)
    }

    /// Returns the lines as messages, each with the batch's tags, and only the first with its msgid. Empty for other
    /// batches.
    static func separateLines(_ batch: Batch) -> [IRCMessage] {
        lines(of: batch).enumerated().map { index, line in
            var message = message(batch, line, line.param(1))
            if index > 0 { message.tags[Array("msgid")] = nil }
            return message
        }
    }

    private static func lines(of batch: Batch) -> [IRCMessage] {
        guard batch.type == type else { return [] }
        return batch.items.compactMap { item in
            guard case .message(let line) = item, ["PRIVMSG", "NOTICE"].contains(line.verb) else { return nil }
            return line
        }
    }

    private static func message(_ batch: Batch, _ line: IRCMessage, _ text: [UInt8]) -> IRCMessage {
        var tags = line.tags.merging(batch.opening.tags) { _, batch in batch }
        for key in ["batch", "label"] { tags[Array(key)] = batch.opening.tag(key) }
        tags[concat] = nil
        if !batch.isComplete { tags[Array("msgid")] = nil }
        let target = batch.params.first ?? line.param(0)
        return IRCMessage(tags: tags, source: batch.opening.source ?? line.source, line.verb, [target, text])
    }
}
