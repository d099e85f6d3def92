/// One of IRC's codes for colours and styles (modern.ircdocs.horse/formatting).
package enum FormattingCode: Sendable, Hashable {
    /// A colour of IRC, as its number or its value.
    package enum Colour: Sendable, Hashable {
        /// 0 to 99; 99 means the reader's default colour.
        case number(Int)
        /// A value from 0x000000 to 0xFFFFFF, written `RRGGBB`.
        case hexadecimal(Int)
    }

    /// Each of these toggles its style.
    case bold, italic, underline, strikethrough, monospace, reverse
    /// Ends all styles and colours.
    case reset
    /// Sets the colours. If both are nil, sets the reader's defaults; otherwise, a nil `ground` leaves the background
    /// unchanged.
    case colours(Colour?, ground: Colour?)
}

/// Finds IRC's formatting codes in a text. They are not part of its words.
package enum FormattingCodes {
    /// - Returns: The number of code points of the code at the text's beginning; 0 if there is none.
    package static func length(at text: Substring.UnicodeScalarView) -> Int {
        switch text.first?.value {
        // Bold, reset, monospace, reverse, italic, strikethrough, underline.
        case 0x02, 0x0F, 0x11, 0x16, 0x1D, 0x1E, 0x1F: 1
        case 0x03: 1 + colours(at: text.dropFirst(), read: number)
        case 0x04: 1 + colours(at: text.dropFirst(), read: hexadecimal)
        default: 0
        }
    }

    /// - Returns: The code at the text's beginning, and its number of code points; nil if there is none.
    package static func code(at text: Substring.UnicodeScalarView) -> (code: FormattingCode, length: Int)? {
        let length = length(at: text)
        guard length > 0, let first = text.first else { return nil }
        let code: FormattingCode =
            switch first.value {
            case 0x02: .bold
            case 0x1D: .italic
            case 0x1F: .underline
            case 0x1E: .strikethrough
            case 0x11: .monospace
            case 0x16: .reverse
            case 0x03: colours(text.dropFirst().prefix(length - 1)) { Int($0).map(FormattingCode.Colour.number) }
            case 0x04:
                colours(text.dropFirst().prefix(length - 1)) {
                    Int($0, radix: 16).map(FormattingCode.Colour.hexadecimal)
                }
            default: .reset
            }
        return (code, length)
    }

    /// Returns the text without its codes.
    package static func removed(from text: String) -> String {
        guard hasAny(text) else { return text }
        var plain = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            let length = length(at: rest)
            if length == 0 { plain.append(scalar) }
            rest.removeFirst(max(length, 1))
        }
        return String(plain)
    }

    /// Returns true if the text has a code; most texts have none.
    package static func hasAny(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.contains(where: isCode) } ?? text.utf8.contains(where: isCode)
    }

    private static func isCode(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x02...0x04, 0x0F, 0x11, 0x16, 0x1D...0x1F: true
        default: false
        }
    }

    private static func colours(
        _ digits: Substring.UnicodeScalarView, _ colour: (Substring) -> FormattingCode.Colour?
    ) -> FormattingCode {
        let parts = digits.split(separator: ",").map { colour(Substring($0)) }
        return .colours(parts.first ?? nil, ground: parts.dropFirst().first ?? nil)
    }

    /// Reads the colours of a code. A comma belongs to the code only between two colours.
    private static func colours(
        at text: Substring.UnicodeScalarView, read: (Substring.UnicodeScalarView) -> Int
    ) -> Int {
        let foreground = read(text)
        let rest = text.dropFirst(foreground)
        guard foreground > 0, rest.first == "," else { return foreground }
        let background = read(rest.dropFirst())
        return background > 0 ? foreground + 1 + background : foreground
    }

    /// Returns the number of digits of a colour's number: one or two.
    private static func number(at text: Substring.UnicodeScalarView) -> Int {
        text.prefix(2).prefix { ("0"..."9").contains($0) }.count
    }

    /// Returns the number of digits of a hexadecimal colour: six, or 0 for none.
    private static func hexadecimal(at text: Substring.UnicodeScalarView) -> Int {
        let digits = text.prefix(6).prefix { $0.isASCII && $0.properties.isASCIIHexDigit }.count
        return digits == 6 ? 6 : 0
    }
}
