/// Folds full and half width: `Ａ` to `A`, `ｶ` to `カ`, `ﾡ` to `ㄱ`. `unicode61` keeps them apart.
///
/// A half-width voiced mark becomes the combining one, so that NFC makes `ｶﾞ` a `ガ`.
enum Width {
    /// The counterparts of U+FF61 to U+FF9F, in order.
    private static let katakana = Array(
        "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}".unicodeScalars)

    static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let value = scalar.value
        switch value {
        case 0xFF01...0xFF5E: return Unicode.Scalar(value - 0xFF01 + 0x21) ?? scalar
        case 0xFF61...0xFF9F: return katakana[Int(value - 0xFF61)]
        case 0xFFA1...0xFFBE: return Unicode.Scalar(value - 0xFFA1 + 0x3131) ?? scalar
        case 0xFFC2...0xFFDC: return vowel(value) ?? scalar
        default: return scalar
        }
    }

    /// Returns the vowel. Half-width vowels come in groups of six, with two code points unused between groups.
    private static func vowel(_ value: UInt32) -> Unicode.Scalar? {
        let (row, place) = (value - 0xFFC2).quotientAndRemainder(dividingBy: 8)
        return place < 6 ? Unicode.Scalar(0x314F + row * 6 + place) : nil
    }
}
