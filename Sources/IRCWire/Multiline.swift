/// One message in several lines (IRCv3 draft/multiline).
enum Multiline {
    static let type = "draft/multiline"
    private static let concat = Array("draft/multiline-concat")

    /// The message that the batch is: text with line feeds, the tags of the batch (msgid, time, account). nil for any
    /// other batch, and for one without lines. One that broke off has no msgid: history may have it whole, under that.
    static func join(_ batch: Batch) -> IRCMessage? {
        guard batch.type == type else { return nil }
        let lines = batch.items.compactMap { item -> IRCMessage? in
            guard case .message(let line) = item, ["PRIVMSG", "NOTICE"].contains(line.verb) else { return nil }
            return line
        }
        guard let first = lines.first else { return nil }
        var text = first.param(1)
        for line in lines.dropFirst() {
            if line.tags[concat] == nil { text.append(Byte.lineFeed) }
            text += line.param(1)
        }
        var tags = first.tags.merging(batch.opening.tags) { _, batch in batch }
        for key in ["batch", "label"] { tags[Array(key)] = batch.opening.tag(key) }
        tags[concat] = nil
        if !batch.isComplete { tags[Array("msgid")] = nil }
        let target = batch.params.first ?? first.param(0)
        return IRCMessage(tags: tags, source: batch.opening.source ?? first.source, first.verb, [target, text])
    }
}
