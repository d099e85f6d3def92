import Foundation
import Testing

/// The words that no printed text may have, because a reader needs them twice.
struct PrintedWordsTests {
    /// Phrases in lower case, by their first word; "." is the beginning of a text and the end of a sentence.
    private static let banned = Dictionary(
        grouping: [
            "told", "tells of", "tell of", "goes by", "go by", "is of", "are of", "was of", "were of", "of before",
            "amiss",
            "anew", "somebody", "it is no", "that is no", "this is no", "at all", "by itself", "by themselves",
            "so many",
            ". of",
        ].map { $0.split(separator: " ") }, by: \.first)

    private static let sources: [String] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted()
    }()

    private static let pages: [String] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/errors")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return ["docs/commands.md"] + names.filter { $0.hasSuffix(".md") }.map { "docs/errors/" + $0 }.sorted()
    }()

    /// Returns the words in lower case, with a "." at the beginning and after each sentence. A "…" is a word.
    private static func words(_ text: String) -> [Substring] {
        var words: [Substring] = ["."]
        for word in Substring(text.lowercased()).utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }) {
            guard let first = word.firstIndex(where: isPart), let last = word.lastIndex(where: isPart) else { continue }
            words.append(Substring(word[first...last]))
            if let end = word.last, ".!?".utf8.contains(end) { words.append(".") }
        }
        return words
    }

    /// Returns true for a letter, in lower case or not ASCII.
    private static func isPart(of byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte >= 0x80
    }

    private static func found(in text: String) -> [String] {
        let words = words(text)
        return words.indices.flatMap { index in
            (banned[words[index]] ?? []).filter { words[index...].starts(with: $0) }
        }.map { $0.joined(separator: " ") }
    }

    @Test func `no printed text has an ambiguous word`() throws {
        #expect(Self.sources.count > 500)
        for path in Self.sources {
            let literals = SwiftLiterals(try document("Sources/" + path))
            for literal in literals.found {
                // A fragment that continues a sentence may begin with "of".
                let isFragment = literal.text.drop { $0 == " " }.hasPrefix("of ")
                let found = Self.found(in: literal.text).filter { !isFragment || $0 != ". of" }
                #expect(found == [], "Sources/\(path):\(literals.line(of: literal)): \(literal.text)")
            }
        }
    }

    @Test func `no page about an error or a command has an ambiguous word`() throws {
        #expect(Self.pages.count > 40)
        for path in Self.pages {
            // A paragraph, so that a line's end does not hide a phrase.
            for paragraph in try document(path).split(separator: "\n\n") {
                #expect(Self.found(in: String(paragraph)) == [], "\(path): \(paragraph)")
            }
        }
    }

    @Test(
        arguments: [
            ("it can't be told of what the log is", ["told"]),
            ("Of each account it is no export.", [". of", "it is no"]),
            ("Nothing is amiss at\nall", ["amiss", "at all"]), ("stored. Of these", [". of"]), ("of account", [". of"]),
            ("untold, a list of all", []), ("is offline; at allowed times", []),
        ] as [(String, [String])])
    func `a banned word is found whole, in any case and across lines`(text: String, found: [String]) {
        #expect(Self.found(in: text) == found)
    }

    @Test func `literals are read without comments, and interpolations as code`() {
        let source = ##"""
            // "comment" told
            let a = "one \(name("two", 3)) \"three\"" /* "no" */
            let b = """
                four \
                five
                """ + #"six \(not) \#(map { "seven" })"#
            let pattern = /"[a-z]/
            let c = "eight"
            """##
        #expect(
            SwiftLiterals(source).found.map { $0.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
                == [
                    "one … \"three\"", "two", "four five", #"six \(not) …"#, "seven", "eight",
                ])
    }
}
