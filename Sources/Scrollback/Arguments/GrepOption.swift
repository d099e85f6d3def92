import Bytes

/// The options that a user of grep may type, and their equivalents in `search`.
enum GrepOption {
    /// Returns the letter of an argument that is one ASCII letter after `-`; nil for any other.
    static func letter(_ argument: String) -> Unicode.Scalar? {
        let scalars = argument.unicodeScalars
        guard scalars.count == 2, scalars.first == "-", let letter = scalars.last, letter.isASCII,
            letter.properties.isAlphabetic
        else { return nil }
        return letter
    }

    /// Returns advice for a letter that is not an option of `search`.
    static func advice(_ letter: Unicode.Scalar) -> String {
        (equivalent(letter).map { "\($0); " } ?? "")
            + "to exclude the word \"\(letter)\", put -- before it: -- -\(letter)"
    }

    private static func equivalent(_ letter: Unicode.Scalar) -> String? {
        switch letter {
        case "v": "to exclude messages with a word, put - before the word: -test"
        case "E", "G", "P", "e": "for a regular expression, use --regex PATTERN"
        case "F": "words are always literal; only --regex is a pattern"
        case "l", "L": "for the number of hits in each room, use --by room"
        case "o": "search shows whole messages; for their number, use --count"
        case "w", "x": "a word is always found whole; for several words in a row, use \"a phrase\""
        case "r", "R": "search covers every room; narrow it with in:ROOM or -a ACCOUNT"
        case "m": "for the number of messages, use -n"
        default: nil
        }
    }

    /// Returns a sentence for each word of a `search` that looks like several options of grep, which explains how it was
    /// read.
    static func notes(_ words: some Sequence<String>) -> [String] {
        words.prefix { $0 != "--" }.filter(isCombined).map(note)
    }

    /// Returns true for an argument that looks like several options of grep together, such as `-ri`.
    ///
    /// Accepts two or three letters: longer ones are mostly words.
    private static func isCombined(_ argument: String) -> Bool {
        let letters = argument.utf8.dropFirst()
        return argument.utf8.first == Byte.dash && (2...3).contains(letters.count)
            && letters.allSatisfy("ivloEcrRnwxFHPq".utf8.contains) && Set(letters).count == letters.count
    }

    /// Returns a sentence that explains how such an argument was read.
    private static func note(_ argument: String) -> String {
        let word = argument.dropFirst()
        return "\(argument) excludes the word \"\(word)\"; write options separately: -i -c -n 5"
    }
}
