/// Paints parts of a text.
enum Highlighting {
    /// - Parameter ranges: In any order; what two of them share is painted once.
    static func paint(_ ranges: [Range<String.Index>], of text: String, _ style: Style) -> String {
        var result = ""
        var rest = text.startIndex
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > rest {
            let range = max(range.lowerBound, rest)..<range.upperBound
            result += text[rest..<range.lowerBound] + style.match(String(text[range]))
            rest = range.upperBound
        }
        return result + text[rest...]
    }
}
