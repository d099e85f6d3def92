import SearchText
import Testing

@Suite struct WordPatternTests {
    private func found(_ pattern: String, in text: String) throws -> [String] {
        try RegularExpression(pattern).ranges(in: text).map { String(text[$0]) }
    }

    /// Swift's own comparison takes composed and decomposed texts for equal.
    private func expect(_ pattern: String, in text: String, finds expected: [String]) throws {
        let found = try found(pattern, in: text)
        #expect(found.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) }, "\(pattern)")
    }

    @Test(arguments: [
        ("हिन्दी", "मैं हिन्दी लिखता हूँ"), ("வணக்கம்", "ஓ வணக்கம் ஓ"), ("কথা", "এই কথা"), ("ไทย", "พูด ไทย ที่"),
        ("မြန်မာ", "ဒီ မြန်မာ စာ"), ("ភាសា", "នេះ ភាសា ខ្មែរ"), ("مُحَمَّد", "هذا مُحَمَّد هنا"), ("שָׁלוֹם", "זה שָׁלוֹם לך"),
        ("می‌خواهم", "را می‌خواهم."), ("ශ්‍රී", "මේ ශ්‍රී ලංකා"), ("e\u{301}te\u{301}", "un e\u{301}te\u{301}, oui"),
        ("서버", "새 서버 가"), ("слово", "это слово."),
    ])
    func `a word of any script has no edge inside`(word: String, text: String) throws {
        try expect(#"\b\#(word)\b"#, in: text, finds: [word])
        try expect(#"^\w+$"#, in: word, finds: [word])
        try expect(#"^[[:word:]]+$"#, in: word, finds: [word])
        try expect(#"\W|[[:^word:]]|[\W]"#, in: word, finds: [])
        for count in 1..<word.unicodeScalars.count {
            let start = String(String.UnicodeScalarView(word.unicodeScalars.prefix(count)))
            try expect(#"\b\#(start)\b"#, in: text, finds: [])
            #expect(try RegularExpression(#"^\#(start)\B"#).matches(word) == true)
        }
    }

    @Test(arguments: [
        (#"\W+"#, "हि, न्", [", "]), (#"[\W]+"#, "हि, न्", [", "]), (#"[^\W]+"#, "हि, न्", ["हि", "न्"]),
        (#"[^\W_]+"#, "हि_ न्", ["हि", "न्"]), (#"[\w-]+"#, "हि-न् x", ["हि-न्", "x"]), (#"[^]\w]+"#, "]ि ,", [" ,"]),
        (#"[,[:^word:]a]+"#, "हि a, न्", [" a, "]), (#"[\w\W]+"#, "हि न्", ["हि न्"]), (#"[\b\W]+"#, "हि\u{8} ", ["\u{8} "]),
        (#"[[:<:]]हि[[:>:]]"#, "हि हिन्", ["हि"]), (#"(?<=\bहि\W)न्\w+"#, "हि न्दी", ["न्दी"]), (#"(?i)[\W]K"#, " k", [" k"]),
        (#"(\w)(?C1)\w"#, "हि", ["हि"]), (#"(?(?=\w\b)\w|x)"#, "ि", ["ि"]), (#"(?<n>\w)\k<n>"#, "िि", ["िि"]),
        (#"\w+?\b"#, "हि", ["हि"]), (#"(*UCP)\w{2}"#, "हि", ["हि"]), (#"(?xx)[ ^ \w]+"#, "हि  ,", ["  ,"]),
    ])
    func `word characters are known in every place of a pattern`(pattern: String, text: String, expected: [String])
        throws
    {
        try expect(pattern, in: text, finds: expected)
    }

    @Test(arguments: [
        ("[[:alpha:]]+", "हिन्दी1_", ["ह", "न", "द"]), ("[[:alnum:]]+", "हि1_", ["ह", "1"]),
        ("[^[:alpha:]]+", "हिन", ["ि"]), (#"[[:alpha:]\pM]+"#, "हिन्दी1", ["हिन्दी"]),
    ])
    func `other named classes of letters have no marks`(pattern: String, text: String, expected: [String]) throws {
        try expect(pattern, in: text, finds: expected)
    }

    @Test(arguments: [
        (#"\Q\w\b[\W]\E"#, #"x\w\b[\W]y"#, [#"\w\b[\W]"#]), (#"\Q[\E+\w"#, "[[ि", ["[[ि"]),
        (#"(?#[\w)\w"#, "हि", ["ह", "ि"]),
        ("(?x) \\w + # [ \\b\n \\W", "हि न", ["हि "]), (#"[\c]\w]+"#, "a\u{1D}ि ", ["a\u{1D}ि"]),
        (#"\c\w"#, "\u{1C}w", ["\u{1C}w"]),
        (#"[\Q]\w\E\W]+"#, #"ि]w\ "#, [#"]w\ "#]), (#"(?C"[\w")\w"#, "ि", ["ि"]), (#"\\w"#, #"\w"#, [#"\w"#]),
    ])
    func `quoted text, comments and control characters keep their meaning`(
        pattern: String, text: String, expected: [String]
    ) throws {
        try expect(pattern, in: text, finds: expected)
    }

    @Test(arguments: [
        (#"\w(b"#, #"\w(b"#), (#"\bहि[\w-a]"#, #"\bहि[\w"#), (#"\b+"#, #"\b"#), (#"\w[z-a]"#, #"\w[z-"#),
        (#"\W*\C"#, #"\W*\C"#),
    ])
    func `an error shows the place in the pattern as typed`(pattern: String, before: String) {
        let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
        #expect(error?.before == before)
    }

    @Test func `a pattern that becomes too large is an error without a place`() throws {
        #expect(try RegularExpression(String(repeating: #"\bx"#, count: 100)).matches("x") == false)
        let error = #expect(throws: RegularExpressionError.self) {
            try RegularExpression(String(repeating: #"\b"#, count: 2000))
        }
        #expect(error?.before.isEmpty == true && error?.detail.isEmpty == false)
    }

    @Test(arguments: [
        (#"\W+"#, #"[\W]+"#), (#"\w+"#, #"[^\W]+"#), (#"\W+"#, #"[^[:word:]]+"#), (#"[^\w$]+"#, #"((?!\$)[\W])+"#),
    ])
    func `a class with other characters has exactly those that no word has`(pattern: String, equal: String) throws {
        let (one, other) = (try RegularExpression(pattern), try RegularExpression(equal))
        for start in stride(from: UInt32(0), to: 0x11_0000, by: 512) {
            let text = String(String.UnicodeScalarView((start..<start + 512).compactMap(Unicode.Scalar.init)))
            #expect(one.ranges(in: text) == other.ranges(in: text), "\(start)")
        }
    }

    @Test func `a class of long words takes no step for each character`() throws {
        let text = String(repeating: "a", count: 200_000)
        for pattern in [#"^[^\W_]+$"#, #"^[^\W\d]+\b$"#, #"^\w+$"#] {
            #expect(try RegularExpression(pattern).matches(text) == true)
            #expect(try RegularExpression(pattern).matches(text, stop: { false }) == true)
        }
    }

    /// Pieces of a pattern, and what each means for ASCII in characters alone.
    private static let pieces: [(typed: String, meant: String)] = {
        let word = "A-Za-z0-9_"
        let edge = "(?:(?<=[\(word)])(?![\(word)])|(?<![\(word)])(?=[\(word)]))"
        let noEdge = "(?:(?<=[\(word)])(?=[\(word)])|(?<![\(word)])(?![\(word)]))"
        let changed = [
            (#"\w"#, "[\(word)]"), (#"\W"#, "[^\(word)]"), (#"\b"#, edge), (#"\B"#, noEdge), (#"[\w-]"#, "[\(word)-]"),
            (#"[^a\W]"#, "(?:(?!a)[\(word)])"), (#"[\W_]"#, "[^A-Za-z0-9]"), (#"[^[:^word:]]"#, "[\(word)]"),
            (#"[\W\w]"#, #"[\x00-\x7F]"#),
            (#"\Q\w[\E"#, #"\\w\["#), (#"[]\w]"#, "[]\(word)]"), (#"(?<=\b\w)"#, "(?<=\(edge)[\(word)])"),
        ]
        return changed
            + ["a", "-", "|", "(?:", ")", "(", "?", "*", "{2}", "(?i)", "(?=", "(?<!", "(?x)", " ", "#", "\n"].map {
                ($0, $0)
            }
    }()

    @Test func `ASCII patterns mean the same as in PCRE2`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let pieces = (0..<Int.random(in: 1..<9)).compactMap { _ in Self.pieces.randomElement(using: &generator) }
            let typed = pieces.map(\.typed).joined()
            guard let expression = try? RegularExpression(typed),
                let meant = try? RegularExpression(pieces.map(\.meant).joined())
            else { continue }
            let text = (0..<Int.random(in: 0..<10)).compactMap { _ in
                ["a", "B", "_", "1", " ", "-", "[", "\\", "w", "\n"].randomElement(using: &generator)
            }
            .joined()
            #expect(
                expression.ranges(in: text) == meant.ranges(in: text),
                "\(typed.debugDescription) in \(text.debugDescription)")
        }
    }
}
