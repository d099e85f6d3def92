/// Finds links in a text that are safe to offer, because they show their whole target.
///
/// A link begins with `http`, `https`, `irc` or `ircs`. Its host has only ASCII letters, digits, `.` and `-`, so that
/// no host looks like another, or is an IPv6 address in brackets; no user or password precedes it, which could look like
/// a host. It has at most ``limit`` code points, none of them invisible.
package enum BodyLink {
    /// A part of a text: a link, or the text between links.
    package enum Piece: Sendable, Hashable {
        case text(String)
        case link(String)

        package var text: String {
            switch self {
            case .text(let text), .link(let text): text
            }
        }

        var isLink: Bool { if case .link = self { true } else { false } }
    }

    /// The limit of a link in code points; longer ones stay text. Older browsers accepted only about 2,000.
    package static let limit = 2000

    /// What a link begins with, in small letters.
    static let schemes: Set = ["http", "https", "irc", "ircs"]

    /// Returns the pieces in order; joined, they are the text.
    package static func pieces(of text: String) -> [Piece] {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return [.text(text)] }
        let scalars = Array(text.unicodeScalars)
        var pieces: [Piece] = []
        var (textStart, index) = (0, 0)
        while let colon = scalars[index...].firstIndex(of: ":") {
            index = colon + 1
            guard let start = schemeStart(scalars, colon: colon, from: textStart) else { continue }
            let run = beforeNextLink(scalars[(colon + 3)...].prefix(while: isPart), in: scalars)
            if let end = linkEnd(run), end - start <= limit {
                if textStart < start { pieces.append(.text(string(scalars[textStart..<start]))) }
                pieces.append(.link(string(scalars[start..<end])))
                (textStart, index) = (end, end)
            } else {
                index = run.endIndex
            }
        }
        if textStart < scalars.count { pieces.append(.text(string(scalars[textStart...]))) }
        return pieces
    }

    /// Returns true if the whole text is one safe link.
    package static func isLink(_ text: String) -> Bool {
        pieces(of: text) == [.link(text)]
    }

    /// Returns the host of a text that is a link; undefined for other texts.
    package static func host(_ link: String) -> String {
        let scalars = Array(link.unicodeScalars)
        guard let colon = scalars.firstIndex(of: ":") else { return "" }
        return string(host(scalars[(colon + 1)...].drop { $0 == "/" }))
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func schemeStart(_ scalars: [Unicode.Scalar], colon: Int, from first: Int) -> Int? {
        guard colon + 3 < scalars.count, scalars[colon + 1] == "/", scalars[colon + 2] == "/" else { return nil }
        let start = scalars[first..<colon].suffix(6).lastIndex { !isLetter($0) }.map { $0 + 1 } ?? max(first, colon - 6)
        let scheme = string(scalars[start..<colon]).lowercased()
        guard schemes.contains(scheme) else { return nil }
        guard start > first, isHost(scalars[start - 1]) || scalars[start - 1] == "+" else { return start }
        return nil
    }

    /// - Parameter run: The possible part of a link after `://`.
    private static func linkEnd(_ run: ArraySlice<Unicode.Scalar>) -> Int? {
        let run = trimmed(run)
        let authority = run.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { return nil }
        let host = host(authority)
        guard let first = host.first, first != ".", first != "-" else { return nil }
        var rest = authority[host.endIndex...]
        if rest.first == ":" {
            let port = rest.dropFirst().prefix { ("0"..."9").contains($0) }
            if !port.isEmpty { rest = rest[port.endIndex...] }
        }
        if rest.isEmpty { return run.endIndex }
        guard let next = rest.first, host.last != ".", host.last != "-" else { return nil }
        // What follows is the text around the link (`http://example.org,http://example.com`), or a word that is attached to
        // it, as in Korean (`http://example.org에서`), and not a host in other letters.
        guard isMark(next) || (!next.isASCII && !rest.contains(".")) else { return nil }
        return rest.startIndex
    }

    /// Returns the host at the beginning of an authority; empty if there is none.
    private static func host(_ authority: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        guard authority.first == "[" else { return authority.prefix(while: isHost) }
        let address = authority.dropFirst().prefix { $0 == ":" || $0 == "." || $0.properties.isASCIIHexDigit }
        guard address.endIndex < authority.endIndex, authority[address.endIndex] == "]",
            address.count <= longestAddress,
            address.count(where: { $0 == ":" }) >= 2
        else { return [] }
        return authority[...address.endIndex]
    }

    /// The length of the longest IPv6 address (RFC 4291 §2.2): eight groups of four digits, the last two as an IPv4 address.
    private static let longestAddress = 45

    /// Returns the run up to another link that follows after a comma or a semicolon.
    private static func beforeNextLink(
        _ run: ArraySlice<Unicode.Scalar>, in scalars: [Unicode.Scalar]
    ) -> ArraySlice<Unicode.Scalar> {
        var index = run.startIndex
        while let colon = run[index...].firstIndex(of: ":") {
            index = colon + 1
            guard let start = schemeStart(scalars, colon: colon, from: run.startIndex), start > run.startIndex,
                scalars[start - 1] == "," || scalars[start - 1] == ";"
            else { continue }
            return run[..<start]
        }
        return run
    }

    /// Returns true for a mark that ends a sentence or surrounds words, and that can't follow a host.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        ".,;!'*~()[]".unicodeScalars.contains(scalar)
    }

    /// Returns the run without the punctuation of the sentence around it, and without marks of emphasis (`*` and `_` in
    /// Markdown and WhatsApp, `~` for struck words). So does GitHub's Markdown (version 0.29, §6.9).
    private static func trimmed(_ run: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        var run = run
        var open: [Unicode.Scalar: Int] = [")": 0, "]": 0]
        for scalar in run {
            switch scalar {
            case "(": open[")", default: 0] += 1
            case "[": open["]", default: 0] += 1
            case ")", "]": open[scalar, default: 0] -= 1
            default: break
            }
        }
        while let last = run.last {
            switch last {
            case ".", ",", ";", ":", "!", "?", "'", "*", "_", "~": break
            case ")", "]":
                guard open[last, default: 0] < 0 else { return run }
                open[last, default: 0] += 1
            default: return run
            }
            run = run.dropLast()
        }
        return run
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isHost(_ scalar: Unicode.Scalar) -> Bool {
        isLetter(scalar) || ("0"..."9").contains(scalar) || scalar == "." || scalar == "-"
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "<", ">", "\\", "^", "`", "{", "|", "}": return false
        case "!"..."~": return true
        case "\u{0}"..."\u{7F}": return false
        default: break
        }
        guard !Sanitizer.isHostile(scalar) else { return false }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber, .otherSymbol:
            true
        default: false
        }
    }
}
