import Foundation

/// Makes equal the letters of a word that differ by case or accent, a superset of what `unicode61` folds.
///
/// `unicode61` with its default, `remove_diacritics=1`, keeps letters with two accents (`ễ`), `ß` and ligatures; here
/// `Nguyễn` is `nguyen` and `Straße` is `strasse`. What comes out passes `unicode61` whole and unchanged; a test tries
/// every code point.
enum Folding {
    /// Appends what the letter is equal to: one code point but for `ß` and its like.
    static func fold(_ scalar: Unicode.Scalar, into token: inout [Unicode.Scalar]) {
        if scalar.isASCII {
            token.append(lowercased(ascii: scalar))
        } else if hasFolding(scalar) {
            token += folded(scalar)
        } else {
            token.append(scalar)
        }
    }

    /// A sign that `unicode61` would cut a word at is written at U+F0000 or U+100000, among private characters, which it
    /// keeps: so a word of Hindi or Thai is whole.
    static func kept(_ sign: Unicode.Scalar) -> Unicode.Scalar {
        let plane: UInt32 = sign.value < 0x10000 ? 0xF0000 : 0x100000
        return Unicode.Scalar(plane + (sign.value & 0xFFFF)) ?? sign
    }

    private static func lowercased(ascii scalar: Unicode.Scalar) -> Unicode.Scalar {
        ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
    }

    /// Quick, since most letters have none: Latin, whose accents go, or any that has another case.
    private static func hasFolding(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x430...0x45F: false
        case 0xC0...0x24F, 0x1E00...0x1EFF: true
        default: scalar.properties.changesWhenCaseFolded
        }
    }

    /// By way of upper case, which makes `ς` and `σ`, `ß` and `ss` one; from lower case, for the capital `ẞ`.
    private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        scalar.properties.lowercaseMapping.unicodeScalars
            .flatMap { $0.properties.uppercaseMapping.unicodeScalars }
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
