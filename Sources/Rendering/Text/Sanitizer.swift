/// Makes hostile text safe to show: writes characters that a terminal acts upon or hides as `\u{1B}`.
///
/// Nothing is dropped except ``isolates(in:)``, so that the original stays recognisable. Invisible characters stay where
/// their script needs them (``SafeText``). Every text from outside this program passes through here before its width is
/// measured: bodies, names, rooms, errors of servers, echoed arguments.
package enum Sanitizer {
    /// Returns a text that stays on one line: line feeds and tabs are escaped too.
    package static func line(_ text: String) -> String {
        escape(text, keeping: { _ in false })
    }

    /// The code points of a value that an error shows: enough to recognise it.
    private static let valueLimit = 100

    /// Returns a value that an error repeats, on one line: at most its first 100 code points.
    package static func value(_ text: String) -> String {
        line(MessageRemarks.cut(text, to: valueLimit))
    }

    /// Returns the part of a value before the place of a mistake, on one line: at most its last 100 code points.
    package static func value(upTo text: String) -> String {
        let end = text.unicodeScalars.suffix(valueLimit)
        return (end.startIndex > text.startIndex ? "…" : "") + line(String(Substring(end)))
    }

    /// Returns a text of several lines, such as a message's body: line feeds and tabs stay.
    package static func body(_ text: String) -> String {
        escape(text, keeping: isLine)
    }

    /// Returns where each character of a text is in ``body(_:)``, and the length of that, in code points.
    package static func offsetsInBody(_ text: String) -> [Int] { SafeText(text).offsets(keeping: isLine) }

    /// Returns true for the control characters of a body that stay: line feeds and tabs.
    static func isLine(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\t" }

    private static func escape(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
        // Most texts have nothing hostile.
        guard text.utf8.hasAny(isPerhapsHostile), text.unicodeScalars.contains(where: { isHostile($0) && !isKept($0) })
        else { return text }
        return SafeText(text).text(keeping: isKept)
    }

    /// Returns the places of U+2068 and U+2069 that are a pair in one line, as WhatsApp writes them around the names of
    /// mentioned people. Without them the text has the same characters, and no other direction is hidden in it.
    static func isolates(in text: String) -> Set<String.Index> {
        let scalars = text.unicodeScalars
        guard scalars.contains("\u{2068}") else { return [] }
        var places: Set<String.Index> = []
        // The isolates that are open, also those that force a direction (U+2066 and U+2067), which stay.
        var open: [String.Index] = []
        for place in scalars.indices {
            switch scalars[place].value {
            case 0x2066...0x2068: open.append(place)
            case 0x2069:
                guard let start = open.popLast(), scalars[start] == "\u{2068}" else { continue }
                places.formUnion([start, place])
            case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: open = []
            default: break
            }
        }
        return places
    }

    /// Returns true if the byte may begin a hostile code point.
    private static func isPerhapsHostile(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x1F, 0x7F, 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3: true
        default: false
        }
    }

    /// Returns true if a terminal acts upon the code point or shows nothing for it. ``SafeText`` decides by its neighbours
    /// if it stays.
    ///
    /// Joiners and the first 16 variation selectors are not hostile, because emoji families and Persian need them;
    /// neither are the variation selectors of Mongolian.
    static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // C0, DEL, C1 (U+009B alone begins an escape sequence).
        case 0x00...0x1F, 0x7F...0x9F: true
        // Bidirectional controls (CVE-2021-42574).
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        // Invisible: soft hyphen, combining grapheme joiner, Mongolian vowel separator, zero width space, word joiner
        // to the deprecated format characters, byte order mark, interlinear annotation.
        case 0x00AD, 0x034F, 0x180E, 0x200B, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        // Invisible by themselves and of use in no chat: Khmer inherent vowels, controls of shorthand and of musical
        // notation, and what Unicode reserves for invisible characters (Default_Ignorable_Code_Point).
        case 0x17B4...0x17B5, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xFFF0...0xFFF8, 0xE0080...0xE00FF,
            0xE01F0...0xE0FFF:
            true
        // Hangul fillers, drawn as a space or as nothing.
        case 0x115F, 0x1160, 0x3164, 0xFFA0: true
        // Line and paragraph separator.
        case 0x2028, 0x2029: true
        // Tags, by which a text can carry another one unseen.
        case 0xE0000...0xE007F: true
        // Variation selectors 17 to 256, which are invisible except after an ideograph.
        case 0xE0100...0xE01EF: true
        default: false
        }
    }
}
