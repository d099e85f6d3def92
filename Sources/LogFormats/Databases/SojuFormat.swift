import Bytes
import ChatModel

/// The SQLite database of the IRC bouncer soju, with the network's original lines.
package struct SojuFormat: IRCDatabaseFormat {
    package static let name = "soju"
    /// 256 KiB: a line of IRC has 8 KiB, of which each byte may be written as six.
    package static let maximumLine = 256 * 1024

    private let rows: DatabaseRows<SojuRow>

    package init(_ source: LogSource) throws(LogSourceError) {
        rows = try DatabaseRows(source, Self.self, limit: Self.maximumLine)
    }

    package mutating func parseLine(_ line: LogLine) -> ParsedLine {
        do {
            guard let (row, flags) = try rows.row(line) else { return .nothing }
            guard let time = row.time.flatMap({ WrittenTime($0.utf8)?.microseconds }) else {
                throw UnreadablePiece("its time is not a time")
            }
            guard let target = ExportText.name(row.target) else { throw UnreadablePiece("it has no target") }
            guard let raw = row.raw, let line = IRCRawLine(Array(raw.utf8)[...]) else {
                throw UnreadablePiece("its \"raw\" is not a line of IRC")
            }
            let room = IRCLog.Room(name: target, isDirect: !IRCRawLine.isChannel(target))
            return .message(
                line.record.message(in: room, at: Timestamp(microseconds: time), .microsecond, flags: flags))
        } catch {
            return .unreadable(UnreadablePiece(error).reason)
        }
    }
}

private struct SojuRow: DatabaseRow {
    var network, error, target, time, raw: String?
}
