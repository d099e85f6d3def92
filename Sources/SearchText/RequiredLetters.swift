/// The letters that each text with a match of a regular expression has, so that an index finds the texts to test.
///
/// Reads the syntax that most expressions have, and finds nothing in an expression with anything else, such as a condition,
/// a reference or an option beside `i`, `m` and `s`. What it finds, every match has.
struct RequiredLetters {
    /// Lists of alternatives, of which each match has one: letters of ASCII, at least ``leastLetters``, or Hangul or Han, at
    /// least two. Case does not count.
    let lists: [[String]]

    /// The least number of letters of ASCII: shorter ones are in too many words.
    private static let leastLetters = 3
    /// The limit of alternatives in a list.
    private static let mostAlternatives = 16

    init(of pattern: String) {
        var parser = Parser(pattern)
        lists = parser.wholePattern() ?? []
    }

    /// The lists of a part of an expression.
    private typealias Lists = [[String]]

    private struct Parser {
        private let pattern: [Unicode.Scalar]
        private var place = 0

        init(_ pattern: String) { self.pattern = Array(pattern.unicodeScalars) }

        private var next: Unicode.Scalar? { place < pattern.count ? pattern[place] : nil }

        private func starts(with text: String) -> Bool { pattern[place...].starts(with: text.unicodeScalars) }

        private mutating func skip(_ text: String) -> Bool {
            guard starts(with: text) else { return false }
            place += text.unicodeScalars.count
            return true
        }

        /// - Returns: Nil for an expression with anything that is not read here.
        mutating func wholePattern() -> Lists? {
            guard let lists = alternatives(depth: 0), next == nil else { return nil }
            return lists
        }

        // MARK: Groups

        /// Reads alternatives up to the end of their group.
        private mutating func alternatives(depth: Int) -> Lists? {
            guard depth < 50, let first = sequence(depth: depth) else { return nil }
            var all = [first]
            while skip("|") {
                guard let other = sequence(depth: depth) else { return nil }
                all.append(other)
            }
            guard all.count > 1 else { return first }
            // Each alternative gives its longest letters.
            let best = all.map { lists in
                lists.max { one, other in
                    (one.map(\.count).min() ?? 0) < (other.map(\.count).min() ?? 0)
                } ?? []
            }
            let joined = Set(best.joined()).sorted()
            return best.contains(where: \.isEmpty) || joined.count > mostAlternatives ? [] : [joined]
        }

        private mutating func sequence(depth: Int) -> Lists? {
            var (lists, run) = (Lists(), [Unicode.Scalar]())
            func end() {
                lists += RequiredLetters.pieces(of: run).map { [$0] }
                run = []
            }
            while let scalar = next, scalar != "|", scalar != ")" {
                guard let atom = atom(depth: depth), let times = quantifier() else { return nil }
                if case .letter(let letter) = atom, times == .once {
                    run.append(letter)
                    continue
                }
                if case .letter(let letter) = atom, times == .more { run.append(letter) }
                if case .nothing = atom { continue }
                end()
                if case .lists(let inner) = atom, times != .optional { lists += inner }
            }
            end()
            return lists
        }

        // MARK: Atoms

        private enum Atom {
            case letter(Unicode.Scalar)
            /// Any other character or class.
            case other
            /// A place, such as `\b`.
            case nothing
            case lists(Lists)
        }

        private mutating func atom(depth: Int) -> Atom? {
            guard let scalar = next else { return nil }
            switch scalar {
            case "(": return group(depth: depth)
            case "[": return characterClass()
            case "\\": return escape()
            case "*", "+", "?": return nil
            default:
                place += 1
                if "^$".unicodeScalars.contains(scalar) { return .nothing }
                return RequiredLetters.isLetter(scalar) ? .letter(scalar) : .other
            }
        }

        private mutating func group(depth: Int) -> Atom? {
            place += 1
            var isLookaround = false
            if next == "*" { return nil }
            if skip("?") {
                if options() { return .nothing }
                if ["=", "!", "<=", "<!"].contains(where: { skip($0) }) {
                    isLookaround = true
                } else if !skip(":"), !skip(">"), !groupName(), !scopedOptions() {
                    return nil
                }
            }
            guard let inner = alternatives(depth: depth + 1), skip(")") else { return nil }
            // A lookaround may forbid its letters, and those that it requires stand elsewhere, too.
            return isLookaround ? .nothing : .lists(inner)
        }

