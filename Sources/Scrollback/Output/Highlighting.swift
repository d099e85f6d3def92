/// Paints parts of a text.
enum Highlighting {
    /// - Parameter ranges: In order, none touching another.
    static func paint(_ ranges: [Range<String.Index>], of text: String, _ style: Style) -> String {
        var result = ""
        var rest = text.startIndex
        for range in ranges {
            result += text[rest..<range.lowerBound] + style.match(String(text[range]))
            rest = range.upperBound
        }
        return result + text[rest...]
    }
}
