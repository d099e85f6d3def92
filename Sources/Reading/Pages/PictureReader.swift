import ChatModel
import Files
import Records
import Schema

/// Reads the pictures of a person, a room or a workspace, with the state of their files.
///
/// The reader of some rooms gets the pictures that those rooms have seen (``SeenNames``).
struct PictureReader {
    /// A picture with the time of its use, in microseconds since 1970.
    struct Span {
        var picture: Picture
        var since: Int64
        /// Nil for today's picture.
        var until: Int64?
    }

    let table: FactTable
    let db: ReadTransaction

    init(_ table: FactTable, _ db: ReadTransaction) {
        (self.table, self.db) = (table, db)
    }

    /// SQL for the file of the picture `p`: the last one that came under its path, or the one that is not here.
    static let joins = """
        LEFT JOIN file ON file.id = (SELECT f.id FROM file AS f WHERE f.path = p.path
          ORDER BY f.state <> 1, coalesce(f.tried_at_us, 0) DESC, f.id DESC LIMIT 1)
        LEFT JOIN content ON content.sha256 = file.sha256
        """
    static let columns = """
        p.path, file.sha256, coalesce(content.bytes, file.bytes), coalesce(file.state, 0), file.error IS NOT NULL
        """

    /// The limit of pictures that are read of one subject. No known network lets people change theirs as often in the time
    /// of a page.
    private static let limit: Int64 = 1000

    /// Returns the pictures that were in use between two times, both included, in order of time. Before the first known
    /// picture, that one counts, as with names.
    func spans(of id: Int64, from: Int64, through: Int64) throws -> [Span] {
        var spans = try db.all(
            """
            SELECT \(Self.columns), p.first_seen_us, p.last_seen_us FROM \(table.name) AS p \(Self.joins)
            WHERE p.\(table.owner) = ?1 AND (p.first_seen_us <= ?3 AND (p.last_seen_us IS NULL OR p.last_seen_us > ?2)
              OR p.first_seen_us = (SELECT min(first_seen_us) FROM \(table.name) WHERE \(table.owner) = ?1))
            ORDER BY p.first_seen_us LIMIT \(Self.limit)
            """, [.integer(id), .integer(from), .integer(through)]
        ) { row in
            try Span(picture: Self.picture(row), since: row.integer(5), until: row.optionalInteger(6))
        }
        if !spans.isEmpty { spans[0].since = .min }
        return spans
    }

    /// Returns the picture at a time; nil if there was none.
    func picture(of id: Int64, at time: Int64) throws -> Picture? {
        try spans(of: id, from: time, through: time).picture(at: time)
    }

    /// Returns today's picture; nil if there is none. The reader of some rooms gets that of the person's latest message.
    func picture(ofUser id: Int64, _ seen: SeenNames?) throws -> Picture? {
        guard let seen else { return try picture(of: id, at: .max) }
        return try seen.lastSight(of: id).flatMap { try picture(of: id, at: $0) }
    }

    /// Returns the name of an archived picture that the reader may see: of a person whom the reader's rooms saw with it, of
    /// such a room, or of a workspace with one. Nil if there is none.
    static func name(_ sha256: String, _ db: ReadTransaction) throws -> String? {
        for table in FactTable.pictures {
            let name = try db.first(
                """
                SELECT p.path, p.\(table.owner), p.first_seen_us, p.last_seen_us,
                  (SELECT min(first_seen_us) FROM \(table.name) WHERE \(table.owner) = p.\(table.owner))
                FROM file JOIN \(table.name) AS p ON p.path = file.path WHERE file.sha256 = ?1
                """, [.text(sha256)]
            ) { row -> String? in
                let (id, first) = try (row.integer(1), row.integer(2))
                let since = try first == row.integer(4) ? .min : first
                let isSeen = try isSeen(table, id, since: since, until: row.optionalInteger(3), db)
                return isSeen ? Attachment(path: try row.text(0)).name : nil
            }
            if let name { return name }
        }
        return nil
    }

    private static func isSeen(
        _ table: FactTable, _ id: Int64, since: Int64, until: Int64?, _ db: ReadTransaction
    ) throws -> Bool {
        guard let rooms = db.rooms else { return true }
        switch table.owner {
        case "user_id": return try SeenNames(db)?.saw(id, since: since, until: until) ?? true
        case "room_id": return rooms.contains(id)
        default:
            return try db.integers("SELECT id FROM room WHERE workspace_id = ?1", [.integer(id)])
                .contains(where: rooms.contains)
        }
    }

    static func picture(_ row: Columns) throws -> Picture {
        try Picture(
            file: Attachment(
                path: row.text(0), sha256: row.optionalText(1), size: row.optionalInteger(2),
                state: Attachment.State(code: row.integer(3), hasFailed: row.bool(4))))
    }
}

extension [PictureReader.Span] {
    func picture(at time: Int64) -> Picture? {
        last { $0.since <= time && ($0.until.map { $0 > time } ?? true) }?.picture
    }
}

extension Picture {
    /// Reads the form of an archived picture from its first bytes.
    mutating func readFormat(in folder: AttachmentFolder?) {
        format = file.sha256.flatMap { folder?.file($0) }.flatMap(Format.init(ofFile:))
    }
}

extension Picture.Format {
    /// Returns nil for a file that is missing or has another form.
    init?(ofFile path: String) {
        guard let file = try? OpenFile(reading: path) else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.beginning, alignment: 1)
        defer { buffer.deallocate() }
        guard let count = try? file.read(into: buffer) else { return nil }
        self.init(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
}
