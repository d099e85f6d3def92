import Bytes

/// Splits bytes that come in any parts into lines, which end at LF or CRLF. An endless line takes no more memory than
/// the longest line.
struct ScriptLineSplitter: Sendable {
    enum Line: Sendable, Hashable {
        case text(String)
        case tooLong
        case notUTF8
    }

    private let maximumBytes: Int
    private var buffer: LineBuffer

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
        // One more byte may be the CR before LF.
        buffer = LineBuffer(limit: maximumBytes + 1)
    }

    mutating func split(_ bytes: [UInt8]) -> [Line] {
        var (rest, lines) = (bytes[...], [Line]())
        while let line = buffer.next(in: &rest) { lines.append(content(line)) }
        return lines
    }

    /// Returns the last line, if it has no end.
    mutating func finish() -> Line? {
        buffer.finish().map(content)
    }

    private func content(_ line: LineBuffer.Line) -> Line {
        let bytes = line.bytes.last == Byte.carriageReturn ? line.bytes.dropLast() : line.bytes[...]
        guard !line.isCut, bytes.count <= maximumBytes else { return .tooLong }
        return String(validating: bytes, as: UTF8.self).map(Line.text) ?? .notUTF8
    }
}
