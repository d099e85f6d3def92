/// What people say of another message, in tags that servers pass on as they are (IRCv3 client tags `reply` and `react`).
extension IRCMessage {
    /// What somebody reacts with, or no longer does.
    package struct Reaction: Sendable, Hashable {
        package let text: [UInt8]
        package let isRemoved: Bool
    }

    /// The msgid of the message that it answers or reacts to; nil where it names none.
    package var replyTo: [UInt8]? { clientTag("reply") }

    /// Nil where there is none, where it says to which message neither, and where it is both given and taken back, which no
    /// message may be.
    package var reaction: Reaction? {
        guard replyTo != nil else { return nil }
        switch (clientTag("react"), clientTag("unreact")) {
        case (let text?, nil): return Reaction(text: text, isRemoved: false)
        case (nil, let text?): return Reaction(text: text, isRemoved: true)
        default: return nil
        }
    }

    /// Under its name, or that of its draft. Clients send both while not all know the new one.
    private func clientTag(_ name: String) -> [UInt8]? {
        ["+" + name, "+draft/" + name].lazy.compactMap(tag).first { !$0.isEmpty }
    }
}
