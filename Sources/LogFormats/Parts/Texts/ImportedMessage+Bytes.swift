import ChatModel

extension ImportedMessage {
    /// Sets the kind, the sender's name and the text, and flags invalid UTF-8.
    mutating func set(_ kind: MessageKind, _ sender: ArraySlice<UInt8>?, _ text: ArraySlice<UInt8>?) {
        let (name, body) = (sender.map(LogText.init), text.map(LogText.init))
        (self.kind, self.sender, self.body) = (kind, name?.string, body?.string)
        flags.formUnion((name?.flags ?? []).union(body?.flags ?? []))
    }
}
