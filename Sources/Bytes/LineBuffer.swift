/// Splits bytes that come in any parts into lines, and keeps at most one line's limit of them.
package struct LineBuffer: Sendable {
    /// A line, or the beginning of one that is too long.
    package struct Line: Sendable, Hashable {
        /// The line without its LF; a CR before the LF stays.
        package var bytes: [UInt8] = []
        /// True if the line is longer than the limit, and these are its first bytes.
        package var isCut = false
    }

    private let limit: Int
    /// The beginning of the line whose LF has not come yet.
    package private(set) var pending = Line()

    /// - Parameter limit: The limit of bytes to keep of a line, without its LF.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Takes bytes from the beginning of a part, and returns the line that ends with them.
    ///
    /// - Returns: Nil if the part has no further LF; all of it is taken.
    package mutating func next(in part: inout ArraySlice<UInt8>) -> Line? {
        let end = part.firstIndex(of: Byte.lineFeed)
        let bytes = part[..<(end ?? part.endIndex)]
        part = part[bytes.endIndex...].dropFirst()
        let room = limit - pending.bytes.count
        pending.bytes += bytes.prefix(room)
        if bytes.count > room { pending.isCut = true }
        return end == nil ? nil : take()
    }

    /// Returns the line that the end of the bytes ends without LF; nil if there is none.
    package mutating func finish() -> Line? {
        pending.bytes.isEmpty ? nil : take()
    }

    private mutating func take() -> Line {
        defer { pending = Line() }
        return pending
    }
}
