/// References to another message in tags that servers pass on unchanged (IRCv3 client tags `reply` and `react`).
extension IRCMessage {
    /// A reaction that is made or taken back.
    package struct Reaction: Sendable, Hashable {
        package let text: [UInt8]
        package let isRemoved: Bool
    }

    /// The msgid of the message that this one answers or reacts to; nil when it names none.
    package var replyTo: [UInt8]? { clientTag("reply") }

    /// The reaction; nil when there is none, when it names no message, and when it is both made and taken back, which
    /// is invalid.
    package var reaction: Reaction? {
        guard replyTo != nil else { return nil }
        switch (clientTag("react"), clientTag("unreact")) {
        case (let text?, nil): return Reaction(text: text, isRemoved: false)
        case (nil, let text?): return Reaction(text: text, isRemoved: true)
        default: return nil
        }
    }

    /// Returns a tag by its name or the name of its draft. Clients send both while not all know the new one.
    private func clientTag(_ name: String) -> [UInt8]? {
        ["+" + name, "+draft/" + name].lazy.compactMap(tag).first { !$0.isEmpty }
    }
}
