import Foundation

/// Makes equal texts identical: removes formatting codes, folds full and half width, and composes to NFC.
struct Normaliser {
    /// A letter and 30 marks, the limit of Unicode's stream-safe format (UAX #15). After that, a new segment begins, so
    /// that the time for composing is linear in the text.
    private static let maximumSegment = 31

    private var glyphs: [Glyph] = []
    /// The index of the last letter, which is not composed with its marks yet.
    private var segment = 0

    /// - Returns: The glyphs of the first ``Analyser/maximumBytes`` of the text.
    static func glyphs(of text: String) -> [Glyph] {
        var normaliser = Normaliser()
        normaliser.glyphs.reserveCapacity(min(text.unicodeScalars.count, Analyser.maximumBytes))
        let (scalars, hasCodes) = (text.unicodeScalars, FormattingCodes.hasAny(text))
        var (index, offset) = (scalars.startIndex, 0)
        while index < scalars.endIndex, offset + UTF8.width(scalars[index]) <= Analyser.maximumBytes {
            let scalar = scalars[index]
            let codes = hasCodes ? FormattingCodes.length(at: scalars[index...]) : 0
            let end = offset + (codes > 0 ? codes : UTF8.width(scalar))
            if codes == 0 {
                normaliser.add(Glyph(scalar: Width.fold(scalar), origin: UInt32(offset)..<UInt32(end)))
            }
            index = codes > 1 ? scalars.index(index, offsetBy: codes) : scalars.index(after: index)
            offset = end
        }
        normaliser.compose()
        return normaliser.glyphs
    }

    private mutating func add(_ glyph: Glyph) {
        if !Self.mayCompose(glyph.scalar) || glyphs.count - segment >= Self.maximumSegment {
            compose()
        }
        glyphs.append(glyph)
    }

    /// Returns whether NFC may join the code point to the one before it: marks, and the vowels and finals of decomposed
    /// Hangul.
    private static func mayCompose(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300, 0x388...0x482, 0x3041...0x3096, 0x3400...0x9FFF, 0xAC00...0xD7A3: false
        case 0x1161...0x11FF: true
        // Kirat Rai, whose vowel signs are letters.
        case 0x16D63...0x16D6A: true
        default: scalar.properties.isMark
        }
    }

    private mutating func compose() {
        defer { segment = glyphs.count }
        guard glyphs.count - segment > 1 || glyphs.last.map({ Self.decomposes($0.scalar) }) == true else { return }
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
        switch scalar.value {
        case ..<0x300, 0x388...0x482, 0x3041...0x3096, 0x3400...0x9FFF, 0xAC00...0xD7A3: false
        default: scalar.properties.isFullCompositionExclusion
        }
    }

    private static func composed(_ segment: ArraySlice<Glyph>) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: segment.lazy.map(\.scalar))
        return String(scalars).precomposedStringWithCanonicalMapping
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
