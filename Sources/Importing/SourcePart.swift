import ChatModel
import LogFormats
import TextEncodings

/// The part from which one message is read: a line or a piece of JSON, with the lines that continue it.
struct SourcePart {
    /// The part as the format reads it, in UTF-8 if it could be decoded.
    let line: LogLine
    /// The least certain of the part's lines.
    private(set) var reading: LineDecoder.Reading
    /// The original bytes of the first line, and those of the lines after it, each after a line feed.
    private let original: ArraySlice<UInt8>
    private var more: [UInt8] = []

    /// - Parameter limit: The limit of bytes in a line of the format. A decoded line may exceed it; its rest is cut.
    init(_ line: LogLine, by decoder: LineDecoder, limit: Int) {
        original = line.bytes
        let decoded = decoder.decode(line.bytes, isCut: line.isCut)
        reading = decoded.reading
        var line = line
        line.bytes = decoded.bytes.prefix(limit)
        if decoded.bytes.count > limit { line.isCut = true }
        self.line = line
    }

    init(_ line: LogLine) {
        self.init(line, reading: .utf8, original: line.bytes)
    }

    /// - Parameter line: The part in UTF-8, if it could be decoded.
    init(_ line: LogLine, reading: LineDecoder.Reading, original: ArraySlice<UInt8>) {
        (self.line, self.reading, self.original) = (line, reading, original)
    }

    mutating func append(_ part: SourcePart) {
        reading = max(reading, part.reading)
        guard original.count + more.count < UnreadableLine.maximumPayload else { return }
        more.append(UInt8(ascii: "\n"))
        more += part.original
    }

    /// The first original bytes of the part, at most ``UnreadableLine/maximumPayload``.
    var payload: [UInt8] { Array((original + more).prefix(UnreadableLine.maximumPayload)) }
}
