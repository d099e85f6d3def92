import Bytes

/// Folds letters that people take for one, a superset of what `unicode61` folds: those that differ by case or accent, and
/// those of ``LetterFolds``; digits of every script to those of ASCII.
///
/// `unicode61` with its default, `remove_diacritics=1`, keeps letters with two accents (`ễ`), `ß` and ligatures; this
/// type makes `Nguyễn` `nguyen` and `Straße` `strasse`. `unicode61` does not change or split the result; a test tries
/// every code point.
enum Folding {
    /// The nukta of Bengali, which counts only in `য়`: nobody leaves it out there.
    static let bengaliNukta = Unicode.Scalar(0x9BC as UInt16) ?? " "
    private static let bengaliYa = Unicode.Scalar(0x9AF as UInt16) ?? " "

    /// Appends a code point of a word in its folded form. Appends nothing for kinds that are no part of a word.
    ///
    /// - Parameter kind: The code point's kind.
    @inline(__always)
    static func fold(_ scalar: Unicode.Scalar, _ kind: ScalarKind, into token: inout [Unicode.Scalar]) {
        switch kind {
        case .letter: fold(letter: scalar, into: &token)
        case .run: fold(character: scalar, into: &token)
        case .digit: token.append(digit(scalar))
        case .sign where scalar == bengaliNukta && token.last != bengaliYa: break
        case .sign, .cluster, .clusterSign: token.append(scalar)
        case .dropped, .joiner, .invisibleSpace, .separator: break
        }
    }

    /// Appends a character of a run. Most have no table, which costs less than a look-up.
    @inline(__always)
    static func fold(character: Unicode.Scalar, into token: inout [Unicode.Scalar]) {
        if isJamo(character), LetterFolds.fold(character, into: &token) { return }
        token.append(character)
    }

    /// Appends the folded letter: one code point, except for `ß` and similar letters.
    static func fold(letter: Unicode.Scalar, into token: inout [Unicode.Scalar]) {
        if letter.isASCII {
            token.append(lowercased(ascii: letter))
        } else if LetterFolds.fold(letter, into: &token) {
            return
        } else if hasFolding(letter) {
            token += folded(letter)
        } else {
            token.append(letter)
        }
    }

    /// Replaces a sign at which `unicode61` would cut a word by a private character from U+F0000 or U+100000 on, so
    /// that a word of Hindi stays whole.
    static func kept(_ sign: Unicode.Scalar) -> Unicode.Scalar {
        let plane: UInt32 = sign.value < 0x10000 ? 0xF0000 : 0x100000
        return Unicode.Scalar(plane + (sign.value & 0xFFFF)) ?? sign
    }

    /// Replaces a code point of a cluster that `unicode61` takes for a mark by a private character: where possible from
    /// U+EE31 on, which takes a byte less than ``kept(_:)``. A word can't have the same token, because the token of a
    /// cluster contains ``Part/clusterEnd``.
    static func kept(inCluster scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard scalar.properties.isMark || isFormerMark(scalar.value) else { return scalar }
        let value = 0xE000 + scalar.value
        return value <= 0xF8FF ? Unicode.Scalar(value) ?? kept(scalar) : kept(scalar)
    }

    /// Returns true for letters of New Tai Lue that were marks in Unicode 6.1, whose tables `unicode61` has.
    private static func isFormerMark(_ value: UInt32) -> Bool {
        switch value {
        case 0x19B0...0x19C0, 0x19C8...0x19C9: true
        default: false
        }
    }

    private static func isJamo(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value & ~0xFF == 0x1100
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard let value = scalar.properties.numericValue, (0...9).contains(value) else { return scalar }
        return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
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

/// The vowel am of Thai and Lao, `ำ`, which is also written as a circle over the letter and the vowel aa after it: `ํา`.
extension Folding {
    /// Returns true for the vowel aa, the second part of am.
    static func isAm(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0xE32 || scalar.value == 0xEB2
    }

    /// Returns true for the circle, in a text or in a token.
    static func isCircleOfAm(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE4D, 0xECD, 0xEE4D, 0xEECD: true
        default: false
        }
    }

    static func isToneOfAm(_ scalar: Unicode.Scalar) -> Bool {
        (0xE48...0xE4B).contains(scalar.value) || (0xEC8...0xECB).contains(scalar.value)
    }
}
