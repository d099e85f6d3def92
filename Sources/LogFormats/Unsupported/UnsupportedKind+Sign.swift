import Bytes

extension UnsupportedKind {
    /// A sign in the name and the first bytes of a file. Each part that is given must fit.
    struct Sign: Sendable {
        /// The beginning of the name, in small letters.
        var start = ""
        /// The ends of names in small letters, one of which the name must have; empty for any name. `/chat.db` is a
        /// whole name.
        var endings: [String] = []
        /// The shape of the whole name, in small letters.
        var name: TextShape?
        /// The bytes that the file must have at ``offset``; empty for any bytes.
        var bytes: [UInt8] = []
        var offset = 0
        /// The characters with one of which the file begins, after white space; empty for any.
        var opening = ""
        /// The texts that the beginning must contain, all of them. A key in the quotes of JSON is in no JSON string,
        /// because a string has `\"` for a quote.
        var words: [String] = []
        /// The shapes of the first line, one of which it must have; empty for any.
        var head: [TextShape] = []
        /// The shapes of the lines: half of the first 20 must have one of them; empty for any.
        var lines: [TextShape] = []
        /// The shapes of a line that only this program writes: one line of the beginning must have one of them.
        var mark: [TextShape] = []
    }

    /// The name and the first bytes of a file, as the signs need them.
    struct Beginning {
        /// The name in small letters, with `/` before it.
        let path: String
        let bytes: [UInt8]
        /// The first lines that are not empty.
        let first: [ArraySlice<UInt8>]
        /// The first character after white space and a byte order mark, if it is of ASCII.
        let opening: Character?

        init(name: String, _ bytes: [UInt8]) {
            path = "/" + name.lowercased()
            self.bytes = bytes
            first = IRCLog.lines(of: bytes, first: 20)
            opening = first.first?.first { !Byte.isJSONSpace($0) }.map { Character(UnicodeScalar($0)) }
        }
    }
}

extension UnsupportedKind.Sign {
    static func name(_ endings: String...) -> Self { Self(endings: endings) }
    static func bytes(_ bytes: [UInt8], at offset: Int = 0) -> Self { Self(bytes: bytes, offset: offset) }
    static func bytes(_ text: String, at offset: Int = 0) -> Self { Self(bytes: Array(text.utf8), offset: offset) }
    /// A SQLite database with one of these names.
    static func database(_ endings: String...) -> Self { Self(endings: endings, bytes: databaseBytes) }
    /// A ZIP archive with one of these names.
    static func zip(_ endings: String...) -> Self { Self(endings: endings, bytes: zipBytes) }
    /// JSON with all of these keys.
    static func json(_ keys: String...) -> Self { Self(opening: "{[", words: keys.map { "\"\($0)\"" }) }
    /// XML or HTML with all of these texts.
    static func markup(_ words: String...) -> Self { Self(opening: "<", words: words) }
    static func head(_ shapes: TextShape...) -> Self { Self(head: shapes) }
    static func lines(_ shapes: TextShape...) -> Self { Self(lines: shapes) }

    static let zipBytes = Array("PK\u{3}\u{4}".utf8)
    private static let databaseBytes = Array("SQLite format 3\0".utf8)

    func fits(_ file: UnsupportedKind.Beginning) -> Bool {
        fitsName(file.path) && file.bytes.dropFirst(offset).starts(with: bytes)
            && (opening.isEmpty || file.opening.map(opening.contains) ?? false)
            && (head.isEmpty || file.first.first.map { line in head.contains { $0.fits(line) } } ?? false)
            && fitsLines(file.first)
            && words.allSatisfy { Self.contains(Array($0.utf8), in: file.bytes) }
            && (mark.isEmpty || IRCLog.lines(of: file.bytes).contains { line in mark.contains { $0.fits(line) } })
    }

    func fitsName(_ path: String) -> Bool {
        path.hasPrefix("/" + start) && (endings.isEmpty || endings.contains { path.hasSuffix($0) })
            && (name?.fits(Array(path.utf8.dropFirst())[...]) ?? true)
    }

    private func fitsLines(_ first: [ArraySlice<UInt8>]) -> Bool {
        guard !lines.isEmpty else { return true }
        let fitting = first.count { line in lines.contains { $0.fits(line) } }
        return fitting > 0 && fitting * 2 >= first.count
    }

    private static func contains(_ word: [UInt8], in bytes: [UInt8]) -> Bool {
        guard let first = word.first else { return true }
        return bytes.withUnsafeBufferPointer { buffer in
            var index = 0
            while index + word.count <= buffer.count {
                index = ByteSearch.firstIndex(of: first, or: first, or: first, in: buffer, from: index)
                if buffer.dropFirst(index).starts(with: word) { return true }
                index += 1
            }
            return false
        }
    }
}
