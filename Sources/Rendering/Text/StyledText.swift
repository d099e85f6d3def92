import SearchText

/// A message's body as people read it: safe text without IRC's codes, and the style of each part.
///
/// Codes apply to every body, on any network: IRC's logs are imported into accounts of any kind, the search index
/// leaves the codes out of every body, and no other network gives these control characters a meaning.
package struct StyledText: Sendable, Hashable {
    /// A part of the text with one style.
    package struct Part: Sendable, Hashable {
        /// Safe text, perhaps with several lines.
        package var text: String
        package var style = TextStyle.plain
        /// True for a match of a search.
        package var isMatch = false

        package init(text: String, style: TextStyle = TextStyle.plain, isMatch: Bool = false) {
            (self.text, self.style, self.isMatch) = (text, style, isMatch)
        }

        package var isPlain: Bool { style == .plain && !isMatch }
    }

    /// The parts in order. Adjacent parts have different styles.
    package let parts: [Part]

    /// The limit of changes of style; a body is plain after them. A line of IRC has 510 bytes.
    static let maximumChanges = 1000

    /// - Parameters:
    ///   - body: The stored body.
    ///   - matches: The ranges that match a search, in any order; they may overlap.
    ///   - before: Safe text of this program to put before the body, and `after` it.
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

    /// Returns the text of a body without its styles, as ``text`` has it.
    package static func text(of body: String) -> String {
        FormattingCodes.hasAny(body) ? StyledText(body).text : Sanitizer.body(body)
    }

    /// The text of all parts.
    package var text: String {
        parts.count == 1 ? parts[0].text : parts.reduce(into: "") { $0 += $1.text }
    }

    private static func parts(of body: String, _ matches: [Range<String.Index>]) -> [Part] {
        var (parts, part) = ([Part](), Part(text: ""))
        var pending = String.UnicodeScalarView()
        func end() {
            part.text = String(pending)
            if !part.text.isEmpty { parts.append(part) }
            pending = String.UnicodeScalarView()
        }
        var ranges = matches.sorted { $0.lowerBound < $1.lowerBound }[...]
        var (style, changes) = (TextStyle.plain, 0)
        // A style or a hit may begin beside an invisible character, which its neighbours decide upon.
        let safe = SafeText(body)
        var rest = body.unicodeScalars[...]
        while !rest.isEmpty {
            let place = rest.startIndex
            guard !safe.hides(place) else {
                rest.removeFirst()
                continue
            }
            if let (code, length) = FormattingCodes.code(at: rest) {
                style.apply(code)
                rest.removeFirst(length)
                continue
            }
            while let range = ranges.first, range.upperBound <= place { ranges.removeFirst() }
            let isMatch = ranges.first?.contains(place) ?? false
            if changes >= maximumChanges { style = .plain }
            // A hit has the same style throughout.
            let look = isMatch ? .plain : style
            if look != part.style || isMatch != part.isMatch {
                end()
                changes += 1
                (part.style, part.isMatch) = (look, isMatch)
            }
            safe.write(at: place, to: &pending, keeping: Sanitizer.isLine)
            rest.removeFirst()
        }
        end()
        return parts
    }

    /// Returns the parts of each piece.
    ///
    /// - Parameter pieces: Texts that give the whole text when they are joined.
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
}
