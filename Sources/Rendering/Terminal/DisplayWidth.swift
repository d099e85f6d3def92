import CGlibc
import Glibc

/// The width of a text on a terminal, in cells. Sanitise texts before measuring.
///
/// The C library's `wcwidth` knows the widths of code points; this adds the widths of combinations (a Hangul syllable
/// in parts, an emoji family). Characters of ambiguous width (`…`, `α`, `①`) count as one cell, as terminals draw them
/// by default.
///
/// Terminals disagree about emoji of several code points (families, skin tones, `❤️`, `1️⃣`). Newer ones draw two
/// cells, and so does this type; older ones (tmux 3.3, GNOME Terminal) add up the parts. See ``isCertain(_:)`` and
/// ``atMost(_:)``.
package enum DisplayWidth {
    /// Returns the usual width of a text.
    package static func of(_ text: String) -> Int {
        isASCII(text) ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    /// Returns the usual width of a character.
    package static func of(_ character: Character) -> Int {
        measure(character).usual
    }

    /// Returns the width on the terminal that draws the text widest, to break lines that fit everywhere.
    package static func atMost(_ text: String) -> Int {
        isASCII(text) ? text.utf8.count : text.reduce(0) { $0 + atMost($1) }
    }

    static func atMost(_ character: Character) -> Int {
        measure(character).range.upperBound
    }

    /// Returns true if all terminals agree about the width, so that text after it on the line is where it should be.
    package static func isCertain(_ text: String) -> Bool {
        isASCII(text) || text.allSatisfy { measure($0).range.count == 1 }
    }

    /// Returns the beginning of `text` that fits into `width` cells, with "…" at its end if something was cut.
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

    /// Returns `text` filled with spaces to `width` cells; a wider text is unchanged.
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
        // A syllable in conjoining jamo has two cells: its leading consonant has two, the rest none.
        let sum = scalars.reduce(0) { $0 + max(0, width(of: $1)) }
        guard first.properties.isEmoji else { return (sum, sum...sum) }
        if scalars.contains(textVariation) { return (sum, min(1, sum)...sum) }
        let isDrawnAsOne = scalars.contains { $0.properties.isEmojiPresentation || $0 == emojiVariation }
        guard isDrawnAsOne else { return (sum, sum...sum) }
        let isJoined = scalars.contains { $0 == emojiVariation || $0.properties.isJoinControl }
        return (2, min(2, isJoined ? max(0, width(of: first)) : sum)...max(2, sum))
    }

    private static func measure(_ scalar: Unicode.Scalar) -> (usual: Int, range: ClosedRange<Int>) {
        // Most terminals draw nothing for a soft hyphen; some, and the C library, draw a hyphen.
        if scalar == "\u{AD}" { return (0, 0...1) }
        let width = width(of: scalar)
        // The code point is half a flag, or is newer than the C library.
        if (0x1F1E6...0x1F1FF).contains(scalar.value) { return (1, 1...2) }
        guard width >= 0 else { return (scalar.properties.isEmojiPresentation ? 2 : 1, 0...2) }
        return (width, width...width)
    }

    private static let textVariation: Unicode.Scalar = "\u{FE0E}"
    private static let emojiVariation: Unicode.Scalar = "\u{FE0F}"

    private static func isASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Returns the width of a code point; below 0 when the C library doesn't know it.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        guard !isInvisible(scalar) else { return 0 }
        guard hasUTF8Locale else { return 1 }
        return Int(wcwidth(wchar_t(truncatingIfNeeded: scalar.value)))
    }

    /// Returns true for the invisible characters that ``SafeText`` shows; versions of the C library differ in some.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x180E, 0x200B...0x200F, 0xE0020...0xE007F: true
        default: false
        }
    }

    /// Sets the locale that `wcwidth` depends on. A program begins in "C", where only ASCII has a width. glibc has
    /// "C.UTF-8" since 2.35.
    private static let hasUTF8Locale = setlocale(LC_CTYPE, "C.UTF-8") != nil
}
