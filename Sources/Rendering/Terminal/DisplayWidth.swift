import CGlibc
import Foundation

/// How many cells a text takes on a terminal.
///
/// The C library's `wcwidth` knows the widths of code points; what a terminal makes of several of them together (a
/// Hangul syllable in parts, an emoji family) is added here. Characters of ambiguous width (`…`, `α`, `①`) are one wide,
/// as terminals draw them unless told otherwise. Sanitise before measuring.
///
/// Terminals disagree about emoji of several code points (families, skin tones, `❤️`, `1️⃣`): newer ones draw two cells,
/// as is said here; older ones (tmux 3.3, GNOME Terminal) add up the parts; see ``isCertain(_:)`` and ``atMost(_:)``.
package enum DisplayWidth {
    package static func of(_ text: String) -> Int {
        isASCII(text) ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    package static func of(_ character: Character) -> Int {
        measure(character).usual
    }

    /// The most that any terminal takes: what is broken into lines by this runs over the edge of none.
    static func atMost(_ text: String) -> Int {
        isASCII(text) ? text.utf8.count : text.reduce(0) { $0 + atMost($1) }
    }

    static func atMost(_ character: Character) -> Int {
        measure(character).range.upperBound
    }

    /// Whether all terminals agree, so that what stands after the text on its line is where it is thought to be.
    static func isCertain(_ text: String) -> Bool {
        isASCII(text) || text.allSatisfy { measure($0).range.count == 1 }
    }

    /// The beginning of `text` that fits into `width` cells, with "…" as its end where something was cut.
    package static func cut(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        var result = ""
        var used = 0
        for character in text {
            let next = of(character)
            guard used + next <= width - 1 else { break }
            result.append(character)
            used += next
        }
        return result + "…"
    }

    package enum Alignment: Sendable {
        case left, right
    }

    /// `text` filled with spaces to `width` cells; a wider one stays as it is.
    package static func pad(_ text: String, to width: Int, _ alignment: Alignment = .left) -> String {
        let fill = String(repeating: " ", count: max(0, width - of(text)))
        return alignment == .left ? text + fill : fill + text
    }

    private static func measure(_ character: Character) -> (usual: Int, range: ClosedRange<Int>) {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return (0, 0...0) }
        if scalars.count == 1 {
            return measure(first)
        }
        // A syllable in conjoining jamo comes out as two: its leading consonant is two wide, the rest nothing.
        let sum = scalars.reduce(0) { $0 + max(0, width(of: $1)) }
        guard first.properties.isEmoji else { return (sum, sum...sum) }
        if scalars.contains(textVariation) { return (sum, min(1, sum)...sum) }
        let isDrawnAsOne = scalars.contains { $0.properties.isEmojiPresentation || $0 == emojiVariation }
        guard isDrawnAsOne else { return (sum, sum...sum) }
        let isJoined = scalars.contains { $0 == emojiVariation || $0.properties.isJoinControl }
        return (2, min(2, isJoined ? max(0, width(of: first)) : sum)...max(2, sum))
    }

    private static func measure(_ scalar: Unicode.Scalar) -> (usual: Int, range: ClosedRange<Int>) {
        let width = width(of: scalar)
        // Half a flag; or newer than the C library.
        if (0x1F1E6...0x1F1FF).contains(scalar.value) { return (1, 1...2) }
        guard width >= 0 else { return (scalar.properties.isEmojiPresentation ? 2 : 1, 0...2) }
        return (width, width...width)
    }

    private static let textVariation: Unicode.Scalar = "\u{FE0E}"
    private static let emojiVariation: Unicode.Scalar = "\u{FE0F}"

    private static func isASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Below 0 for a code point that the C library does not know.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        guard hasUTF8Locale else { return 1 }
        return Int(wcwidth(wchar_t(truncatingIfNeeded: scalar.value)))
    }

    /// `wcwidth` goes by the locale, and a program begins in "C", where only ASCII has a width. "C.UTF-8" is built into
    /// glibc since 2.35.
    private static let hasUTF8Locale = setlocale(LC_CTYPE, "C.UTF-8") != nil
}
