import Bytes

/// Cuts a file of JSON that is either one document or has an object a line, by its first bytes: a document into the
/// pieces at its places, and lines into lines, which have no place.
struct LinesOrDocumentCutter: SourceCutter {
    private enum Kind {
        /// The first bytes, which do not decide yet.
        case unknown([UInt8])
        case lines(LineCutter)
        case document(JSONPieceCutter)
    }

    /// The number of bytes that decide, if they have the first key or a line end. The first key is within the first ten,
    /// unless spaces precede it.
    private static let beginningSize = 256

    private let key: String
    private let places: [String]
    private let maximumPiece: Int
    private var kind = Kind.unknown([])

    /// - Parameters:
    ///   - key: A key of the object in the first line, which no document has. Usually it is the first key.
    ///   - places: The places of a document's pieces.
    ///   - maximumPiece: The limit of bytes of a line or a piece. A longer one is cut.
    init(linesFrom key: String, places: [String], maximumPiece: Int) {
        (self.key, self.places, self.maximumPiece) = (key, places, maximumPiece)
    }

    mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        // Taken out, so that the bytes are not copied.
        let present = kind
        kind = .unknown([])
        switch present {
        case .unknown(let before):
            let beginning = before + bytes
            if isDecided(by: beginning) {
                kind = begun(with: beginning)
                try cutLines(beginning[...], body)
            } else {
                kind = .unknown(beginning)
            }
        case .lines(var cutter):
            try cutter.cutLines(bytes, body)
            kind = .lines(cutter)
        case .document(var cutter):
            try cutter.cutLines(bytes, body)
            kind = .document(cutter)
        }
    }

    mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        if case .unknown(let beginning) = kind {
            kind = begun(with: beginning)
            try cutLines(beginning[...], body)
        }
        switch kind {
        case .unknown: break
        case .lines(var cutter): try cutter.finish(body)
        case .document(var cutter): try cutter.finish(body)
        }
        kind = .unknown([])
    }

    private func begun(with beginning: [UInt8]) -> Kind {
        Self.hasLines(beginning, from: key)
            ? .lines(LineCutter(maximumLine: maximumPiece))
            : .document(JSONPieceCutter(places: places, maximumPiece: maximumPiece))
    }

    /// Returns true if further bytes of the file change nothing.
    private func isDecided(by beginning: [UInt8]) -> Bool {
        guard beginning.count < LogSource.beginningSize else { return true }
        guard beginning.count >= Self.beginningSize else { return false }
        let text = Self.text(of: beginning)
        return text.first != Byte.objectStart || text.contains(Byte.lineFeed)
            || Self.hasLines(beginning, from: key)
    }

    /// Returns the beginning of a file without a byte order mark and the spaces before the first value.
    private static func text(of beginning: [UInt8]) -> ArraySlice<UInt8> {
        beginning.prefix(LogSource.beginningSize).drop {
            Byte.isJSONSpace($0) || JSONCutter.byteOrderMark.contains($0)
        }
    }

    /// Returns true if a file begins with a comment (`#`), with an object whose first key is this one, or with a line that is
    /// an object with this key.
    static func hasLines(_ beginning: [UInt8], from key: String) -> Bool {
        let text = text(of: beginning)
        guard text.first == Byte.objectStart else { return text.first == UInt8(ascii: "#") }
        if text.dropFirst().drop(while: Byte.isJSONSpace).starts(with: "\"\(key)\"") { return true }
        guard let end = text.firstIndex(of: Byte.lineFeed) else { return false }
        let line = LogLine(number: 1, bytes: text[..<end])
        let json = try? JSONValue(object: line, limit: LogSource.beginningSize)
        return json?.members.contains { $0.key == key } ?? false
    }
}
