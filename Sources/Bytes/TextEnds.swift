extension StringProtocol {
    /// The text without white space and line breaks at both ends. A zero width space counts as white space.
    package var trimmed: String {
        let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace || scalar == "\u{200B}" }
        let rest = Substring(self).unicodeScalars.drop(while: isBlank)
        let end = rest.lastIndex { !isBlank($0) }
        return end.map { String(rest[...$0]) } ?? ""
    }
}
