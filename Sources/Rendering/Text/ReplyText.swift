package import ChatModel
import SearchText

/// A message that is answered, in few words.
package enum ReplyText {
    /// `alice: are you there…`, in safe text of at most so many cells and the name.
    package static func excerpt(_ reply: Message.Reply, width: Int) -> String {
        let name = reply.sender.map { $0.isEmpty ? "(no name)" : DisplayWidth.cut(Sanitizer.line($0), to: width) }
        let body = Sanitizer.line(FormattingCodes.removed(from: reply.body ?? ""))
        return (name ?? "someone") + ": " + DisplayWidth.cut(body, to: width)
    }
}
