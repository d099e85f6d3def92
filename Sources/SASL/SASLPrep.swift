import Foundation

/// Prepares users and passwords, so that both sides have the same bytes (SASLprep, RFC 4013).
///
/// Doesn't check bidirectional text (§2.4) or unassigned code points (§2.5): the server may refuse such a password.
package enum SASLPrep {
    /// Returns the prepared text; nil if it is empty or has a prohibited character.
    package static func prepare(_ text: String) -> String? {
        var mapped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isNothing(scalar) {
            mapped.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        let prepared = String(mapped).precomposedStringWithCompatibilityMapping
        return prepared.isEmpty || prepared.unicodeScalars.contains(where: isProhibited) ? nil : prepared
    }

    /// Returns true for characters that are removed (RFC 3454 B.1).
    private static func isNothing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x34F, 0x1806, 0x180B...0x180D, 0x200B...0x200D, 0x2060, 0xFE00...0xFE0F, 0xFEFF: true
        default: false
        }
    }

    /// Returns true for characters of RFC 3454 C.2 to C.9: controls, private use, non-characters, and those that change
    /// the display of text.
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