        /// Reads the options of `(?i)`.
        private mutating func options() -> Bool {
            let start = place
            if skipOptions(), skip(")") { return true }
            place = start
            return false
        }

        /// Reads the options of `(?i:`.
        private mutating func scopedOptions() -> Bool { skipOptions() && skip(":") }

        private mutating func skipOptions() -> Bool {
            let start = place
            while let scalar = next, "ims-".unicodeScalars.contains(scalar) { place += 1 }
            return place > start
        }

        /// Reads the name of `(?<name>` and `(?P<name>`.
        private mutating func groupName() -> Bool {
            guard skip("<") || skip("P<") else { return false }
            while let scalar = next, scalar != ">" {
                guard scalar.properties.isAlphabetic || scalar == "_" || ("0"..."9").contains(scalar) else {
                    return false
                }
                place += 1
            }
            return skip(">")
        }

        private mutating func characterClass() -> Atom? {
            let bytes = Array(String(String.UnicodeScalarView(pattern[place...])).utf8)
            guard let found = PatternClass(bytes, at: 0) else { return nil }
            place += String(decoding: bytes[..<found.end], as: UTF8.self).unicodeScalars.count
            return .other
        }

        private mutating func escape() -> Atom? {
            place += 1
            guard let scalar = next else { return nil }
            place += 1
            switch scalar {
            case "b", "B", "A", "z", "Z", "G", "K": return .nothing
            case "p", "P":
                place = next == "{" ? pattern[place...].firstIndex(of: "}").map { $0 + 1 } ?? pattern.count : place + 1
                return .other
            case "d", "D", "w", "W", "s", "S", "h", "H", "v", "V", "R", "n", "r", "t", "f", "e", "X", "N":
                // `\N{U+…}` is a character.
                return scalar == "N" && next == "{" ? nil : .other
            default:
                // Any other character of ASCII stands for itself.
                return scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar) ? .other : nil
            }
        }

        // MARK: Quantifiers

        private enum Times {
            case once, optional, more
        }

        /// Reads a quantifier, if there is one.
        private mutating func quantifier() -> Times? {
            var times = Times.once
            switch next {
            case "*", "?": (times, place) = (.optional, place + 1)
            case "+": (times, place) = (.more, place + 1)
            case "{":
                guard let found = repeats() else { return nil }
                times = found
            default: return .once
            }
            // Lazy or possessive.
            if next == "?" || next == "+" { place += 1 }
            return times
        }

        /// Reads `{2}`, `{2,}` and `{2,5}`. Other texts in braces are characters in some versions of PCRE2 alone.
        private mutating func repeats() -> Times? {
            guard let end = pattern[place...].firstIndex(of: "}") else { return nil }
            let parts = pattern[(place + 1)..<end].split(separator: ",", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), let least = parts.first, !least.isEmpty,
                parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } })
            else { return nil }
            place = end + 1
            return least.allSatisfy { $0 == "0" } ? .optional : .more
        }
    }

    // MARK: Letters

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { isLatin(scalar) || isRun(scalar) }

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    /// True for a syllable of Hangul and a character of Han.
    private static func isRun(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{3400}"..."\u{4DBF}").contains(scalar) || ("\u{4E00}"..."\u{9FFF}").contains(scalar)
            || ("\u{AC00}"..."\u{D7A3}").contains(scalar)
    }

    /// Returns the pieces of letters of one kind that are long enough.
    private static func pieces(of run: [Unicode.Scalar]) -> [String] {
        var (pieces, start) = ([String](), 0)
        for place in run.indices where place + 1 == run.count || isRun(run[place]) != isRun(run[place + 1]) {
            let piece = run[start...place]
            start = place + 1
            if piece.count >= (isRun(run[place]) ? 2 : leastLetters) {
                pieces.append(String(String.UnicodeScalarView(piece)).lowercased())
            }
        }
        return pieces
    }
}
