import Bytes

/// Cuts the files of an archive of X: the JSON behind `window.YTD.direct_messages.part0 = `.
struct TwitterCutter: SourceCutter {
    private var cutter: JSONPieceCutter
    private var isInside = false
    private var number = 0

    /// - Parameters:
    ///   - places: Places in the JSON.
    ///   - maximumPiece: The limit of bytes of a piece.
    init(places: [String], maximumPiece: Int) {
        cutter = JSONPieceCutter(places: places, maximumPiece: maximumPiece)
    }

    mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        var bytes = bytes
        if !isInside {
            let rest = bytes.drop { $0 != Byte.listStart && $0 != Byte.objectStart }
            number += bytes[..<rest.startIndex].count { $0 == Byte.lineFeed }
            (bytes, isInside) = (rest, !rest.isEmpty)
        }
        let before = number
        try cutter.cutLines(bytes) { line in
            var line = line
            line.number += before
            try body(line)
        }
    }

    mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        if isInside { try cutter.finish(body) }
    }
}
