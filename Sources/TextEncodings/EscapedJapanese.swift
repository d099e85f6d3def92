/// ISO-2022-JP (RFC 1468), with the half-width katakana (`ESC ( I`) and the characters of Windows that people send in
/// it.
///
/// Each line begins and ends in ASCII. It is rewritten as EUC-JP, whose converter knows all these characters: glibc's
/// `ISO-2022-JP` rejects half-width katakana, and its `ISO-2022-JP-3` aborts on some input (CVE-2021-3326).
enum EscapedJapanese {
    private static let escape: UInt8 = 0x1B

    private enum CharacterSet {
        case ascii, katakana
        /// JIS X 0208, two bytes.
        case kanji
        /// JIS X 0212, two bytes.
        case supplement
    }

    private static let escapes: [(bytes: [UInt8], set: CharacterSet)] = [
        (Array("(B".utf8), .ascii), (Array("(J".utf8), .ascii), (Array("(I".utf8), .katakana),
        (Array("$@".utf8), .kanji), (Array("$B".utf8), .kanji), (Array("$(B".utf8), .kanji),
        (Array("$(D".utf8), .supplement),
    ]

    /// Returns true if the bytes have an escape sequence that begins Japanese characters.
    static func begins(in bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let place = rest.firstIndex(of: escape) {
            rest = rest[(place + 1)...]
            if let (_, set) = escapes.first(where: { rest.starts(with: $0.bytes) }), set != .ascii { return true }
        }
        return false
    }

    /// Returns the line in EUC-JP. Half a character at its end stays, and a byte above 0x7F becomes 0xFF: both are
    /// invalid in EUC-JP.
    static func unescaped(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var (rest, set) = (line, CharacterSet.ascii)
        while let first = rest.first {
            if first == escape, let found = escapes.first(where: { rest.dropFirst().starts(with: $0.bytes) }) {
                set = found.set
                rest = rest.dropFirst(found.bytes.count + 1)
                continue
            }
            let second = rest.dropFirst().first ?? 0
            switch set {
            case .katakana where isGraphic(first): bytes += [0x8E, first | 0x80]
            case .kanji where isGraphic(first) && isGraphic(second): bytes += [first | 0x80, second | 0x80]
            case .supplement where isGraphic(first) && isGraphic(second):
                bytes += [0x8F, first | 0x80, second | 0x80]
            case .kanji where isGraphic(first), .supplement where isGraphic(first): bytes.append(first | 0x80)
            default: bytes.append(first < 0x80 ? first : 0xFF)
            }
            let isPair = (set == .kanji || set == .supplement) && isGraphic(first) && isGraphic(second)
            rest = rest.dropFirst(isPair ? 2 : 1)
        }
        return bytes
    }

    /// Returns true for the bytes that are a part of a character: 0x21 to 0x7E.
    private static func isGraphic(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte)
    }
}
