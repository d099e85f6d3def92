import Foundation

/// Prepares users and passwords, so that both sides have the same bytes (SASLprep, RFC 4013).
///
/// Doesn't check bidirectional text (§2.4) or unassigned code points (§2.5): the server may refuse such a password.
enum SASLPrep {
    /// Returns the prepared text; nil if it is empty or has a control character.
    static func prepare(_ text: String) -> String? {
        var mapped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isNothing(scalar) {
            mapped.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        let prepared = String(mapped).precomposedStringWithCompatibilityMapping
        let isForbidden = prepared.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return prepared.isEmpty || isForbidden ? nil : prepared
    }

    /// Returns true for characters that are removed (RFC 3454 B.1).
    private static func isNothing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x34F, 0x1806, 0x180B...0x180D, 0x200B...0x200D, 0x2060, 0xFE00...0xFE0F, 0xFEFF: true
        default: false
        }
    }
}
