import Bytes

/// One part of a source: a line without its end, or a piece of a JSON document.
package struct LogLine: Sendable, Hashable {
    /// Of the line, or the one that the piece begins in, from 1.
    package var number: Int
    package var bytes: ArraySlice<UInt8>
    /// It was longer than is taken; these are its first bytes.
    package var isCut: Bool
    /// Where in its document a piece of JSON stands, such as `messages[]` or `chats.list[].name`; empty for a line.
    package var place: String

    package init(number: Int, bytes: ArraySlice<UInt8>, isCut: Bool = false, place: String = "") {
        (self.number, self.bytes, self.isCut, self.place) = (number, bytes, isCut, place)
    }
}

/// Cuts a source into lines, however its bytes come, and keeps no more than one line's worth of them.
///
/// A line ends with LF or CRLF, the last one also with the source. A byte order mark (EF BB BF) before the first is no
/// part of it.
package struct LineCutter: SourceCutter {
    private var buffer: LineBuffer
    private var number = 0

    package init(maximumLine: Int) {
        buffer = LineBuffer(limit: maximumLine)
    }

    /// Gives the lines that end within these bytes.
    package mutating func read(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        var rest = bytes
        while let line = buffer.next(in: &rest) { try body(numbered(line)) }
    }

    /// Gives the line that ends with the source, without a line end of its own.
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
