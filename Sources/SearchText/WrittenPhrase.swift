import Bytes

/// A phrase whose letters count as they are written, to find in plain ASCII. That has words alone, so they are compared
/// byte by byte, in a fraction of the time that cutting the text into parts takes.
struct WrittenPhrase {
    /// The letters of each part in UTF-8, composed to NFC; not empty.
    private let parts: [[UInt8]]

    /// - Parameter parts: The parts of the text; not empty.
    init(_ parts: [Part], of text: String) {
        self.parts = parts.map { Array(Self.letters(at: $0.origin, of: text, $0.kind).composed.utf8) }
    }

    /// Returns a range of a text without formatting codes and without the invisible characters that separate nothing in
    /// a part of that kind. Composed and decomposed letters of two such texts are equal.
    static func letters(at range: Range<Int>, of text: String, _ kind: Part.Kind) -> String {
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        var letters = FormattingCodes.removed(from: String(text[start..<text.utf8.index(start, offsetBy: range.count)]))
        letters.unicodeScalars.removeAll { isInvisible($0, in: kind) }
        return letters
    }

    /// Returns true for the soft hyphen and the word joiners; in clusters, also for the spaces and joiners without width.
    private static func isInvisible(_ scalar: Unicode.Scalar, in kind: Part.Kind) -> Bool {
        switch scalar.value {
        case 0x00AD, 0x2060, 0xFEFF: true
        case 0x200B...0x200D: kind == .clusters
        default: false
        }
    }

    /// Returns true if the parts are words of the text that follow each other.
    ///
    /// - Parameter text: A text for which ``Analyser/isPlain(_:)`` is true.
    func isFound(inPlain text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.indices.contains { place in
                Self.isLetter(bytes[place]) && (place == 0 || !Self.isLetter(bytes[place - 1]))
                    && isFound(in: bytes, at: place)
            }
        }
    }

    private func isFound(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        var rest = bytes[start...]
        for part in parts {
            rest = rest.drop { !Self.isLetter($0) }
            guard rest.starts(with: part) else { return false }
            rest = rest.dropFirst(part.count)
            guard rest.first.map(Self.isLetter) != true else { return false }
        }
        return true
    }

    /// Returns true for a letter or a digit.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }
}
