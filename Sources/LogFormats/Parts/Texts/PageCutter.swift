import Bytes

/// Cuts the pages of an export into the part before the messages (``headPlace``), and the messages. Keeps at most one of
/// them in memory.
///
/// A message continues until the next one begins. A page without its end has a piece without bytes after the last
/// message, at ``brokenPlace``.
struct PageCutter: SourceCutter {
    static let headPlace = "head"
    static let messagePlace = "message"
    static let brokenPlace = "?"

    /// The beginnings of messages, such as `<div class="message `. Each begins with the only `<` in it.
    private let markers: [[UInt8]]
    private static let end = "</html>"

    private let maximumPiece: Int
    private var kept: [UInt8] = []
    private var isCut = false
    private var place = headPlace
    /// The line of the piece, and of the next byte.
    private var (first, number) = (1, 1)
    /// The number of bytes at the end of ``kept`` that begin a marker, and the marker's number.
    private var (matched, marker) = (0, 0)

    init(marker: String, or others: String..., maximumPiece: Int) {
        (markers, self.maximumPiece) = (([marker] + others).map { Array($0.utf8) }, maximumPiece)
    }

    mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        var rest = bytes
        while !rest.isEmpty {
            let (count, marker) = scan(rest)
            keep(rest.prefix(count))
            rest = rest.dropFirst(count)
            guard let marker else { continue }
            try emit(body)
            (place, first, matched) = (Self.messagePlace, number, 0)
            kept = marker
        }
    }

    /// Returns the number of bytes up to a marker's end, and the marker; else all bytes that belong to the piece.
    ///
    /// Counts lines, and the marker's bytes at the end.
    private mutating func scan(_ bytes: ArraySlice<UInt8>) -> (count: Int, marker: [UInt8]?) {
        let markers = markers
        return bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                if matched == 0 {
                    let lineFeed = Byte.lineFeed
                    index = ByteSearch.firstIndex(
                        of: UInt8(ascii: "<"), or: lineFeed, or: lineFeed, in: bytes, from: index)
                    guard index < bytes.count else { break }
                }
                let byte = bytes[index]
                index += 1
                if byte == Byte.lineFeed { number += 1 }
                if let next = Self.marker(after: marker, matched, byte, of: markers) {
                    (marker, matched) = (next, matched + 1)
                    if matched == markers[next].count { return (index, markers[next]) }
                } else {
                    matched = byte == markers[marker][0] ? 1 : 0
                }
            }
            return (bytes.count, nil)
        }
    }

    /// Returns the number of a marker that continues with a byte: the present one, or one with the same beginning; nil if
    /// there is none.
    private static func marker(after present: Int, _ matched: Int, _ byte: UInt8, of markers: [[UInt8]]) -> Int? {
        if markers[present][matched] == byte { return present }
        return markers.indices.first { other in
            markers[other].count > matched && markers[other][matched] == byte
                && markers[other].prefix(matched) == markers[present].prefix(matched)
        }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let room = max(0, maximumPiece - kept.count)
        kept += bytes.prefix(room)
        if bytes.count > room { isCut = true }
    }

    /// Calls the body with the piece before the marker that was read last.
    private mutating func emit(_ body: (LogLine) throws -> Void) rethrows {
        if !isCut { kept.removeLast(min(matched, kept.count)) }
        try body(LogLine(number: first, bytes: kept[...], isCut: isCut, place: place))
        isCut = false
    }

    mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        matched = 0
        // The end of a cut piece is unknown, and the piece is reported in any case.
        let isWhole = isCut || kept[...].lastRange(of: Self.end) != nil
        if !kept.isEmpty { try emit(body) }
        if !isWhole, !kept.isEmpty { try body(LogLine(number: number, bytes: [], place: Self.brokenPlace)) }
        kept = []
    }
}
