/// Writes the characters of one text safely, each by what is around it.
///
/// The table of `docs/terminal.md#characters-that-are-written-out` lists the places at which an invisible character stays:
/// where its script needs it, and where it moves no letter and hides none. Nothing of a text is read twice for two of
/// its characters, so the time is linear.
struct SafeText {
    private let scalars: String.UnicodeScalarView
    /// The places of U+2068 and U+2069 that are not shown.
    private let isolates: Set<String.Index>

    init(_ text: String) {
        (scalars, isolates) = (text.unicodeScalars, Sanitizer.isolates(in: text))
    }

    /// Returns true for a paired isolate, for which nothing is shown.
    func hides(_ place: String.Index) -> Bool { isolates.contains(place) }

    /// Appends the character at the place: as it is, or as `\u{1B}`, or nothing for a paired isolate.
    ///
    /// - Parameter isKept: Returns true for hostile characters that stay, such as line feeds.
    func write(
        at place: String.Index, to result: inout String.UnicodeScalarView,
        keeping isKept: (Unicode.Scalar) -> Bool
    ) {
        guard !hides(place) else { return }
        let scalar = scalars[place]
        if !Sanitizer.isHostile(scalar) || isKept(scalar) || isNeeded(at: place) {
            result.append(scalar)
        } else {
            // One by one: the time of `append(contentsOf:)` grows with the result *(measured, Swift 6.3)*.
            for escape in "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars {
                result.append(escape)
            }
        }
    }

    /// Returns the whole text.
    func text(keeping isKept: (Unicode.Scalar) -> Bool) -> String {
        var result = String.UnicodeScalarView()
        for place in scalars.indices { write(at: place, to: &result, keeping: isKept) }
        return String(result)
    }

    /// Returns the offset of each character in the shown text, and the length of the shown text, in code points.
    func offsets(keeping isKept: (Unicode.Scalar) -> Bool) -> [Int] {
        scalars.indices.reduce(into: [0]) { offsets, place in
            var shown = String.UnicodeScalarView()
            write(at: place, to: &shown, keeping: isKept)
            offsets.append(offsets[offsets.count - 1] + shown.count)
        }
    }

    /// Returns true if the writing needs the hostile character at the place, and it is harmless there.
    private func isNeeded(at place: String.Index) -> Bool {
        switch scalars[place].value {
        case 0x200B: isBetweenUnspaced(place)
        case 0xAD: isHyphenation(place)
        case 0x180E: isInMongolian(place)
        case 0x200E, 0x200F: isDirectionMark(place)
        case 0xE0020...0xE007F: isInFlag(place)
        // Chooses the form of the ideograph before it, as Japanese names need (UTS #37).
        case 0xE0100...0xE01EF: before(place).map { scalars[$0].properties.isIdeographic } ?? false
        default: false
        }
    }

    // MARK: Neighbours

    private func before(_ place: String.Index) -> String.Index? {
        var place = place
        while place > scalars.startIndex {
            place = scalars.index(before: place)
            if !isolates.contains(place) { return place }
        }
        return nil
    }

    private func after(_ place: String.Index) -> String.Index? {
        var place = scalars.index(after: place)
        while place < scalars.endIndex {
            if !isolates.contains(place) { return place }
            place = scalars.index(after: place)
        }
        return nil
    }

    /// Returns the first character from the place on, in one direction, that is not skipped.
    private func first(
        from place: String.Index, _ next: (String.Index) -> String.Index?,
        skipping isSkipped: (Unicode.Scalar) -> Bool
    ) -> Unicode.Scalar? {
        var place = next(place)
        while let found = place {
            if Sanitizer.isHostile(scalars[found]) || !isSkipped(scalars[found]) { return scalars[found] }
            place = next(found)
        }
        return nil
    }

    // MARK: Contexts

    /// The longest run of zero width spaces that stays: people who type them by hand type up to three, and 1 in 1,000
    /// runs of LibreOffice's Khmer help is longer *(measured)*.
    private static let maximumSpaces = 3

    /// Returns true for a zero width space beside a character of a script that has no spaces between words, perhaps with
    /// others.
    private func isBetweenUnspaced(_ place: String.Index) -> Bool {
        var (start, end, count) = (place, place, 1)
        while let found = before(start), scalars[found].value == 0x200B, count <= Self.maximumSpaces {
            (start, count) = (found, count + 1)
        }
        while let found = after(end), scalars[found].value == 0x200B, count <= Self.maximumSpaces {
            (end, count) = (found, count + 1)
        }
        guard count <= Self.maximumSpaces else { return false }
        return [first(from: start, before, skipping: \.properties.isMark), after(end).map { scalars[$0] }].contains {
            $0.map { $0.isUnspaced && !$0.properties.isMark } ?? false
        }
    }

    /// Returns true for a soft hyphen with two letters on each side, as no hyphenation leaves one.
    private func isHyphenation(_ place: String.Index) -> Bool {
        [before, after].allSatisfy { next in
            var place = place
            for _ in 1...2 {
                guard let found = next(place), scalars[found].isHyphenated else { return false }
                place = found
            }
            return true
        }
    }

    private func isInMongolian(_ place: String.Index) -> Bool {
        [first(from: place, before, skipping: \.properties.isMark), after(place).map { scalars[$0] }].allSatisfy {
            $0.map { (0x1820...0x18AA).contains($0.value) } ?? false
        }
    }

    /// Returns true for a mark of direction between two letters, with spaces and punctuation between at most, that can
    /// move only these: by the rules N1 and N2 of UAX #9, U+200F moves no letter beside a letter that runs to the left,
    /// and U+200E none between two letters of different directions.
    private func isDirectionMark(_ place: String.Index) -> Bool {
        let letters = [before, after].compactMap { next in
            first(from: place, next, skipping: \.isNeutral).flatMap { $0.properties.isLetter ? $0 : nil }
        }
        guard letters.count == 2, !letters.contains(where: Sanitizer.isHostile) else { return false }
        let leftward = letters.count { $0.runsLeft }
        return scalars[place].value == 0x200F ? leftward > 0 : leftward == 1
    }

    /// The flags of England, Scotland and Wales, in tags without their common part (emoji-sequences.txt). Other tags
    /// could carry a text unseen.
    private static let flags = ["gbeng", "gbsct", "gbwls"].map { flag in
        flag.unicodeScalars.map { $0.value + 0xE0000 } + [0xE007F]
    }

    private func isInFlag(_ place: String.Index) -> Bool {
        var (start, steps) = (place, 0)
        while scalars[start].value != 0x1F3F4 {
            guard steps < 6, let found = before(start) else { return false }
            (start, steps) = (found, steps + 1)
        }
        return Self.flags.contains(scalars[start...].dropFirst().prefix(6).map(\.value))
    }
}

