import Foundation

/// Colour, where it is wanted. Only text that was sanitised may go in.
package struct Style: Sendable {
    package let isColored: Bool

    package static let plain = Style(isColored: false)

    package init(isColored: Bool) {
        self.isColored = isColored
    }

    /// `auto` is on a terminal that is not dumb, a pager or not, unless `NO_COLOR` is set.
    package init(_ choice: ColorChoice, terminal: Terminal?) {
        isColored =
            switch choice {
            case .always: true
            case .never: false
            case .auto: terminal.map { !$0.isDumb && !$0.refusesColor } ?? false
            }
    }

    package func dim(_ text: String) -> String {
        paint(text, "2")
    }

    func bold(_ text: String) -> String {
        paint(text, "1")
    }

    /// What was looked for.
    package func match(_ text: String) -> String {
        paint(text, "1;33")
    }

    package func warning(_ text: String) -> String {
        paint(text, "33")
    }

    /// A colour that the name keeps, in every run, room and command; bold for one's own.
    ///
    /// - Parameter text: The name as it is shown, perhaps cut.
    package func name(_ text: String, of name: String, isSelf: Bool = false) -> String {
        guard isColored else { return text }
        // The same name, however composed.
        let hash = Self.hash(name.precomposedStringWithCanonicalMapping)
        return paint(text, (isSelf ? "1;" : "") + Self.nameColors[Int(hash % UInt64(Self.nameColors.count))])
    }

    /// The terminal's own colours that are read on black and on white; yellow is left to warnings.
    private static let nameColors = ["31", "32", "34", "35", "36", "91", "92", "94", "95", "96"]

    /// FNV-1a: Swift's own hash differs from run to run.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    package func paint(_ text: String, _ code: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
