import Bytes

/// A message within a message: `\u{1}ACTION waves\u{1}` (draft-oakley-irc-ctcp-02).
package struct CTCPMessage: Sendable, Hashable {
    /// In upper case; `ACTION`, `VERSION`, `DCC`, …
    package let command: String
    package let body: [UInt8]

    /// The text of a PRIVMSG or NOTICE; nil where it is none. The second delimiter may be missing (§2.1): servers cut long
    /// lines.
    package init?(_ text: [UInt8]) {
        guard text.first == Byte.delimiter else { return nil }
        let content = text.dropFirst().prefix { $0 != Byte.delimiter }
        let command = content.prefix { $0 != Byte.space }
        guard !command.isEmpty, let name = command.visibleASCII else { return nil }
        self.command = name.uppercased()
        body = Array(content[command.endIndex...].dropFirst())
    }

    /// What `/me` sends.
    package var isAction: Bool { command == "ACTION" }

    /// For people, without the delimiters: `CTCP VERSION`, `CTCP DCC SEND file …`. Whether it is asked or answered, PRIVMSG and
    /// NOTICE tell.
    package var text: [UInt8] { Array("CTCP \(command)".utf8) + (body.isEmpty ? [] : [Byte.space] + body) }
}
