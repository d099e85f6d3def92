/// The colours and styles inside IRC text (modern.ircdocs.horse/formatting), which a search ignores.
package enum TextFormatting {
    private static let colour: UInt8 = 0x03
    private static let hexColour: UInt8 = 0x04
    /// Bold, reset, monospace, reverse, italics, strikethrough, underline.
    private static let styles: Set<UInt8> = [0x02, 0x0F, 0x11, 0x16, 0x1D, 0x1E, 0x1F]

    /// Returns the text without its codes. Codes are ASCII, so valid UTF-8 stays valid.
    package static func strip(_ text: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            switch byte {
            case colour: rest = dropColours(rest, maximum: 2, minimum: 1, isDigit: Byte.isDigit)
            case hexColour: rest = dropColours(rest, maximum: 6, minimum: 6) { Byte.hexadecimal($0) != nil }
            case _ where styles.contains(byte): break
            default: plain.append(byte)
            }
        }
        return plain
    }

    /// Returns the text without its codes.
    package static func strip(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 < 0x20 }) else { return text }
        return String(decoding: strip(bytes), as: UTF8.self)
    }

    /// Drops the foreground, and the background when a colour follows the comma; otherwise the comma is text.
    private static func dropColours(
        _ text: ArraySlice<UInt8>, maximum: Int, minimum: Int, isDigit: (UInt8) -> Bool
    ) -> ArraySlice<UInt8> {
        func length(_ text: ArraySlice<UInt8>) -> Int {
            let count = text.prefix(maximum).prefix(while: isDigit).count
            return count < minimum ? 0 : count
        }
        let foreground = length(text)
        let rest = text.dropFirst(foreground)
        guard foreground > 0, rest.first == Byte.comma else { return rest }
        let background = length(rest.dropFirst())
        return background > 0 ? rest.dropFirst(1 + background) : rest
    }
}
