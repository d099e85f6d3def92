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
            return text(of: found).map { (found.end - place, $0) }
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

    /// Returns what replaces a class; nil if it stays.
    private func text(of found: PatternClass) -> String? {
        // A class with both has every character.
        let hasNegated = found.words.contains { $0.isNegated }
        guard !found.words.isEmpty, found.words.allSatisfy({ $0.isNegated == hasNegated }) else { return nil }
        // A class can't have all characters but a list's, so another class has them. \h, which is in it, is in their place.
        let text = found.text(of: pattern, words: hasNegated ? #"\h"# : Self.word)
        guard hasNegated else { return text }
        switch found.isNegated {
        case true?: return "(?:(?=\(text))[\(Self.word)])"
        case false?: return "(?:\(text)|[^\(Self.word)])"
        case nil: return nil
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
    /// True if it begins with `^`; nil if that depends on the option `xx`, which ignores spaces before it.
    private(set) var isNegated: Bool? = false
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
    func text(of pattern: [UInt8], words text: String) -> String {
        var (result, place) = ([UInt8](), start)
        for word in words {
            result += pattern[place..<word.range.lowerBound] + text.utf8
            place = word.range.upperBound
        }
        return String(decoding: result + pattern[place..<end], as: UTF8.self)
    }

    /// Reads what stands before the first character: `^` and empty quotes.
    private mutating func readBeginning(of pattern: [UInt8]) {
        while true {
            let rest = pattern[end...]
            if rest.starts(with: #"\E"#.utf8) {
                end += 2
            } else if rest.starts(with: #"\Q\E"#.utf8) {
                end += 4
            } else if rest.first == UInt8(ascii: "^"), isNegated == false {
                isNegated = true
                end += 1
            } else {
                let blanks = rest.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                if !blanks.isEmpty, rest.dropFirst(blanks.count).first == UInt8(ascii: "^") { isNegated = nil }
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
