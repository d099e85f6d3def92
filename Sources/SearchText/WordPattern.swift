import CPCRE2

/// Rewrites `\w`, `\W`, `\b`, `\B`, `[:word:]`, `[[:<:]]` and `[[:>:]]` of a pattern, so that they know the vowel signs,
/// points, viramas and joiners of every script.
///
/// PCRE2 has no option for that, and its versions differ: `\w` of 10.42 has no marks, and since 10.43 it has those
/// without a width (Mn), but not those with one (Mc), such as most vowel signs of Hindi. Every item matches one
/// character or none, as before, so it may stand in a lookbehind.
struct WordPattern {
    /// The characters of a word, to put in brackets: letters, marks, numbers, connectors and joiners, as in Unicode's
    /// `\w` (UTS #18, annex C), with all numbers, as in PCRE2.
    ///
    /// ASCII is named again, because PCRE2 then finds it in a table: `\b\d{4}\b` takes 0.8 times the time of PCRE2's own
    /// `\b` *(measured)*. An escape begins and ends the list, so that a hyphen beside it means the same as beside `\w`.
    private static let word = #"\wA-Za-z0-9_\x{200C}\x{200D}\p{M}\p{Pc}"#

    /// All other characters, to put in brackets. PCRE2 can't put the complement of a class into a class, so the other
    /// categories are named: all but `L`, `M`, `N` and `Pc`. The joiners have the category `Cf`, so its other characters
    /// are listed (Unicode 16). Such a class takes up to 2.5 times the time of PCRE2's own *(measured)*.
    private static let other =
        #"\h\x00-\x2F\x3A-\x40\x5B-\x5E\x60\x7B-\x7F\p{Cc}\p{Cn}\p{Co}"#
        + #"\x{AD}\x{600}-\x{605}\x{61C}\x{6DD}\x{70F}\x{890}\x{891}\x{8E2}\x{180E}\x{200B}\x{200E}-\x{203E}"#
        + #"\x{2055}-\x{206F}\x{FEFF}\x{FFF9}-\x{FFFB}\x{110BD}\x{110CD}\x{13430}-\x{1343F}\x{1BCA0}-\x{1BCA3}"#
        + #"\x{1D173}-\x{1D17A}\x{E0000}-\x{E00FF}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\p{S}\p{Z}"#

    // Each is one assertion, because PCRE2 finds the first character of a match behind assertions quickly, and not behind
    // groups.
    private static let edge = "(?!(?(?<=[\(word)])(?=[\(word)])|(?![\(word)])))"
    private static let noEdge = "(?!(?(?<=[\(word)])(?![\(word)])|(?=[\(word)])))"

    private let pattern: [UInt8]
    /// The offsets of the pattern's items, as PCRE2 reads them.
    private let items: Set<Int>

    /// - Parameter code: The pattern, compiled with `PCRE2_AUTO_CALLOUT`. So PCRE2 itself says where its items are, and
    ///   quoted texts, comments and options need no second parser.
    init(_ pattern: [UInt8], compiled code: OpaquePointer) {
        self.pattern = pattern
        items = Self.items(of: code)
    }

    /// Returns false for most patterns that rewriting leaves unchanged.
    static func mayChange(_ pattern: [UInt8]) -> Bool {
        zip(pattern, pattern.dropFirst()).contains { first, second in
            first == UInt8(ascii: "\\") && "wWbB".utf8.contains(second)
                || first == UInt8(ascii: "[") && second == UInt8(ascii: ":")
        }
    }

    /// The pattern in UTF-8 with all its items rewritten.
    var rewritten: [UInt8] {
        var result: [UInt8] = []
        var place = 0
        while place < pattern.count {
            if let (length, text) = replacement(at: place) {
                result += text.utf8
                place += length
            } else {
                result.append(pattern[place])
                place += 1
            }
        }
        return result
    }

