import Rendering

/// The styles of IRC that Markdown has: bold, italic and, in GitHub's dialect, struck through.
///
/// Marks are written only where CommonMark 0.31.2 (§6.2) recognises them. Elsewhere the text stays plain, because a
/// mark that shows as a star would be worse.
enum MarkdownEmphasis {
    enum Segment {
        /// Safe text that isn't escaped yet.
        case text(StyledText.Part)
        /// Markdown.
        case link(String)

        fileprivate var first: Unicode.Scalar? {
            switch self {
            case .text(let part): part.text.unicodeScalars.first
            case .link: "<"
            }
        }
    }

    /// - Parameter escape: Turns a text into Markdown. Receives adjacent parts without marks in one piece, because one
    ///   may continue the other.
    static func joined(_ segments: [Segment], escape: (String) -> String) -> String {
        var (result, plain) = ("", "")
        var before: Unicode.Scalar?
        func endPlain() {
            result += escape(plain)
            plain = ""
        }
        func addPlain(_ scalars: Substring.UnicodeScalarView) {
            plain.unicodeScalars.append(contentsOf: scalars)
            before = scalars.last ?? before
        }
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .link(let link):
                endPlain()
                result += link
                before = ">"
            case .text(let part):
                let marks = marks(of: part.style)
                let (lead, core, trail) = cut(part.text.unicodeScalars)
                addPlain(lead)
                let after = trail.first ?? segments.dropFirst(index + 1).lazy.compactMap(\.first).first
                if !marks.isEmpty, mayStand(core, of: marks, between: before, and: after) {
                    endPlain()
                    result += marks + escape(String(Substring(core))) + String(marks.reversed())
                    before = "*"
                } else {
                    addPlain(core)
                }
                addPlain(trail)
            }
        }
        endPlain()
        return result
    }

    /// Returns the parts of a line without white space at its ends.
    static func trimmed(_ parts: [StyledText.Part]) -> [StyledText.Part] {
        var parts = parts[...]
        while let first = parts.first {
            let kept = first.text.unicodeScalars.drop { $0.properties.isWhitespace }
            parts[parts.startIndex].text = String(Substring(kept))
            guard kept.isEmpty else { break }
            parts.removeFirst()
        }
        while let last = parts.last {
            let (_, core, trail) = cut(last.text.unicodeScalars)
            guard !trail.isEmpty || core.isEmpty else { break }
            parts[parts.endIndex - 1].text = String(Substring(last.text.unicodeScalars.dropLast(trail.count)))
            guard core.isEmpty else { break }
            parts.removeLast()
        }
        return Array(parts)
    }

    private static func marks(of style: TextStyle) -> String {
        (style.isStruck ? "~~" : "") + (style.isBold ? "**" : "") + (style.isItalic ? "*" : "")
    }

    /// Returns the white space before the text, the text, and the white space after it. If there is only white space,
    /// all of it is before the text.
    private static func cut(
        _ text: String.UnicodeScalarView
    ) -> (Substring.UnicodeScalarView, Substring.UnicodeScalarView, Substring.UnicodeScalarView) {
        let kept = text.drop { $0.properties.isWhitespace }
        guard let last = kept.lastIndex(where: { !$0.properties.isWhitespace }) else {
            return (text[...], text[text.endIndex...], text[text.endIndex...])
        }
        let end = text.index(after: last)
        return (text[..<kept.startIndex], text[kept.startIndex..<end], text[end...])
    }

    /// Returns true if marks around the text would open and close: neither touches another mark, and a letter outside
    /// has a letter inside next to it.
    private static func mayStand(
        _ text: Substring.UnicodeScalarView, of marks: String, between before: Unicode.Scalar?,
        and after: Unicode.Scalar?
    ) -> Bool {
        guard let first = text.first, let last = text.last, before != "*", before != "~" else {
            return false
        }
        // If there are two kinds of marks, the inner one counts as punctuation for the outer one.
        let isMixed = marks.hasPrefix("~") && marks.hasSuffix("*")
        let opens = !isLetter(before) || !isMixed && isLetter(first)
        let closes = !isLetter(after) || !isMixed && isLetter(last)
        return opens && closes
    }

    private static func isLetter(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
