import Foundation

/// Makes equal the letters of a word that differ by case or accent, a superset of what `unicode61` folds.
///
/// `unicode61` with its default, `remove_diacritics=1`, keeps letters with two accents (`ễ`), `ß` and ligatures; here
/// `Nguyễn` is `nguyen` and `Straße` is `strasse`. What comes out passes `unicode61` whole and unchanged; a test tries
/// every code point.
enum Folding {
    static func fold(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if scalar.isASCII {
            return [lowercased(ascii: scalar)]
        }
        if scalar.properties.isMark || isUnknown(scalar.value) {
            return [kept(scalar)]
        }
        return hasFolding(scalar) ? folded(scalar) : [scalar]
    }

    private static func lowercased(ascii scalar: Unicode.Scalar) -> Unicode.Scalar {
        ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
    }

    /// What `unicode61` would cut a word at is written at U+F0000 or U+100000, among private characters, which it keeps.
    ///
    /// So a word of Hindi or Thai is whole, vowel signs included.
    private static func kept(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let plane: UInt32 = scalar.value < 0x10000 ? 0xF0000 : 0x100000
        return Unicode.Scalar(plane + (scalar.value & 0xFFFF)) ?? scalar
    }

    /// Letters that `unicode61`, whose tables are those of Unicode 6.1, takes for marks.
    private static func isUnknown(_ value: UInt32) -> Bool {
        switch value {
        case 0x19B0...0x19C0, 0x19C8...0x19C9, 0x1CF2...0x1CF3: true
        default: false
        }
    }

    /// Quick, since most letters have none: Latin, whose accents go, or any that has another case.
    private static func hasFolding(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xC0...0x24F, 0x1E00...0x1EFF: true
        default: scalar.properties.changesWhenCaseFolded || scalar.properties.changesWhenUppercased
        }
    }

    /// By way of upper case, which makes `ς` and `σ`, `ß` and `ss` one.
    private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        scalar.properties.uppercaseMapping.unicodeScalars
            .flatMap { $0.properties.lowercaseMapping.unicodeScalars }
            .compactMap(base)
    }

    /// - Returns: nil for a mark.
    private static func base(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard !scalar.isASCII else { return scalar }
        guard !scalar.properties.isMark else { return nil }
        let first = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first ?? scalar
        return first.isASCII ? first : scalar
    }
}