    /// Returns the length of the item at the place and what replaces it; nil for no item, and for one that stays.
    private func replacement(at place: Int) -> (length: Int, text: String)? {
        // A character of a quoted text (\Q...\E) is an item that another one may follow at once.
        guard items.contains(place), !items.contains(place + 1) else { return nil }
        let rest = pattern[place...]
        if rest.starts(with: "[[:<:]]".utf8) { return (7, "\(Self.edge)(?=[\(Self.word)])") }
        if rest.starts(with: "[[:>:]]".utf8) { return (7, "\(Self.edge)(?<=[\(Self.word)])") }
        if rest.first == UInt8(ascii: "["), let found = PatternClass(pattern, at: place),
            !(place + 1..<found.end).contains(where: items.contains)
        {
            return (found.end - place, found.text(of: pattern) { $0 ? Self.other : Self.word })
        }
        guard rest.first == UInt8(ascii: "\\") else { return nil }
        return switch rest.dropFirst().first {
        case UInt8(ascii: "w"): (2, "[\(Self.word)]")
        case UInt8(ascii: "W"): (2, "[^\(Self.word)]")
        case UInt8(ascii: "b"): (2, Self.edge)
        case UInt8(ascii: "B"): (2, Self.noEdge)
        default: nil
        }
    }

    private static func items(of code: OpaquePointer) -> Set<Int> {
        var items: Set<Int> = []
        withUnsafeMutablePointer(to: &items) { items in
            _ = pcre2_callout_enumerate_8(
                code,
                { block, items in
                    guard let block, let items else { return 0 }
                    items.assumingMemoryBound(to: Set<Int>.self).pointee.insert(block.pointee.pattern_position)
                    return 0
                }, items)
        }
        return items
    }
}

/// A class of a valid pattern, such as `[^a-z\W]`.
struct PatternClass {
    let start: Int
    /// The offset behind its `]`.
    private(set) var end: Int
    /// The places of `\w` and `[:word:]`, in order, and whether each is negated (`\W`, `[:^word:]`).
    private(set) var words: [(range: Range<Int>, isNegated: Bool)] = []

    /// - Returns: nil if the class does not end.
    init?(_ pattern: [UInt8], at start: Int) {
        (self.start, end) = (start, start + 1)
        readBeginning(of: pattern)
        var (isFirst, isQuoted) = (true, false)
        while end < pattern.count {
            let rest = pattern[end...]
            switch rest.first {
            case _ where isQuoted:
                isQuoted = !rest.starts(with: #"\E"#.utf8)
                end += isQuoted ? 1 : 2
            case UInt8(ascii: "]") where !isFirst:
                end += 1
                return
            case UInt8(ascii: "["): readName(rest)
            case UInt8(ascii: "\\"):
                isQuoted = rest.starts(with: #"\Q"#.utf8)
                readEscape(rest)
            default: end += 1
            }
            isFirst = false
        }
        return nil
    }

    /// Returns the class with another text in place of each of the words.
    func text(of pattern: [UInt8], word: (_ isNegated: Bool) -> String) -> String {
        var (result, place) = ([UInt8](), start)
        for found in words {
            result += pattern[place..<found.range.lowerBound] + word(found.isNegated).utf8
            place = found.range.upperBound
        }
        return String(decoding: result + pattern[place..<end], as: UTF8.self)
    }

    /// Reads what stands before the first character, which may be `]`: `^` and empty quotes.
    private mutating func readBeginning(of pattern: [UInt8]) {
        var isNegated = false
        while true {
            let rest = pattern[end...]
            if rest.starts(with: #"\E"#.utf8) {
                end += 2
            } else if rest.starts(with: #"\Q\E"#.utf8) {
                end += 4
            } else if rest.first == UInt8(ascii: "^"), !isNegated {
                isNegated = true
                end += 1
            } else {
                return
            }
        }
    }

    /// Reads a name such as `[:word:]`, or a bracket.
    private mutating func readName(_ rest: ArraySlice<UInt8>) {
        for name in ["[:word:]", "[:^word:]"] where rest.starts(with: name.utf8) {
            return readWord(name.utf8.count, isNegated: name.utf8.count > 8)
        }
        let letters = rest.dropFirst(2).prefix {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "^")
        }
        let isName = rest.starts(with: "[:".utf8) && rest.dropFirst(2 + letters.count).starts(with: ":]".utf8)
        end += isName ? letters.count + 4 : 1
    }

    private mutating func readEscape(_ rest: ArraySlice<UInt8>) {
        switch rest.dropFirst().first {
        case UInt8(ascii: "w"): readWord(2, isNegated: false)
        case UInt8(ascii: "W"): readWord(2, isNegated: true)
        // A control character: \c] does not end the class.
        case UInt8(ascii: "c"): end += 3
        default: end += 2
        }
    }

    private mutating func readWord(_ length: Int, isNegated: Bool) {
        words.append((end..<end + length, isNegated))
        end += length
    }
}
