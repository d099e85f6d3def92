extension StringProtocol {
    /// The text without white space and line breaks at both ends. A zero width space counts as white space.
    package var trimmed: String {
        let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace || scalar == "\u{200B}" }
        let rest = Substring(self).unicodeScalars.drop(while: isBlank)
        let end = rest.lastIndex { !isBlank($0) }
        return end.map { String(rest[...$0]) } ?? ""
    }
}

extension String {
    /// The text without spaces, tabs and line breaks of ASCII at both ends.
    package var withoutOuterSpaces: String {
        let isSpace = { (byte: UInt8) in byte == Byte.space || (0x09...0x0D).contains(byte) }
        guard utf8.first.map(isSpace) ?? false || utf8.last.map(isSpace) ?? false else { return self }
        let rest = utf8.drop(while: isSpace)
        return rest.lastIndex { !isSpace($0) }.map { String(decoding: rest[...$0], as: UTF8.self) } ?? ""
    }
}
