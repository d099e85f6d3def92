import Bytes

/// Cuts a table into records, which may have line ends inside of quotes. Keeps at most one record in memory.
///
/// A record that is longer than the limit ends with its line, even inside of quotes, so that a quote that is never
/// closed does not swallow the rest of the file. A byte order mark (EF BB BF) before the first record is dropped.
package struct CSVRecordCutter: SourceCutter {
    private enum State {
        case fieldStart, plain, quoted, afterQuote
    }

    private let maximumRecord: Int
    /// The separator; nil within the first record, in which each of the known ones separates.
    private var separator: UInt8?
    private var state = State.fieldStart
    private var record: [UInt8] = []
    private var isCut = false
    /// The number of the line that is being read, and of the record's first line.
    private var line = 1
    private var start = 1
    private var isFirst = true

    package init(maximumRecord: Int) {
        self.maximumRecord = maximumRecord
    }

    package mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        var rest = bytes
        while !rest.isEmpty {
            let (taken, isEnd) = scan(rest)
            let part = rest.prefix(taken)
            let room = maximumRecord - record.count
            record += part.prefix(room)
            if part.count > room { isCut = true }
            rest = rest.dropFirst(taken)
            if isEnd { try end(body) }
        }
    }

    package mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        if !record.isEmpty { try end(body) }
    }

    /// Returns the number of bytes up to the record's end, with its line feed, or all.
    private mutating func scan(_ bytes: ArraySlice<UInt8>) -> (taken: Int, isEnd: Bool) {
        let room = maximumRecord - record.count
        return bytes.withUnsafeBufferPointer { bytes in
            for (index, byte) in bytes.enumerated() {
                if byte == Byte.lineFeed {
                    line += 1
                    if state != .quoted || index >= room {
                        state = .fieldStart
                        return (index + 1, true)
                    }
                } else {
                    next(byte)
                }
            }
            return (bytes.count, false)
        }
    }

    private mutating func next(_ byte: UInt8) {
        switch state {
        case .fieldStart where byte == Byte.quote: state = .quoted
        // A quote may follow a byte order mark.
        case .fieldStart where isFirst && [0xEF, 0xBB, 0xBF].contains(byte): break
        case .quoted: if byte == Byte.quote { state = .afterQuote }
        case .afterQuote where byte == Byte.quote: state = .quoted
        case .fieldStart, .plain, .afterQuote: state = isSeparator(byte) ? .fieldStart : .plain
        }
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        separator.map { $0 == byte } ?? CSVRecord.Separator.all.contains(byte)
    }

    private mutating func end(_ body: (LogLine) throws -> Void) rethrows {
        var bytes = record[...]
        if isFirst, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if bytes.last == Byte.lineFeed { bytes = bytes.dropLast() }
        if bytes.last == Byte.carriageReturn { bytes = bytes.dropLast() }
        if isFirst { separator = CSVRecord.Separator(of: bytes).byte }
        defer { (record, isCut, state, start, isFirst) = ([], false, .fieldStart, line, false) }
        try body(LogLine(number: start, bytes: bytes, isCut: isCut))
    }
}
