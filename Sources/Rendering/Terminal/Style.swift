import Bytes
import FoundationEssentials
import Glibc

/// Colours for a terminal, if wanted. Its texts must be sanitised.
package struct Style: Sendable {
    package let isColored: Bool

    /// The style without colours.
    package static let plain = Style(isColored: false)

    package init(isColored: Bool) {
        self.isColored = isColored
    }

    /// For `auto`, colours on a terminal that isn't dumb, with or without a pager, unless `NO_COLOR` is set.
    package init(_ choice: ColorChoice, terminal: Terminal?) {
        isColored =
            switch choice {
            case .always: true
            case .never: false
            case .auto: terminal.map { !$0.isDumb && !$0.refusesColor } ?? false
            }
    }

    /// Returns the text in a faint colour.
    package func dim(_ text: String) -> String {
        paint(text, "2")
    }

    func bold(_ text: String) -> String {
        paint(text, "1")
    }

    /// Returns a match of a search, highlighted.
    package func match(_ text: String) -> String {
        paint(text, "1;33")
    }

    /// Returns the text in the colour of warnings.
    package func warning(_ text: String) -> String {
        paint(text, "33")
    }

    /// Returns a name in a colour that it keeps in every run, room and command; bold if it is the account's own.
    ///
    /// - Parameter text: The name as it is shown, perhaps cut.
    package func name(_ text: String, of name: String, isSelf: Bool = false) -> String {
        guard isColored else { return text }
        let colour = Self.nameColour(name)
        return paint(text, (isSelf ? "1;" : "") + "\(colour < 8 ? 30 + colour : 82 + colour)")
    }

    /// Returns the number of a name's colour among the terminal's sixteen, the same in every run, room and command.
    package static func nameColour(_ name: String) -> Int {
        // Gives the same name the same colour, however it is composed.
        let hash = hash(name.composed)
        return nameColours[Int(hash % UInt64(nameColours.count))]
    }

    /// The terminal's own colours that are readable on black and on white, without yellow, the colour of warnings.
    private static let nameColours = [1, 2, 4, 5, 6, 9, 10, 12, 13, 14]

    /// Returns the FNV-1a hash. Swift's own hash differs from run to run.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// Returns the text with the parameters of a control sequence (SGR), such as `1;33`; unchanged if it is empty or
    /// colours are off.
    package func paint(_ text: String, _ code: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
