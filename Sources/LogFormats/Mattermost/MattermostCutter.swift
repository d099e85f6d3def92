import Bytes

/// Cuts a bulk export of Mattermost into its lines, and each line's replies, which follow it at the place
/// ``replyPlace``.
struct MattermostCutter: SourceCutter {
    static let replyPlace = "replies[]"

    private var lines: LineCutter
    private let maximumLine: Int

    init(maximumLine: Int) {
        lines = LineCutter(maximumLine: maximumLine)
        self.maximumLine = maximumLine
    }

    mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        let maximumLine = maximumLine
        try lines.cutLines(bytes) { try Self.cutReplies(of: $0, maximumLine, body) }
    }

    mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        let maximumLine = maximumLine
        try lines.finish { try Self.cutReplies(of: $0, maximumLine, body) }
    }

    private static func cutReplies(of line: LogLine, _ limit: Int, _ body: (LogLine) throws -> Void) rethrows {
        try body(line)
        guard line.bytes.range(of: "\"replies\"") != nil else { return }
        var cutter = JSONPieceCutter(places: ["post.replies[]", "direct_post.replies[]"], maximumPiece: limit)
        // A broken line is reported once, as a line.
        var replies: [LogLine] = []
        cutter.cutLines(line.bytes) { piece in
            guard piece.place != JSONPieceCutter.brokenPlace else { return }
            replies.append(
                LogLine(number: line.number, bytes: Array(piece.bytes)[...], isCut: piece.isCut, place: replyPlace))
        }
        for reply in replies { try body(reply) }
    }
}
