import LogFormats
import TextEncodings

/// Decodes a table before it is cut into records, because the bytes of quotes and separators may be parts of multi-byte
/// characters.
///
/// Decodes each line separately, as in a log, and keeps its original bytes until its record is taken.
struct RecordDecoder {
    private struct Line {
        var original: ArraySlice<UInt8>
        var reading: LineDecoder.Reading
    }

    /// The decoder of the lines that end from now on.
    var decoder: LineDecoder
    /// The limit of bytes of a line that are decoded. The cutter cuts a longer one.
    private let limit: Int
    /// The beginning of the line whose end has not come yet, at most ``limit`` bytes.
    private var pending: [UInt8] = []
    /// True if the beginning of the line was decoded already.
    private var isLong = false
    /// The lines that belong to no record yet.
    private var lines: ArraySlice<Line> = []
    /// The number of the first of them in the file.
    private var first = 1

    init(_ decoder: LineDecoder, limit: Int) {
        (self.decoder, self.limit) = (decoder, limit)
    }

    /// Returns the lines that end within these bytes, in UTF-8 if they can be decoded.
    mutating func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var (text, rest) = ([UInt8](), bytes)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            take(rest[..<end], into: &text)
            endLine(into: &text)
            text.append(UInt8(ascii: "\n"))
            rest = rest[(end + 1)...]
        }
        take(rest, into: &text)
        return text
    }

    /// Ends the file, and returns the last line if it has no line feed.
    mutating func finish() -> [UInt8] {
        var text: [UInt8] = []
        if !pending.isEmpty || isLong { endLine(into: &text) }
        return text
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>, into text: inout [UInt8]) {
        guard !isLong else { return text += bytes }
        let room = limit - pending.count
        pending += bytes.prefix(room)
        guard bytes.count > room else { return }
        decode(isCut: true, into: &text)
        isLong = true
        text += bytes.dropFirst(room)
    }

    private mutating func endLine(into text: inout [UInt8]) {
        if !isLong { decode(isCut: false, into: &text) }
        isLong = false
    }

    private mutating func decode(isCut: Bool, into text: inout [UInt8]) {
        let line = decoder.decode(pending[...], isCut: isCut)
        lines.append(Line(original: pending[...], reading: isCut ? .undecodable : line.reading))
        text += line.bytes
        pending = []
    }

    /// Returns the part of a record, with the lines from which it was decoded, and forgets them.
    mutating func take(_ record: LogLine) -> SourcePart {
        // The cutter left out the lines of a record that is too long.
        lines = lines.dropFirst(record.number - first)
        let own = lines.prefix(1 + record.bytes.count { $0 == UInt8(ascii: "\n") })
        lines = lines.dropFirst(own.count)
        first = record.number + own.count
        var original = Array(own.map(\.original).joined(separator: [UInt8(ascii: "\n")]))
        if original.last == UInt8(ascii: "\r") { original.removeLast() }
        return SourcePart(record, reading: own.map(\.reading).max() ?? .utf8, original: original[...])
    }
}
