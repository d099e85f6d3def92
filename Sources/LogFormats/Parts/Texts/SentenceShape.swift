import Bytes

/// A sentence that a program fills with texts, as it stands in a translation: `%1 has been kicked by %2 (%3).`
struct SentenceShape: Sendable, ExpressibleByStringLiteral {
    private enum Part: Sendable {
        case words([UInt8])
        case place(Int)
    }

    private let parts: [Part]

    init(stringLiteral text: String) {
        var (parts, words, rest): ([Part], [UInt8], ArraySlice<UInt8>) = ([], [], Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let digit = rest.first, Byte.isDigit(digit) else {
                words.append(byte)
                continue
            }
            if !words.isEmpty { parts.append(.words(words)) }
            parts.append(.place(Int(digit - Byte.zero)))
            words = []
            rest = rest.dropFirst()
        }
        self.parts = words.isEmpty ? parts : parts + [.words(words)]
    }

    /// Returns the texts at the places, by number; nil for another sentence. A text ends at the next words of the shape,
    /// the last one at the words of the end. No text is empty.
    func texts(of sentence: ArraySlice<UInt8>) -> [Int: ArraySlice<UInt8>]? {
        var (found, rest): ([Int: ArraySlice<UInt8>], ArraySlice<UInt8>) = ([:], sentence)
        var index = 0
        while index < parts.count {
            switch parts[index] {
            case .words(let words):
                guard rest.starts(with: words) else { return nil }
                rest = rest.dropFirst(words.count)
                index += 1
            case .place(let place):
                guard let end = end(ofTextBefore: index + 1, in: rest), end > rest.startIndex else { return nil }
                found[place] = rest[..<end]
                rest = rest[end...]
                index += 1
            }
        }
        return rest.isEmpty ? found : nil
    }

    private func end(ofTextBefore next: Int, in rest: ArraySlice<UInt8>) -> Int? {
        guard next < parts.count, case .words(let words) = parts[next] else { return rest.endIndex }
        if next == parts.count - 1 {
            return rest.count > words.count && rest.suffix(words.count).elementsEqual(words)
                ? rest.endIndex - words.count : nil
        }
        return rest.range(of: String(decoding: words, as: UTF8.self))?.lowerBound
    }
}
