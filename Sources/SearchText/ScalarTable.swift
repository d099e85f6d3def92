/// A table from code points to one or several others.
///
/// A look-up reads two or three places of arrays, so that it costs no more than a comparison or two.
struct ScalarTable: Sendable {
    /// The number of the page of each 256 code points up to U+1FFFF; 0 is the page without entries.
    private var pages = [UInt8](repeating: 0, count: 0x200)
    /// The entries of all pages: 0 for none, the only code point, or ``isSequence`` with a place in ``sequences``.
    private var cells = [UInt32](repeating: 0, count: 256)
    /// The number of code points of each sequence, and after it the code points.
    private var sequences: [UInt32] = []

    private static let isSequence: UInt32 = 1 << 31

    /// Reads entries with spaces between them, all numbers hexadecimal: `B2=32`, `C6=61+65`, `4A..4B=6E` for each of a range,
    /// and `410-42F=430` for a range to a range.
    init(_ text: String) {
        for entry in text.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }) {
            var reader = Reader(rest: entry)
            let first = reader.number()
            let mark = reader.next()
            if mark == UInt8(ascii: ".") { _ = reader.next() }
            let last = mark == UInt8(ascii: "=") ? first : reader.number()
            if mark != UInt8(ascii: "=") { _ = reader.next() }
            var target = [reader.number()]
            while reader.next() != nil { target.append(reader.number()) }
            for value in first...max(first, last) {
                set(value, to: target)
                if mark == UInt8(ascii: "-") { target[0] += 1 }
            }
        }
    }

    /// Calls `body` with what the code point is mapped to.
    ///
    /// - Returns: False if the table does not have the code point.
    @inline(__always)
    func forEach(of scalar: Unicode.Scalar, _ body: (Unicode.Scalar) -> Void) -> Bool {
        guard scalar.value < 0x20000 else { return false }
        let page = pages[Int(scalar.value >> 8)]
        guard page != 0 else { return false }
        let cell = cells[Int(page) << 8 | Int(scalar.value & 0xFF)]
        guard cell != 0 else { return false }
        guard cell & Self.isSequence != 0 else {
            Unicode.Scalar(cell).map(body)
            return true
        }
        let place = Int(cell & ~Self.isSequence)
        for value in sequences[place + 1...place + Int(sequences[place])] { Unicode.Scalar(value).map(body) }
        return true
    }

    private mutating func set(_ value: UInt32, to target: [UInt32]) {
        let place = Int(value >> 8)
        if pages[place] == 0 {
            pages[place] = UInt8(cells.count >> 8)
            cells += repeatElement(0, count: 256)
        }
        let cell = Int(pages[place]) << 8 | Int(value & 0xFF)
        guard target.count > 1 else { return cells[cell] = target[0] }
        cells[cell] = Self.isSequence | UInt32(sequences.count)
        sequences.append(UInt32(target.count))
        sequences += target
    }

    private struct Reader {
        var rest: Substring.UTF8View

        mutating func next() -> UInt8? { rest.popFirst() }

        mutating func number() -> UInt32 {
            var number: UInt32 = 0
            while let byte = rest.first {
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt32(byte & 0xF)
                case UInt8(ascii: "A")...UInt8(ascii: "F"): number = number << 4 | UInt32(byte - 55)
                default: return number
                }
                rest.removeFirst()
            }
            return number
        }
    }
}
