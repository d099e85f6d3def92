import Bytes

/// A message within a message: `\u{1}ACTION waves\u{1}` (draft-oakley-irc-ctcp-02).
package struct CTCPMessage: Sendable, Hashable {
    /// The command in upper case: `ACTION`, `VERSION`, `DCC`, …
    package let command: String
    /// The text after the command; empty if there is none.
    package let body: [UInt8]

    /// Reads the text of a PRIVMSG or NOTICE; nil for a plain text. The second delimiter may be missing (§2.1), because
    /// servers cut long lines.
    package init?(_ text: [UInt8]) {
        guard text.first == Byte.delimiter else { return nil }
        let content = text.dropFirst().prefix { $0 != Byte.delimiter }
        let command = content.prefix { $0 != Byte.space }
        guard !command.isEmpty, let name = command.visibleASCII else { return nil }
        self.command = name.uppercased()
        body = Array(content[command.endIndex...].dropFirst())
    }

    /// True for the message of `/me`.
    package var isAction: Bool { command == "ACTION" }

    /// A text for people, without the delimiters: `CTCP VERSION`, `CTCP DCC SEND file …`. The message is a request in a
    /// PRIVMSG, and an answer in a NOTICE.
    package var text: [UInt8] { Array("CTCP \(command)".utf8) + (body.isEmpty ? [] : [Byte.space] + body) }
}
