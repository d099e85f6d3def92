import Foundation

/// How users and passwords are written so that both sides mean the same (SASLprep, RFC 4013).
///
/// Bidirectional text is not checked (§2.4), nor are unassigned code points (§2.5): a password that breaks those rules
/// is the server's to refuse.
enum SASLPrep {
    /// nil where nothing is left, or something is that must not be.
    static func prepare(_ text: String) -> String? {
        var mapped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isNothing(scalar) {
            mapped.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        let prepared = String(mapped).precomposedStringWithCompatibilityMapping
        return prepared.isEmpty || prepared.unicodeScalars.contains(where: isProhibited) ? nil : prepared
    }

    /// RFC 3454 B.1.
    private static func isNothing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x34F, 0x1806, 0x180B...0x180D, 0x200B...0x200D, 0x2060, 0xFE00...0xFE0F, 0xFEFF: true
        default: false
        }
    }

    /// RFC 3454 C.2 to C.9: controls, private use, non-characters, and what changes how text is shown.
    private static func isProhibited(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator: return true
        default: break
        }
        switch scalar.value {
        case 0xFFF9...0xFFFD, 0x2FF0...0x2FFB, 0x340...0x341: return true
        default: return scalar.properties.isNoncharacterCodePoint
        }
    }
}
