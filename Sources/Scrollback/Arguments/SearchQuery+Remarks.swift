import Rendering
import SearchText

extension SearchQuery {
    /// Reports the parts of the query that are ignored, and those that may not mean what was expected.
    func noteRemarks() {
        if !ignored.isEmpty {
            StandardStream.note(
                "ignored \(Sanitizer.line(ignored.joined(separator: " "))) (punctuation can't be searched)\n")
        }
        for remark in remarks { StandardStream.note("\(Sanitizer.line(remark.sentence))\n") }
        if isCut { StandardStream.note("the query is too long; its end is ignored\n") }
    }
}

extension Remark {
    fileprivate var sentence: String {
        switch self {
        case .resembles(let text, let name) where text.first?.isLetter == true:
            "\"\(text)\" is searched as a word; the operator is \(name)"
        case .resembles(let text, let name): "\"\(text)\" is ignored; the operator is \(name)"
        case .operatorAsWord("NOT"):
            "\"NOT\" is searched as a word here; the operator needs a word, phrase or group after it"
        case .operatorAsWord(let name):
            "\"\(name)\" is searched as a word here; the operator needs a word, phrase or group on each side"
        case .timeAsWord(let text): "\"\(text)\" is searched as a word; a time condition works only outside parentheses"
        }
    }
}
