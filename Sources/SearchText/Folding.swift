import Bytes

/// Folds letters that differ by case or accent into one, a superset of what `unicode61` folds.
///
/// `unicode61` with its default, `remove_diacritics=1`, keeps letters with two accents (`ễ`), `ß` and ligatures; this
/// type makes `Nguyễn` `nguyen` and `Straße` `strasse`. `unicode61` does not change or split the result; a test tries
/// every code point.
enum Folding {
    /// Appends the folded letter: one code point, except for `ß` and similar letters.
    static func fold(_ scalar: Unicode.Scalar, into token: inout [Unicode.Scalar]) {
        if scalar.isASCII {
            token.append(lowercased(ascii: scalar))
        } else if hasFolding(scalar) {
            token += folded(scalar)
        } else {
            token.append(scalar)
        }
    }

    /// Replaces a sign at which `unicode61` would cut a word by a private character from U+F0000 or U+100000 on, so
    /// that a word of Hindi or Thai stays whole.
    static func kept(_ sign: Unicode.Scalar) -> Unicode.Scalar {
        let plane: UInt32 = sign.value < 0x10000 ? 0xF0000 : 0x100000
        return Unicode.Scalar(plane + (sign.value & 0xFFFF)) ?? sign
    }

    private static func lowercased(ascii scalar: Unicode.Scalar) -> Unicode.Scalar {
        ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
    }

    /// Returns false quickly for most letters. True for Latin, which may have accents, and for letters that have
    /// another case.
    private static func hasFolding(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x430...0x45F: false
        case 0xC0...0x24F, 0x1E00...0x1EFF: true
        default: scalar.properties.changesWhenCaseFolded
        }
    }

    /// Folds to lower case by way of upper case, so that `ς` equals `σ`, and `ß` equals `ss`. Begins with lower case,
    /// for the capital `ẞ`.
    private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        scalar.properties.lowercaseMapping.unicodeScalars
            .flatMap { $0.properties.uppercaseMapping.unicodeScalars }
            .flatMap { $0.properties.lowercaseMapping.unicodeScalars }
            .compactMap(base)
    }

    /// - Returns: Nil for a mark.
    private static func base(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard !scalar.isASCII else { return scalar }
        guard !scalar.properties.isMark else { return nil }
        let first = String(scalar).decomposed.unicodeScalars.first ?? scalar
        return first.isASCII ? first : scalar
    }
}
