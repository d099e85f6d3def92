import Bytes

/// Cuts what one connection receives into lines.
///
/// LF ends a line, CR before it is dropped, empty lines are nothing. A line without its end is none: TCP's order says that
/// the rest of it was lost. Memory stays within one read and ``maximumLineBytes``.
package struct LineSplitter: Sendable {
    package enum Received: Sendable, Hashable {
        /// Without its end; never empty.
        case line([UInt8])
        /// The beginning of a line over ``maximumLineBytes``. Nothing follows: the connection is to be dropped.
        case tooLong([UInt8])
    }

    /// 8191 bytes of tags (IRCv3 message-tags) and 512 of the rest (RFC 2812 §2.3), or the more that LINELEN allows,
    /// rounded up. The line's end is not counted.
    package static let maximumLineBytes = 16 * 1024
    /// Bytes kept of what is too long, to tell what it was.
    static let keptBytes = 1024

    private var pending: [UInt8] = []
    private var isOver = false

    package init() {}

    package mutating func read(_ bytes: [UInt8]) -> [Received] {
        var lines: [Received] = []
        var rest = bytes[...]
        while !isOver, let end = rest.firstIndex(of: Byte.lineFeed) {
            pending += rest[..<end]
            rest = rest[(end + 1)...]
            if let line = takeLine() { lines.append(line) }
        }
        guard !isOver else { return lines }
        pending += rest
        if isTooLong { lines.append(tooLong()) }
        return lines
    }

    /// How many bytes of a line whose end has not come are held; over 0 at the connection's end, a line was cut.
    package var unfinished: Int { pending.count }

    /// One CR more may be the line's end.
    private var isTooLong: Bool {
        pending.count > Self.maximumLineBytes + (pending.last == Byte.carriageReturn ? 1 : 0)
    }

    private var content: ArraySlice<UInt8> {
        pending[..<(pending.lastIndex { $0 != Byte.carriageReturn }.map { $0 + 1 } ?? 0)]
    }

    private mutating func takeLine() -> Received? {
        guard !isTooLong else { return tooLong() }
        defer { pending.removeAll(keepingCapacity: true) }
        return content.isEmpty ? nil : .line(Array(content))
    }

    private mutating func tooLong() -> Received {
        let kept = Array(pending.prefix(Self.keptBytes))
        (isOver, pending) = (true, [])
        return .tooLong(kept)
    }
}
