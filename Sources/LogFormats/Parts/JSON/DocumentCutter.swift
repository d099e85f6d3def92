import Bytes

/// Cuts the files of an export of several kinds, by their first bytes: a list of JSON into its elements, at the place
/// `[]`; an object of JSON as a whole, at ``wholePlace``; anything else as a table, into its records.
struct DocumentCutter: SourceCutter {
    static let wholePlace = "{}"

    private enum Kind {
        case unknown
        case list(JSONPieceCutter)
        case whole([UInt8], isCut: Bool)
        case table(CSVRecordCutter)
    }

    private var kind = Kind.unknown
    private let maximumPiece: Int
    private var number = 1

    init(maximumPiece: Int) {
        self.maximumPiece = maximumPiece
    }

    mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        var bytes = bytes
        if case .unknown = kind {
            let first = bytes.drop { Byte.isJSONSpace($0) || JSONCutter.byteOrderMark.contains($0) }
            number += bytes[..<first.startIndex].count { $0 == Byte.lineFeed }
            bytes = first
            guard let byte = first.first else { return }
            kind = begun(with: byte)
        }
        // Taken out, so that the bytes are not copied.
        let present = kind
        kind = .unknown
        switch present {
        case .unknown: break
        case .list(var cutter):
            try cutter.cutLines(bytes, body)
            kind = .list(cutter)
        case .table(var cutter):
            try cutter.cutLines(bytes, body)
            kind = .table(cutter)
        case .whole(var kept, let isCut):
            let room = max(0, maximumPiece - kept.count)
            kept += bytes.prefix(room)
            kind = .whole(kept, isCut: isCut || bytes.count > room)
        }
    }

    private func begun(with byte: UInt8) -> Kind {
        switch byte {
        case Byte.listStart: .list(JSONPieceCutter(places: ["[]"], maximumPiece: maximumPiece))
        case Byte.objectStart: .whole([], isCut: false)
        default: .table(CSVRecordCutter(maximumRecord: maximumPiece))
        }
    }

    mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        switch kind {
        case .unknown: break
        case .list(var cutter): try cutter.finish(body)
        case .table(var cutter): try cutter.finish(body)
        case .whole(let bytes, let isCut):
            try body(LogLine(number: number, bytes: bytes[...], isCut: isCut, place: Self.wholePlace))
        }
        kind = .unknown
    }
}
