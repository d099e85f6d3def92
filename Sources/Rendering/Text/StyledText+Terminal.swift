extension StyledText {
    /// Returns the lines with colours and links. Each line has its own, because a pager may begin with any line.
    ///
    /// - Parameter lines: The text's lines. Spaces may differ; the other characters must be the same, in the same
    ///   order.
    package func painted(_ lines: [String], _ style: Style) -> [String] {
        let pieces = style.isColored ? BodyLink.pieces(of: text) : []
        guard pieces.contains(where: \.isLink) || style.isColored && parts.contains(where: { !$0.isPlain }) else {
            return lines
        }
        var painter = LinePainter(parts, pieces, style)
        return lines.map { painter.painted($0) }
    }
}

/// Paints the lines of a text one after the other.
private struct LinePainter {
    /// The part and the link, or the text between links, to which a character belongs.
    private struct Place: Equatable {
        let part: Int
        let piece: Int
    }

    private let parts: [StyledText.Part]
    private let pieces: [BodyLink.Piece]
    private let style: Style
    /// The places of the characters other than spaces that have not been painted.
    private var places: ArraySlice<Place>

    init(_ parts: [StyledText.Part], _ pieces: [BodyLink.Piece], _ style: Style) {
        (self.parts, self.pieces, self.style) = (parts, pieces, style)
        func places(_ texts: [String]) -> [Int] {
            texts.indices.flatMap { place in
                texts[place].unicodeScalars.lazy.filter { !Self.isSpace($0) }.map { _ in place }
            }
        }
        self.places = zip(places(parts.map(\.text)), places(pieces.map(\.text))).map(Place.init)[...]
    }

    mutating func painted(_ line: String) -> String {
        var (result, run, space) = ("", "", "")
        var current: Place?
        for scalar in line.unicodeScalars {
            if Self.isSpace(scalar) {
                space.unicodeScalars.append(scalar)
                continue
            }
            let place = places.popFirst()
            if place != current {
                result += painted(run, at: current) + space
                (run, current) = ("", place)
            } else {
                run += space
            }
            run.unicodeScalars.append(scalar)
            space = ""
        }
        return result + painted(run, at: current) + space
    }

    private func painted(_ run: String, at place: Place?) -> String {
        guard let place else { return run }
        let part = parts[place.part]
        let painted = part.isMatch ? style.match(run) : style.paint(run, part.style)
        return TerminalLink.text(painted, pieces[place.piece])
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\u{3000}"
    }
}
