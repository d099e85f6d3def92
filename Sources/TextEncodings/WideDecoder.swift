/// The order and size of the units of UTF-16 or UTF-32.
package struct WideForm: Sendable, Hashable {
    /// The bytes of a unit: 2 or 4.
    let width: Int
    let isBigEndian: Bool

    package var encoding: TextEncoding { width == 4 ? .utf32 : .utf16 }

    private static let utf16LittleEndian = WideForm(width: 2, isBigEndian: false)
    private static let utf16BigEndian = WideForm(width: 2, isBigEndian: true)
    private static let utf32LittleEndian = WideForm(width: 4, isBigEndian: false)
    private static let utf32BigEndian = WideForm(width: 4, isBigEndian: true)

    /// Creates the form of an encoding that the user named, in a file without a byte order mark; nil if it isn't wide.
    package init?(_ encoding: TextEncoding) {
        switch encoding {
        case .utf16, .utf16LittleEndian: self = .utf16LittleEndian
        case .utf16BigEndian: self = .utf16BigEndian
        case .utf32: self = .utf32LittleEndian
        default: return nil
        }
    }

    init(width: Int, isBigEndian: Bool) {
        (self.width, self.isBigEndian) = (width, isBigEndian)
    }

    /// Recognises the form by a file's byte order mark.
    package init?(markOf beginning: ArraySlice<UInt8>) {
        let marks: [([UInt8], WideForm)] = [
            // UTF-32's mark begins with the mark of UTF-16, so it comes first. In UTF-16 it would mean a NUL after the
            // mark.
            ([0xFF, 0xFE, 0, 0], .utf32LittleEndian), ([0, 0, 0xFE, 0xFF], .utf32BigEndian),
            ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
        ]
        guard let (_, form) = marks.first(where: { beginning.starts(with: $0.0) }) else { return nil }
        self = form
    }

    /// Recognises UTF-16 without a byte order mark by a file's beginning, which must clearly be a log: its line ends
    /// and spaces are UTF-16, all of its characters are assigned pairs, and it has no control character.
    package init?(plainText beginning: ArraySlice<UInt8>) {
        guard beginning.count >= 16, beginning.prefix(256).contains(0),
            let form = [Self.utf16LittleEndian, .utf16BigEndian].first(where: { $0.isPlainText(beginning) })
        else { return nil }
        self = form
    }

    private func isPlainText(_ beginning: ArraySlice<UInt8>) -> Bool {
        var decoder = WideDecoder(self)
        // The last unit may be incomplete.
        let text = decoder.decode(beginning.prefix(beginning.count & ~1))[...]
        guard text.isUTF8, !text.contains(where: { $0 < 0x20 && !Self.controls.contains($0) }) else { return false }
        // In the wrong order, a space is U+2000 and a line feed U+0A00. A tenth of any log is spaces, digits and marks.
        return text.count { 0x20...0x3F ~= $0 || $0 == 0x0A } * 10 >= beginning.count / 2
    }

    /// The control characters of logs: colours and styles of IRC, tabs and line ends.
    private static let controls: Set<UInt8> = [0x02, 0x03, 0x09, 0x0A, 0x0D, 0x0F, 0x11, 0x16, 0x1D, 0x1E, 0x1F]
}

/// Decodes UTF-16 or UTF-32, whose bytes come in any chunks, to UTF-8. Keeps at most one character in memory.
///
/// A byte order mark at the beginning is dropped. A half of a surrogate pair becomes three bytes that are invalid in
/// UTF-8 (as in WTF-8), so that the line counts as undecodable and no byte is lost. A number that is not a character,
/// or an incomplete unit at the end, becomes the byte 0xFF.
package struct WideDecoder: Sendable {
    private let form: WideForm
    /// The bytes of a unit that is not complete.
    private var unit: UInt32 = 0
    private var count = 0
    /// The first half of a surrogate pair; 0 for none.
    private var high: UInt32 = 0
    private var isBegun = false

    package init(_ form: WideForm) {
        self.form = form
    }

    package mutating func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 2)
        for byte in bytes {
            unit = form.isBigEndian ? unit << 8 | UInt32(byte) : unit | UInt32(byte) << (8 * UInt32(count))
            count += 1
            guard count == form.width else { continue }
            add(unit, to: &text)
            (unit, count, isBegun) = (0, 0, true)
        }
        return text
    }

    /// Returns the bytes for a character that the end of the file cuts.
    package mutating func finish() -> [UInt8] {
        var text: [UInt8] = []
        endPair(&text)
        if count > 0 { text.append(0xFF) }
        return text
    }

    private mutating func add(_ unit: UInt32, to text: inout [UInt8]) {
        if unit == 0xFEFF, !isBegun { return }
        switch unit {
        case 0xDC00...0xDFFF where high != 0:
            Self.write(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00), to: &text)
            high = 0
        case 0xD800...0xDBFF where form.width == 2:
            endPair(&text)
            high = unit
        default:
            endPair(&text)
            Self.write(unit, to: &text)
        }
    }

    private mutating func endPair(_ text: inout [UInt8]) {
        if high != 0 { Self.write(high, to: &text) }
        high = 0
    }

    private static func write(_ value: UInt32, to text: inout [UInt8]) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: value >> shift & 0x3F) }
        let lead = { (shift: UInt32) in UInt8(truncatingIfNeeded: value >> shift) }
        switch value {
        case ..<0x80: text.append(lead(0))
        case ..<0x800: text += [0xC0 | lead(6), tail(0)]
        case ..<0x10000: text += [0xE0 | lead(12), tail(6), tail(0)]
        case ..<0x11_0000: text += [0xF0 | lead(18), tail(12), tail(6), tail(0)]
        default: text.append(0xFF)
        }
    }
}
