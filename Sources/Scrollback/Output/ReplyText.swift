import ChatModel

/// A message that is answered, in few words.
enum ReplyText {
    /// `alice: are you there…`, in safe text of at most so many cells and the name.
    static func excerpt(_ reply: Message.Reply, width: Int) -> String {
        let name = reply.sender.map { $0.isEmpty ? "(no name)" : DisplayWidth.cut(Sanitizer.line($0), to: width) }
        return (name ?? "someone") + ": " + DisplayWidth.cut(Sanitizer.line(reply.body ?? ""), to: width)
    }
}
