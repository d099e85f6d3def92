import Bytes

/// Cuts the pieces at wanted places out of a JSON document that may be damaged; see ``JSONCutter``.
package struct JSONPieceCutter: SourceCutter {
    /// The place of pieces that are broken; no real place has this name.
    package static let brokenPlace = JSONCutter.brokenPlace

    private var cutter: JSONCutter

    /// - Parameters:
    ///   - places: For example `channel`, `messages[]` and `chats.list[].name`; `[]` for a document that is a list. With
    ///     `*` for any key, as in `data.*[]`, each piece has its ``LogLine/keys``.
    ///   - maximumPiece: The limit of bytes of a piece. A longer one is cut.
    package init(places: [String], maximumPiece: Int) {
        cutter = JSONCutter(
            JSONPlaces(places), maximumPiece: maximumPiece, repairs: true,
            hasPaths: places.contains { $0.contains("*") })
    }

    package mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        try cutter.cutPieces(bytes) { try body(LogLine($0)) }
    }

    package mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        try cutter.finish { try body(LogLine($0)) }
    }
}

extension LogLine {
    fileprivate init(_ piece: JSONCutter.Piece) {
        self.init(number: piece.number, bytes: piece.bytes, isCut: piece.isCut, place: piece.place)
        keys = piece.path
    }
}
