/// What tags say of a message: that it refers to another one (IRCv3 client tags `reply` and `react`, which servers pass on
/// unchanged), and that its sender is a bot.
extension IRCMessage {
    /// A reaction that is given or taken back.
    package struct Reaction: Sendable, Hashable {
        package let text: [UInt8]
        package let isRemoved: Bool
    }

    /// The msgid of the message that this one replies or reacts to; nil if there is none.
    package var replyTo: [UInt8]? { clientTag("reply") }

    /// The reaction; nil if there is none, if it names no message, or if it is both given and taken back, which is
    /// invalid.
    package var reaction: Reaction? {
        guard replyTo != nil else { return nil }
        switch (clientTag("react"), clientTag("unreact")) {
        case (let text?, nil): return Reaction(text: text, isRemoved: false)
        case (nil, let text?): return Reaction(text: text, isRemoved: true)
        default: return nil
        }
    }

    /// True if the server marks the sender as a bot (IRCv3 bot mode; InspIRCd 3 has a name of its own).
    package var isFromBot: Bool { ["bot", "draft/bot", "inspircd.org/bot"].contains { tag($0) != nil } }

    /// Returns a tag by its name or the name of its draft. Clients send both names, because some know only the draft's.
    private func clientTag(_ name: String) -> [UInt8]? {
        ["+" + name, "+draft/" + name].lazy.compactMap(tag).first { !$0.isEmpty }
    }
}
