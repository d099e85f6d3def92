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
        self.number = number
        self.bytes = bytes
        self.isCut = isCut
        self.place = place
    }
}

/// Cuts a source into lines, however its bytes come, and keeps no more than one line's worth of them.
///
/// A line ends with LF or CRLF, the last one also with the source. A byte order mark (EF BB BF) before the first is no
/// part of it.
package struct LineCutter: SourceCutter {
    private let maximumLine: Int
    private var kept: [UInt8] = []
    private var isCut = false
    private var number = 0

    package init(maximumLine: Int) {
        self.maximumLine = maximumLine
    }

    /// Gives the lines that end within these bytes.
    package mutating func read(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        var rest = bytes
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let part = rest[..<newline]
            rest = rest[(newline + 1)...]
            keep(part)
            try end(body)
        }
        keep(rest)
    }

    /// The source has ended: what is left is a line too.
    package mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        if !kept.isEmpty { try end(body) }
    }

    private mutating func end(_ body: (LogLine) throws -> Void) rethrows {
        let line = line(kept[...])
        kept.removeAll(keepingCapacity: true)
        isCut = false
        try body(line)
    }

    private mutating func keep(_ part: ArraySlice<UInt8>) {
        let room = maximumLine - kept.count
        kept += part.prefix(room)
        if part.count > room { isCut = true }
    }

    private mutating func line(_ bytes: ArraySlice<UInt8>) -> LogLine {
        number += 1
        var bytes = bytes
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        return LogLine(number: number, bytes: bytes, isCut: isCut)
    }
}
