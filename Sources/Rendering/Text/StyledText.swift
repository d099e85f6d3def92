import SearchText

/// A message's body as people read it: safe text, without the codes of IRC, and how each part of it looks.
///
/// The codes count in every body, whatever its network: logs of IRC are imported into accounts of any kind, the search index
/// leaves the codes out of every body, and no other network gives these control characters a meaning.
package struct StyledText: Sendable, Hashable {
    package struct Part: Sendable, Hashable {
        /// Safe to show; it may have several lines.
        package var text: String
        package var style = TextStyle.plain
        /// Whether it was looked for.
        var isMatch = false

        package init(text: String, style: TextStyle = TextStyle.plain, isMatch: Bool = false) {
            self.text = text
            self.style = style
            self.isMatch = isMatch
        }

        package var isPlain: Bool { style == .plain && !isMatch }
    }

    /// In order. Neighbours look different.
    package let parts: [Part]

    /// A body with more changes of style than this is plain from there on; a line of IRC has 510 bytes.
    static let maximumChanges = 1000

    /// - Parameters:
    ///   - body: As it is stored.
    ///   - matches: What was looked for, in any order; ranges may overlap.
    ///   - before: Safe text of this program above or before the body, and `after` it.
    package init(_ body: String, matches: [Range<String.Index>] = [], before: String = "", after: String = "") {
        let parts =
            matches.isEmpty && !FormattingCodes.hasAny(body)
            ? [Part(text: Sanitizer.body(body))] : Self.parts(of: body, matches)
        let all = [Part(text: before)] + parts + [Part(text: after)]
        self.parts = all.reduce(into: []) { merged, part in
            guard !part.text.isEmpty else { return }
            if let last = merged.indices.last, merged[last].isPlain, part.isPlain {
                merged[last].text += part.text
            } else {
                merged.append(part)
            }
        }
    }

    package init(parts: [Part]) {
        self.parts = parts
    }

    package var text: String {
        parts.count == 1 ? parts[0].text : parts.reduce(into: "") { $0 += $1.text }
    }

    private static func parts(of body: String, _ matches: [Range<String.Index>]) -> [Part] {
        var parts: [Part] = []
        var part = Part(text: "")
        var pending = String.UnicodeScalarView()
        func end() {
            part.text = Sanitizer.body(String(pending))
            if !part.text.isEmpty { parts.append(part) }
            pending = String.UnicodeScalarView()
        }
        var ranges = matches.sorted { $0.lowerBound < $1.lowerBound }[...]
        var (style, changes) = (TextStyle.plain, 0)
        var rest = body.unicodeScalars[...]
        while let scalar = rest.first {
            let place = rest.startIndex
            if let (code, length) = FormattingCodes.code(at: rest) {
                style.apply(code)
                rest.removeFirst(length)
                continue
            }
            while let range = ranges.first, range.upperBound <= place { ranges.removeFirst() }
            let isMatch = ranges.first?.contains(place) ?? false
            if changes >= maximumChanges { style = .plain }
            // A hit looks the same throughout.
            let look = isMatch ? .plain : style
            if look != part.style || isMatch != part.isMatch {
                end()
                changes += 1
                (part.style, part.isMatch) = (look, isMatch)
            }
            pending.append(scalar)
            rest.removeFirst()
        }
        end()
        return parts
    }

    /// The parts of each piece.
    ///
    /// - Parameter pieces: Together the text.
    package func cut(into pieces: [String]) -> [[Part]] {
        var rest = parts.reversed().map { (text: $0.text.unicodeScalars[...], part: $0) }
        return pieces.map { piece in
            var needed = piece.unicodeScalars.count
            var taken: [Part] = []
            while needed > 0, let (text, part) = rest.popLast() {
                var piece = part
                if let end = text.index(text.startIndex, offsetBy: needed, limitedBy: text.endIndex),
                    end < text.endIndex
                {
                    piece.text = String(Substring(text[..<end]))
                    rest.append((text[end...], part))
                    needed = 0
                } else {
                    piece.text = String(Substring(text))
                    needed -= text.count
                }
                taken.append(piece)
            }
            return taken
        }
    }

    // MARK: On a terminal

    /// Each line in its own colours: a pager may begin with any of them.
    ///
    /// - Parameter lines: Of the text, with other spaces perhaps: what is no space stands in them in the same order.
    package func painted(_ lines: [String], _ style: Style) -> [String] {
        guard style.isColored, parts.contains(where: { !$0.isPlain }) else { return lines }
        // What is no space, with its part.
        let places = parts.indices.flatMap { part in
            parts[part].text.unicodeScalars.lazy.filter { !Self.isSpace($0) }.map { _ in part }
        }
        var next = 0
        return lines.map { line in
            var (result, run, space) = ("", "", "")
            var current: Int?
            func endRun() {
                result += current.map { paint(run, parts[$0], style) } ?? run
                run = ""
            }
            for scalar in line.unicodeScalars {
                if Self.isSpace(scalar) {
                    space.unicodeScalars.append(scalar)
                    continue
                }
                let part = next < places.count ? places[next] : nil
                next += 1
                if part != current {
                    endRun()
                    result += space
                    current = part
                } else {
                    run += space
                }
                run.unicodeScalars.append(scalar)
                space = ""
            }
            endRun()
            return result + space
        }
    }

    private func paint(_ text: String, _ part: Part, _ style: Style) -> String {
        part.isMatch ? style.match(text) : style.paint(text, part.style)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\u{3000}"
    }
}
