import Bytes

/// Makes equal texts identical: removes formatting codes, replaces full and half width and other forms of letters
/// (``CompatibilityForms``), and composes to NFC.
struct Normaliser {
    /// A letter and 30 marks, the limit of Unicode's stream-safe format (UAX #15). After that, a new segment begins, so
    /// that the time for composing is linear in the text.
    private static let maximumSegment = 31

    /// The limit of glyphs that stand for parts of a code point. After that, code points stay as they are, so that a text of
    /// 1 MiB of `㌖` does not take 14 times as much in the index. More than any text that people write.
    private static let maximumMapped = 1 << 18

    private var glyphs: [Glyph] = []
    private var mapped = 0
    /// The index of the last letter, which is not composed with its marks yet.
    private var segment = 0

    /// - Returns: The glyphs of the first ``Analyser/maximumBytes`` of the text.
    static func glyphs(of text: String) -> [Glyph] {
        var normaliser = Normaliser()
        normaliser.glyphs.reserveCapacity(min(text.utf8.count, Analyser.maximumBytes))
        // Code points of a formatting code that are still to be skipped.
        var skipped = 0
        var offset = 0
        for scalar in text.unicodeScalars {
            let end = offset + UTF8.width(scalar)
            guard end <= Analyser.maximumBytes else { break }
            // Every code begins with a control character.
            if skipped == 0, scalar.value < 0x20 {
                let start = text.utf8.index(text.startIndex, offsetBy: offset)
                skipped = FormattingCodes.length(at: text.unicodeScalars[start...])
            }
            if skipped > 0 {
                skipped -= 1
            } else if isSyllableOrHan(scalar) {
                normaliser.endSegment()
                normaliser.glyphs.append(Glyph(scalar: scalar, origin: UInt32(offset)..<UInt32(end)))
            } else {
                normaliser.add(Glyph(scalar: Width.fold(scalar), origin: UInt32(offset)..<UInt32(end)))
            }
            offset = end
        }
        normaliser.endSegment()
        return normaliser.glyphs
    }

    /// Returns true for the most characters of Korean and Chinese, which stay as they are and are not joined to what
    /// stands before them.
    @inline(__always)
    private static func isSyllableOrHan(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3400...0x9FFF, 0xAC00...0xD7A3: true
        default: false
        }
    }

    private mutating func add(_ glyph: Glyph) {
        if CompatibilityForms.mayHaveMapping(glyph.scalar) { addMapped(glyph) } else { append(glyph) }
    }

    /// Adds what the glyph is mapped to, or the glyph.
    @inline(never)
    private mutating func addMapped(_ glyph: Glyph) {
        let isMapped =
            mapped < Self.maximumMapped
            && CompatibilityForms.forEach(of: glyph.scalar) { scalar in
                mapped += 1
                append(Glyph(scalar: scalar, origin: glyph.origin))
            }
        if !isMapped { append(glyph) }
    }

    @inline(__always)
    private mutating func append(_ glyph: Glyph) {
        if !Self.mayCompose(glyph.scalar) || glyphs.count - segment >= Self.maximumSegment {
            endSegment()
            if Folding.isAm(glyph.scalar) { orderAm() }
        }
        glyphs.append(glyph)
    }

    /// Puts the tone before the circle of Thai's and Lao's vowel am, if a text has the circle first: both look the same.
    private mutating func orderAm() {
        guard let tone = glyphs.last, let circle = glyphs.dropLast().last, Folding.isToneOfAm(tone.scalar),
            Folding.isCircleOfAm(circle.scalar)
        else { return }
        glyphs.replaceSubrange(
            (glyphs.count - 2)...,
            with: [
                Glyph(scalar: tone.scalar, origin: circle.origin), Glyph(scalar: circle.scalar, origin: tone.origin),
            ])
    }

    @inline(__always)
    private mutating func endSegment() {
        if glyphs.count - segment > 1 || glyphs.last.map({ Self.decomposes($0.scalar) }) == true { compose() }
        segment = glyphs.count
    }

    /// Returns true quickly for most letters, which NFC neither changes nor joins to the code point before them.
    @inline(__always)
    private static func isFixed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300, 0xAC00...0xD7A3, 0x3041...0x3096, 0x30A1...0x30FE, 0x3131...0x318E: true
        case 0x3400...0x9FFF, 0x388...0x482: true
        default: false
        }
    }

    /// Returns whether NFC may join the code point to the one before it: marks, and the vowels and finals of decomposed
    /// Hangul. Marks that begin a cluster (`း` of Burmese) are joined to nothing (Unicode 17), and have their own range.
    @inline(__always)
    private static func mayCompose(_ scalar: Unicode.Scalar) -> Bool {
        guard !isFixed(scalar) else { return false }
        return switch scalar.value {
        case 0x1161...0x11FF: true
        // Kirat Rai, whose vowel signs are letters.
        case 0x16D63...0x16D6A: true
        default: scalar.properties.isMark && !ScalarKind.beginsCluster(scalar)
        }
    }

    private mutating func compose() {
        let origin = glyphs[segment].origin.lowerBound..<glyphs[glyphs.count - 1].origin.upperBound
        let composed = Self.composed(glyphs[segment...])
        // No slice of the array exists here, which would make this change copy the whole array.
        glyphs.removeLast(glyphs.count - segment)
        for scalar in composed.unicodeScalars {
            glyphs.append(Glyph(scalar: scalar, origin: origin))
        }
    }

    /// Returns true if NFC changes the code point on its own.
    private static func decomposes(_ scalar: Unicode.Scalar) -> Bool {
        !isFixed(scalar) && scalar.properties.isFullCompositionExclusion
    }

    private static func composed(_ segment: ArraySlice<Glyph>) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: segment.lazy.map(\.scalar))
        return String(scalars).composed
    }
}

extension Unicode.Scalar.Properties {
    var isMark: Bool {
        switch generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
