/// The colours and styles of IRC, which are no part of what was said (modern.ircdocs.horse/formatting).
enum FormattingCodes {
    /// - Returns: how many code points at the text's beginning are one code; 0 where it begins with none.
    static func length(at text: Substring.UnicodeScalarView) -> Int {
        switch text.first?.value {
        // Bold, reset, monospace, reverse, italic, strikethrough, underline.
        case 0x02, 0x0F, 0x11, 0x16, 0x1D, 0x1E, 0x1F: 1
        case 0x03: 1 + colours(at: text.dropFirst(), read: number)
        case 0x04: 1 + colours(at: text.dropFirst(), read: hexadecimal)
        default: 0
        }
    }

    /// A comma belongs to the code only between two colours.
    private static func colours(
        at text: Substring.UnicodeScalarView, read: (Substring.UnicodeScalarView) -> Int
    ) -> Int {
        let foreground = read(text)
        let rest = text.dropFirst(foreground)
        guard foreground > 0, rest.first == "," else { return foreground }
        let background = read(rest.dropFirst())
        return background > 0 ? foreground + 1 + background : foreground
    }

    /// One or two digits.
    private static func number(at text: Substring.UnicodeScalarView) -> Int {
        text.prefix(2).prefix { ("0"..."9").contains($0) }.count
    }

    /// Six digits or none.
    private static func hexadecimal(at text: Substring.UnicodeScalarView) -> Int {
        let digits = text.prefix(6).prefix { $0.isASCII && $0.properties.isASCIIHexDigit }.count
        return digits == 6 ? 6 : 0
    }
}