extension Unicode.Scalar {
    /// True for scripts that are written without spaces between words, so that zero width spaces are typed: those that
    /// need a dictionary to break lines (LineBreak=SA: Thai, Lao, Myanmar, Tai Le, New Tai Lue, Khmer, Tai Tham, Tai Viet,
    /// Ahom), Balinese and Javanese.
    fileprivate var isUnspaced: Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19FF, 0x1A20...0x1AAF, 0x1B00...0x1B7F: true
        case 0xA980...0xA9FF, 0xAA60...0xAADF, 0x116D0...0x116E3, 0x11700...0x1174F: true
        default: false
        }
    }

    /// True for letters and their marks, but for those of East Asia, which break anywhere.
    fileprivate var isHyphenated: Bool {
        guard properties.isLetter || properties.isMark, !Sanitizer.isHostile(self) else { return false }
        return switch value {
        case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF00...0xFFEF: false
        case 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFF: false
        default: true
        }
    }

    /// True for letters of scripts that run from right to left (blocks with Bidi_Class R or AL, DerivedBidiClass.txt).
    fileprivate var runsLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    /// True for spaces, punctuation and symbols, and for marks, which belong to the letter before them.
    fileprivate var isNeutral: Bool {
        switch properties.generalCategory {
        case .spaceSeparator, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol,
            .otherSymbol:
            true
        default: properties.isMark
        }
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isLetter: Bool {
        switch generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    fileprivate var isMark: Bool {
        switch generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
