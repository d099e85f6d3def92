import Bytes

/// Cuts the bytes that a connection receives into lines.
///
/// LF ends a line. A CR before it and empty lines are dropped. A line without its end is not returned, because the rest
/// of it was lost. Memory is limited to one read and ``maximumLineBytes``.
package struct LineSplitter: Sendable {
    package enum Received: Sendable, Hashable {
        /// A line without its end; never empty.
        case line([UInt8])
        /// The beginning of a line over ``maximumLineBytes``. No further lines follow, and the caller should end the
        /// connection.
        case tooLong([UInt8])
    }

    /// 8191 bytes of tags (IRCv3 message-tags) and 512 of the rest (RFC 2812 §2.3), or the more that LINELEN allows,
    /// rounded up. The line's end is not counted.
    package static let maximumLineBytes = 16 * 1024
    /// The number of bytes that are kept of a line that is too long, to identify it.
    static let keptBytes = 1024

    /// One more byte may be the CR of the line's end.
    private var buffer = LineBuffer(limit: maximumLineBytes + 1)
    private var isOver = false

    package init() {}

    /// Returns the lines that end within these bytes, in order.
    package mutating func splitLines(_ bytes: [UInt8]) -> [Received] {
        var (rest, lines) = (bytes[...], [Received]())
        while !isOver, let line = buffer.next(in: &rest) {
            if let received = isTooLong(line) ? tooLong(line) : content(line) { lines.append(received) }
        }
        if !isOver, isTooLong(buffer.pending) { lines.append(tooLong(buffer.pending)) }
        return lines
    }

    /// The number of bytes of the line whose end has not come. If it is above 0 at the end of the connection, a line
    /// was cut.
    package var unfinished: Int { buffer.pending.bytes.count }

    private func isTooLong(_ line: LineBuffer.Line) -> Bool {
        line.isCut || line.bytes.count > Self.maximumLineBytes && line.bytes.last != Byte.carriageReturn
    }

    private func content(_ line: LineBuffer.Line) -> Received? {
        var bytes = line.bytes
        while bytes.last == Byte.carriageReturn { bytes.removeLast() }
        return bytes.isEmpty ? nil : .line(bytes)
    }

    private mutating func tooLong(_ line: LineBuffer.Line) -> Received {
        isOver = true
        buffer = LineBuffer(limit: 0)
        return .tooLong(Array(line.bytes.prefix(Self.keptBytes)))
    }
}
