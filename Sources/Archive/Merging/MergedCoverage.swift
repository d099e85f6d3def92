import ChatModel
import Records
import SQLite
import Schema

/// The covered spans of a room that takes up another: what either of them was covered.
package struct MergedCoverage {
    private let merge: Int64
    private let request: Merging

    private struct Span {
        var (from, to): (Int64, Int64)
        var session: Int64

        init(_ row: Columns) throws {
            from = try row.value(0)
            to = try row.value(1) as Int64? ?? .max
            session = try row.value(2)
        }
    }

    init(_ merge: Int64, _ request: Merging) {
        (self.merge, self.request) = (merge, request)
    }

    func move(_ db: Database) throws {
        let (gone, kept) = try (Self.spans(of: request.from, db), Self.spans(of: request.into, db))
        try MergedTable.coverage.remove(merge, where: "room_id = ?", [request.from], db)
        for span in gone {
            for piece in Self.pieces(of: span, without: kept) {
                let end = piece.to == .max ? nil : piece.to
                try MergedTable.coverage.add(merge, [request.into, piece.from, end, piece.session], db)
            }
        }
        try Self.settle([request.into], db)
        try MergedTable.gapNotes.remove(merge, where: "room_id = ? AND \(Self.isIdle)", [request.into], db)
    }

    /// SQL for a note that is not at the end of a span.
    package static let isIdle = """
        (SELECT to_us FROM coverage WHERE room_id = gap_note.room_id AND from_us <= gap_note.from_us
          ORDER BY from_us DESC LIMIT 1) IS NOT from_us
        """

    /// Takes the time away again that the merged room had covered, also from a span that has grown since, and restores the
    /// merged room's span.
    static func undo(row: Int64, _ db: Database) throws {
        let added = try db.first(
            sql: """
                SELECT json_extract(now, '$[1]'), json_extract(now, '$[2]'), json_extract(now, '$[3]'),
                  json_extract(now, '$[0]') FROM merge_row WHERE id = ? AND now IS NOT NULL
                """, arguments: [row]
        ) { try (piece: Span($0), room: $0.integer(3)) }
        if let (piece, room) = added {
            for span in try spans(of: room, db) where span.to >= piece.from && span.from <= piece.to {
                try db.execute(
                    sql: "DELETE FROM coverage WHERE room_id = ? AND from_us = ?", arguments: [room, span.from])
                for rest in pieces(of: span, without: [piece]) {
                    try CoverageLedger.insertSpan(
                        room: room, from: rest.from, to: rest.to == .max ? nil : rest.to, session: rest.session, db)
                }
            }
        }
        try MergedTable.coverage.restore(row: row, db)
    }

    /// Ends the spans that were live when they were recorded, and whose session has ended since.
    static func settle(_ rooms: [Int64], _ db: Database) throws {
        for room in rooms {
            try db.execute(
                sql: """
                    UPDATE coverage SET to_us = max(from_us, session.heard_until_us) FROM session
                    WHERE room_id = ? AND to_us IS NULL AND session.id = session_id AND ended_at_us IS NOT NULL
                    """, arguments: [room])
        }
    }

    private static func spans(of room: Int64, _ db: Database) throws -> [Span] {
        try db.all(
            sql: "SELECT from_us, to_us, session_id FROM coverage WHERE room_id = ? ORDER BY from_us",
            arguments: [room]
        ) { try Span($0) }
    }

    /// Returns the parts of a span that no other span covers, in order of time.
    ///
    /// - Parameter others: Spans in order of time that do not overlap.
    private static func pieces(of span: Span, without others: [Span]) -> [Span] {
        var (pieces, rest) = ([Span](), span)
        for other in others where other.to >= rest.from && other.from <= rest.to {
            if other.from > rest.from {
                var piece = rest
                piece.to = other.from - 1
                pieces.append(piece)
            }
            guard other.to < rest.to else { return pieces }
            rest.from = other.to + 1
        }
        pieces.append(rest)
        return pieces
    }
}
