/// Lines from bytes that come in any parts. Ends at LF or CRLF; an endless line takes no more memory than the longest.
struct LineSplitter: Sendable {
    enum Line: Sendable, Hashable {
        case text(String)
        case tooLong
        case notUTF8
    }

    private let maximumBytes: Int
    private var pending: [UInt8] = []
    private var isTooLong = false

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    mutating func read(_ bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end])
            lines.append(take())
            rest = rest[(end + 1)...]
        }
        append(rest)
        return lines
    }

    /// The last line, if it has no end.
    mutating func finish() -> Line? {
        pending.isEmpty && !isTooLong ? nil : take()
    }

    /// A byte more than the longest line is kept: it may be the CR before a LF.
    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        let room = maximumBytes + 1 - pending.count
        if bytes.count > room { isTooLong = true }
        pending += bytes.prefix(room)
    }

    private mutating func take() -> Line {
        defer { (pending, isTooLong) = ([], false) }
        if pending.last == UInt8(ascii: "\r"), !isTooLong { pending.removeLast() }
        guard !isTooLong, pending.count <= maximumBytes else { return .tooLong }
        return String(validating: pending, as: UTF8.self).map(Line.text) ?? .notUTF8
    }
}
