package import ChatModel
import SearchText

/// A short form of a message that another message replies to.
package enum ReplyText {
    /// Returns a text such as `alice: are you there…`, safe on one line; name and body have at most `width` cells each.
    package static func excerpt(_ reply: Message.Reply, width: Int) -> String {
        let name = reply.sender.map { $0.isEmpty ? "(no name)" : DisplayWidth.cut(Sanitizer.line($0), to: width) }
        let body = Sanitizer.line(FormattingCodes.removed(from: reply.body ?? ""))
        return (name ?? "someone") + ": " + DisplayWidth.cut(body, to: width)
    }
}
