import Bytes

/// Cuts a file of sigtop: a list of JSON into its elements, at the place `[]`, and a text into its lines.
struct SigtopCutter: SourceCutter {
    private enum Kind {
        case list(JSONPieceCutter)
        case text(LineCutter)
    }

    private var kind: Kind?
    private let maximumPiece: Int

    init(maximumPiece: Int) {
        self.maximumPiece = maximumPiece
    }

    mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        guard let first = bytes.first else { return }
        let present =
            kind
            ?? (first == Byte.listStart
                ? .list(JSONPieceCutter(places: ["[]"], maximumPiece: maximumPiece))
                : .text(LineCutter(maximumLine: maximumPiece)))
        // Taken out, so that the bytes are not copied.
        kind = nil
        switch present {
        case .list(var cutter):
            try cutter.cutLines(bytes, body)
            kind = .list(cutter)
        case .text(var cutter):
            try cutter.cutLines(bytes, body)
            kind = .text(cutter)
        }
    }

    mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        switch kind {
        case nil: break
        case .list(var cutter): try cutter.finish(body)
        case .text(var cutter): try cutter.finish(body)
        }
        kind = nil
    }
}
