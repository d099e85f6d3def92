import Foundation

/// How many cells a text takes on a terminal.
///
/// The C library's `wcwidth` knows the widths of code points; what a terminal makes of several of them together (a
/// Hangul syllable in parts, an emoji family) is added here. Sanitise before measuring.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// The beginning of `text` that fits into `width` cells, with "…" as its end where something was cut.
    static func cut(_ text: String, to width: Int) -> String {
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

    enum Alignment: Sendable {
        case left, right
    }

    /// `text` filled with spaces to `width` cells; a wider one stays as it is.
    static func pad(_ text: String, to width: Int, _ alignment: Alignment = .left) -> String {
        let fill = String(repeating: " ", count: max(0, width - of(text)))
        return alignment == .left ? text + fill : fill + text
    }

    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 {
            return width(of: first)
        }
        if isEmoji(scalars, first: first) {
            return 2
        }
        // A syllable in conjoining jamo comes out as two: its leading consonant is two wide, the rest nothing.
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    /// A cluster that terminals draw as one emoji: by presentation, variation selector, flag or joiner.
    private static func isEmoji(_ scalars: Character.UnicodeScalarView, first: Unicode.Scalar) -> Bool {
        let emojiVariation: Unicode.Scalar = "\u{FE0F}"
        return first.properties.isEmojiPresentation || (first.properties.isEmoji && scalars.contains(emojiVariation))
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        guard hasUTF8Locale else { return 1 }
        return max(0, Int(characterWidth(wchar_t(truncatingIfNeeded: scalar.value))))
    }

    /// `wcwidth` goes by the locale, and a program begins in "C", where only ASCII has a width. "C.UTF-8" is built into
    /// glibc since 2.35.
    private static let hasUTF8Locale = setlocale(LC_CTYPE, "C.UTF-8") != nil
}

/// `wcwidth(3)`. glibc declares it under `_XOPEN_SOURCE` only, which Swift's module of glibc is built without.
@_silgen_name("wcwidth")
private func characterWidth(_ codePoint: wchar_t) -> CInt
