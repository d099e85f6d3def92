import ChatModel
import Rendering

/// Escapes texts for Markdown: no text becomes markup, HTML, a heading, a mention or a link to another target than it
/// shows.
///
/// Follows CommonMark 0.31.2 and GitHub Flavored Markdown 0.29. White space at either end of a line is dropped, because
/// both dialects hide it.
enum MarkdownText {
    /// Returns a text that stays on one line, for use within a line.
    static func line(_ text: String) -> String {
        escape(Sanitizer.line(text))
    }

    /// Returns a name for use between stars, which only work next to a character other than white space.
    static func name(_ sender: Message.Sender?) -> String {
        let name = trimmed(MessageRemarks.name(sender))
        return name.isEmpty ? "(no name)" : escape(String(name))
    }

    /// Returns a body that continues a line. Each further line begins in the column where readers see it begin.
    static func lines(_ body: String, indent: String) -> String {
        let styled = StyledText(body)
        let whole = styled.text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        // The parts of each line and of its end.
        let parts = styled.cut(into: whole.flatMap { [$0, "\n"] })
        var lines = whole.indices.map { line(trimmed(whole[$0]), MarkdownEmphasis.trimmed(parts[2 * $0])) }
        while lines.last == "" { lines.removeLast() }
        return lines.enumerated().map { index, line in
            index == 0 ? line : escapeStart(line)
        }.joined(separator: "\\\n\(indent)")
    }

    private static func line(_ text: String, _ parts: [StyledText.Part]) -> String {
        let pieces = BodyLink.pieces(of: text)
        let styled = StyledText(parts: parts).cut(into: pieces.map(\.text))
        let segments = zip(pieces, styled).flatMap { piece, parts -> [MarkdownEmphasis.Segment] in
            if case .link(let link) = piece { return [.link("<\(link)>")] }
            return parts.map(MarkdownEmphasis.Segment.text)
        }
        return MarkdownEmphasis.joined(segments, escape: escape)
    }

    /// Returns the body unchanged, in a fence longer than any within it.
    static func fenced(_ body: String) -> String {
        let body = StyledText(body).text
        var (run, longest) = (0, 2)
        for byte in body.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence)\n\(body)\(body.utf8.last == UInt8(ascii: "\n") ? "" : "\n")\(fence)\n"
    }

    /// Escapes characters with a meaning anywhere in a line, in a text that is safe to show.
    static func escape(_ text: String) -> String {
        // Most texts have none.
        guard text.utf8.hasAny(isPerhapsSpecial) else { return text }
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        var index = 0
        func isWord(_ index: Int) -> Bool { scalars.indices.contains(index) && Self.isWord(scalars[index]) }
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            switch scalar {
            case "\\", "`", "*", "[", "]", "<", ">", "&", "~", "|", "$":
                result.append(contentsOf: ["\\", scalar])
            case "_" where !isWord(index - 2) || !isWord(index):
                result.append(contentsOf: ["\\", scalar])
            case "@" where isWord(index):
                // Sites look for mentions in the rendered text, which has no backslash, but not in code.
                let name = scalars[index...].prefix { Self.isWord($0) || "_-@".unicodeScalars.contains($0) }
                result.append(contentsOf: ["`", "@"] + name + ["`"])
                index = name.endIndex
            case ":" where scalars[index...].starts(with: ["/", "/"]), "." where isWebHost(scalars[..<(index - 1)]):
                // GitHub turns these words into links on its own.
                result.append(contentsOf: ["\\", scalar])
            default:
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Returns true if the byte may need an escape. A full stop needs one only after `www`, so the letter `w` is
    /// checked instead.
    private static func isPerhapsSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "~"), UInt8(ascii: "|"),
            UInt8(ascii: "$"), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: ":"), UInt8(ascii: "w"),
            UInt8(ascii: "W"):
            true
        default: false
        }
    }

    private static func isWebHost(_ before: ArraySlice<Unicode.Scalar>) -> Bool {
        before.count >= 3 && before.suffix(3).allSatisfy { $0 == "w" || $0 == "W" }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }

    /// Escapes characters with a meaning only at the beginning of a line: headings, lists, rules.
    private static func escapeStart(_ line: String) -> String {
        let scalars = line.unicodeScalars
        switch scalars.first {
        case "#", "+", "-", "=", ":": return "\\" + line
        default: break
        }
        let digits = scalars.prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty, let next = scalars.dropFirst(digits.count).first, next == "." || next == ")" else {
            return line
        }
        return String(digits) + "\\" + String(scalars.dropFirst(digits.count))
    }

    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }
}
