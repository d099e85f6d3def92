import Bytes

/// The shape of a line or of a file's name: `9` is any digit, `?` any byte, `…` any bytes, also none. All other
/// characters stand for themselves.
struct TextShape: Sendable, ExpressibleByStringLiteral {
    private enum Part: Equatable {
        case byte(UInt8), digit, any, run
    }

    private let parts: [Part]

    /// The limit of compared bytes, which bounds the time: a longer text fits no shape.
    private static let maximumLength = 4096

    init(stringLiteral text: String) {
        parts = text.flatMap { character -> [Part] in
            switch character {
            case "9": [.digit]
            case "?": [.any]
            case "…": [.run]
            default: character.utf8.map { .byte($0) }
            }
        }
    }

    /// Returns true if the whole text has the shape. The time is at most the product of the two lengths.
    func fits(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count <= Self.maximumLength else { return false }
        var (index, part) = (text.startIndex, 0)
        // The last run, and the place where it ends so far.
        var run: (part: Int, end: Int)?
        while index < text.endIndex {
            if part < parts.count, parts[part] == .run {
                run = (part, index)
                part += 1
            } else if part < parts.count, Self.fits(text[index], parts[part]) {
                index += 1
                part += 1
            } else if let last = run {
                run = (last.part, last.end + 1)
                (index, part) = (last.end + 1, last.part + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .run }
    }

    private static func fits(_ byte: UInt8, _ part: Part) -> Bool {
        switch part {
        case .byte(let wanted): byte == wanted
        case .digit: Byte.isDigit(byte)
        case .any: true
        case .run: false
        }
    }
}
