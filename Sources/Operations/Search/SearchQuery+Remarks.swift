import Rendering
package import SearchText

extension SearchQuery {
    /// The parts of the query that are ignored, and those that may not mean what was expected, a sentence each.
    package var notes: [String] {
        let ignored =
            ignored.isEmpty
            ? [] : ["ignored \(Sanitizer.value(ignored.joined(separator: " "))) (punctuation can't be searched)"]
        return ignored + remarks.map(\.sentence)
            + (isCut ? ["the query is too long; its end is ignored"] : [])
    }
}

extension Remark {
    fileprivate var sentence: String {
        switch self {
        case .resembles(let text, let name) where text.first?.isLetter == true:
            "\"\(Sanitizer.value(text))\" is searched as a word; the operator is \(name)"
        case .resembles(let text, let name): "\"\(Sanitizer.value(text))\" is ignored; the operator is \(name)"
        case .operatorAsWord("NOT"):
            "\"NOT\" is searched as a word here; the operator needs a word, phrase or group after it"
        case .operatorAsWord(let name):
            "\"\(name)\" is searched as a word here; the operator needs a word, phrase or group on each side"
        case .timeAsWord(let text):
            "\"\(Sanitizer.value(text))\" is searched as a word; a time condition works only outside parentheses"
        }
    }
}
