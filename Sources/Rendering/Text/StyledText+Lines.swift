extension StyledText {
    /// Returns the parts of each line of the text.
    ///
    /// - Parameter lines: The text's lines. Spaces may differ; the other characters must be the same, in the same order.
    package func parts(of lines: [String]) -> [[Part]] {
        guard parts.contains(where: { !$0.isPlain }) else { return lines.map { $0.isEmpty ? [] : [Part(text: $0)] } }
        // The part of each character other than a space.
        var places = parts.indices.flatMap { place in
            parts[place].text.unicodeScalars.lazy.filter { !Self.isSpace($0) }.map { _ in place }
        }[...]
        return lines.map { line in
            var (result, run) = ([Part](), "")
            var current: Int?
            func end() {
                guard !run.isEmpty else { return }
                var part = current.map { parts[$0] } ?? Part(text: "")
                part.text = run
                result.append(part)
                run = ""
            }
            for scalar in line.unicodeScalars {
                if !Self.isSpace(scalar) {
                    let place = places.popFirst()
                    if place != current, !run.isEmpty { end() }
                    current = place
                }
                run.unicodeScalars.append(scalar)
            }
            end()
            return result
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\u{3000}"
    }
}
