/// Examines a file's bytes, which come in any chunks, and keeps the lines by which its encoding can be recognised:
/// lines that are neither ASCII nor UTF-8. Takes constant memory.
package struct EncodingSample: Sendable {
    /// The limit of kept bytes: ten times as many as the longest text whose encoding was uncertain *(measured)*.
    private static let maximumBytes = 64 * 1024
    /// The limit of examined bytes of a line. IRC's lines have 512, with tags 8 KiB.
    private static let maximumLine = 8 * 1024

    /// The kept lines, in order, spread over the whole file: all, or every second, fourth, eighth … line.
    private(set) var lines: [ArraySlice<UInt8>] = []
    private var bytes = 0
    private var step = 1
    /// The number of lines that are not UTF-8, without damaged UTF-8.
    private(set) var legacyLines = 0
    /// The number of lines with escape sequences of ISO-2022-JP.
    private(set) var escapedLines = 0
    /// The number of lines that are UTF-8 and not ASCII.
    private var unicodeLines = 0
    /// The beginning of the line whose end has not come yet.
    private var pending: [UInt8] = []

    package init() {}

    /// The number of lines so far that help to recognise an encoding.
    package var lineCount: Int { legacyLines + escapedLines }

    /// True if more than a twentieth of the lines that are not ASCII are UTF-8. In Chinese and Korean encodings, up to
    /// a fiftieth of the lines are valid UTF-8 by chance: lines with one frequent character.
    var isMixed: Bool { unicodeLines * 20 > legacyLines + escapedLines }

    /// Takes the next bytes of a file.
    package mutating func sample(_ bytes: ArraySlice<UInt8>) {
        guard let last = bytes.lastIndex(of: Self.lineFeed) else { return keep(bytes) }
        var block = bytes[...last]
        if !pending.isEmpty, let first = block.firstIndex(of: Self.lineFeed) {
            keep(block[..<first])
            look(at: pending[...])
            pending.removeAll(keepingCapacity: true)
            block = block[(first + 1)...]
        }
        look(at: block)
        keep(bytes[(last + 1)...])
    }

    /// Ends the file.
    ///
    /// - Parameter isCut: True if the last line may be incomplete. It is left out.
    package mutating func finish(isCut: Bool = false) {
        if !isCut { look(at: pending[...]) }
        pending = []
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        pending += bytes.prefix(max(0, Self.maximumLine - pending.count))
    }

    /// - Parameter block: Whole lines.
    private mutating func look(at block: ArraySlice<UInt8>) {
        // Most files end here, in some microseconds for 64 KiB.
        let isASCII = block.isASCII
        guard !isASCII || block.contains(Self.escape) else { return }
        if !isASCII, block.isUTF8, !block.contains(Self.escape) {
            unicodeLines += Self.linesBeyondASCII(in: block)
            return
        }
        var rest = block
        while !rest.isEmpty {
            let line = rest[..<(rest.firstIndex(of: Self.lineFeed) ?? rest.endIndex)]
            look(atLine: line.prefix(Self.maximumLine))
            rest = rest[line.endIndex...].dropFirst()
        }
    }

    private static func linesBeyondASCII(in block: ArraySlice<UInt8>) -> Int {
        var (count, isBeyond) = (0, false)
        for byte in block {
            if byte == lineFeed {
                count += isBeyond ? 1 : 0
                isBeyond = false
            } else if byte >= 0x80 {
                isBeyond = true
            }
        }
        return count + (isBeyond ? 1 : 0)
    }

    private mutating func look(atLine line: ArraySlice<UInt8>) {
        if line.isASCII {
            if EscapedJapanese.begins(in: line) { escapedLines += 1 }
            return
        }
        guard !line.isUTF8 else {
            unicodeLines += 1
            return
        }
        guard !UTF8Shape(line).isDamagedUTF8 else { return }
        legacyLines += 1
        guard legacyLines % step == 0 else { return }
        lines.append(ArraySlice(Array(line)))
        bytes += line.count
        if bytes > Self.maximumBytes { thin() }
    }

    /// Drops every second line.
    private mutating func thin() {
        step *= 2
        lines = lines.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        bytes = lines.reduce(0) { $0 + $1.count }
    }

    private static let lineFeed: UInt8 = 0x0A
    private static let escape: UInt8 = 0x1B
}
