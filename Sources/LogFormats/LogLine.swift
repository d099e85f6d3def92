import Bytes

/// One part of a source: a line without its end, or a piece of a JSON document.
package struct LogLine: Sendable, Hashable {
    /// The number of the line, or of the line in which the piece begins, from 1.
    package var number: Int
    package var bytes: ArraySlice<UInt8>
    /// True if the part is longer than the limit, and ``bytes`` are its first bytes.
    package var isCut: Bool
    /// The place of a piece of JSON in its document, such as `messages[]` or `chats.list[].name`; empty for a line.
    package var place: String
    /// The keys on the way to a piece of JSON, if one of the cutter's places is of any key; empty otherwise.
    package var keys: [String] = []

    package init(number: Int, bytes: ArraySlice<UInt8>, isCut: Bool = false, place: String = "") {
        (self.number, self.bytes, self.isCut, self.place) = (number, bytes, isCut, place)
    }
}

/// Cuts a source, whose bytes come in any chunks, into lines. Keeps at most one line in memory.
///
/// A line ends with LF or CRLF, the last one also with the source. A byte order mark (EF BB BF) before the first line
/// is dropped.
package struct LineCutter: SourceCutter {
    private var buffer: LineBuffer
    private var number = 0

    package init(maximumLine: Int) {
        buffer = LineBuffer(limit: maximumLine)
    }

    /// Calls the body with each line that ends within these bytes.
    package mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        var rest = bytes
        while let line = buffer.next(in: &rest) { try body(numbered(line)) }
    }

    /// Calls the body with the last line, if the source ends without a line end.
    package mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        if let line = buffer.finish() { try body(numbered(line)) }
    }

    private mutating func numbered(_ line: LineBuffer.Line) -> LogLine {
        number += 1
        var bytes = line.bytes[...]
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if bytes.last == Byte.carriageReturn { bytes = bytes.dropLast() }
        return LogLine(number: number, bytes: bytes, isCut: line.isCut)
    }
}
