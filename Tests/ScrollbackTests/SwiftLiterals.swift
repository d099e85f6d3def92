/// The string literals of a Swift source. Comments are skipped, and an interpolation is read as code.
struct SwiftLiterals {
    struct Literal: Equatable {
        /// The place of its first byte in the source.
        let offset: Int
        /// The text without escapes; an interpolation is "…".
        let text: String
    }

    private(set) var found: [Literal] = []
    private let bytes: [UInt8]
    private var place = 0

    init(_ source: String) {
        bytes = Array(source.utf8)
        readCode(isInterpolation: false)
        found.sort { $0.offset < $1.offset }
    }

    func line(of literal: Literal) -> Int {
        bytes[..<literal.offset].count { $0 == UInt8(ascii: "\n") } + 1
    }

    private func byte(at index: Int) -> UInt8 {
        index < bytes.count ? bytes[index] : 0
    }

    /// Reads code to the end, or to the parenthesis that ends an interpolation.
    private mutating func readCode(isInterpolation: Bool) {
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "/") where byte(at: place + 1) == UInt8(ascii: "/"):
                while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
            case UInt8(ascii: "/") where byte(at: place + 1) == UInt8(ascii: "*"):
                while place < bytes.count, !bytes[place...].starts(with: "*/".utf8) { place += 1 }
                place += 2
            case UInt8(ascii: "\""): readLiteral(hashes: 0)
            case UInt8(ascii: "#"):
                let hashes = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
                if byte(at: place + hashes) == UInt8(ascii: "\"") {
                    readLiteral(hashes: hashes)
                } else {
                    place += hashes
                }
            case UInt8(ascii: ")") where isInterpolation && depth == 0: return
            case let byte:
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                place += 1
            }
        }
    }

    private mutating func readLiteral(hashes: Int) {
        let (start, mark) = (place, Array(repeating: UInt8(ascii: "#"), count: hashes))
        place += hashes
        let quotes = bytes[place...].starts(with: "\"\"\"".utf8) ? 3 : 1
        place += quotes
        let end = Array(repeating: UInt8(ascii: "\""), count: quotes) + mark
        var text: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\""), bytes[place...].starts(with: end) {
                place += end.count
                return found.append(Literal(offset: start, text: String(decoding: text, as: UTF8.self)))
            } else if byte == UInt8(ascii: "\\"), bytes[(place + 1)...].starts(with: mark) {
                place += 1 + hashes
                text += readEscape()
            } else if quotes == 1, byte == UInt8(ascii: "\n") {
                // A quote in a regular expression, not a string.
                return
            } else {
                text.append(byte)
                place += 1
            }
        }
    }

    /// Reads the rest of an escape, and returns its text.
    private mutating func readEscape() -> [UInt8] {
        let byte = byte(at: place)
        place += 1
        switch byte {
        case UInt8(ascii: "("):
            readCode(isInterpolation: true)
            place += 1
            return Array("…".utf8)
        case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "\n"): return [UInt8(ascii: " ")]
        default: return [byte]
        }
    }
}
