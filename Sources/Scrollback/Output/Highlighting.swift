/// Paints parts of a body, in the lines that its safe text was broken into.
enum Highlighting {
    /// For each code point of the safe text whether it is painted.
    ///
    /// - Parameter ranges: In any order; they may overlap.
    static func marks(_ ranges: [Range<String.Index>], of body: String) -> [Bool] {
        var marks: [Bool] = []
        func mark(_ part: Substring, _ isPainted: Bool) {
            let count = Sanitizer.body(String(part)).unicodeScalars.count
            marks += Array(repeating: isPainted, count: count)
        }
        var rest = body.startIndex
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > rest {
            let start = max(range.lowerBound, rest)
            mark(body[rest..<start], false)
            mark(body[start..<range.upperBound], true)
            rest = range.upperBound
        }
        mark(body[rest...], false)
        return marks
    }

    /// - Parameter lines: Of `text`, with other spaces perhaps: what is no space stands in them in the same order.
    static func paint(_ lines: [String], of text: String, _ marks: [Bool], _ style: Style) -> [String] {
        let scalars = Array(text.unicodeScalars)
        var next = 0
        return lines.map { line in
            var (result, match, space) = ("", "", "")
            for scalar in line.unicodeScalars {
                if isSpace(scalar) {
                    space.unicodeScalars.append(scalar)
                    continue
                }
                while next < scalars.count, isSpace(scalars[next]) { next += 1 }
                let isPainted = next < marks.count && marks[next]
                if !match.isEmpty, !isPainted || !marks[next - 1] {
                    result += style.match(match)
                    match = ""
                }
                if match.isEmpty { result += space } else { match += space }
                if isPainted { match.unicodeScalars.append(scalar) } else { result.unicodeScalars.append(scalar) }
                space = ""
                next += 1
            }
            return result + style.match(match) + space
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\u{3000}"
    }
}
