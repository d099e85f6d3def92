import ChatModel
import Files
import Records
import Schema

/// Lists the files of one account.
struct AttachmentReader {
    let account: AccountIdentity
    /// The folder of the files; nil for a shared archive, which has none.
    let folder: AttachmentFolder?
    let query: AttachmentQuery

    /// Returns the files in the order of their messages: all files of a message, and at least one file beyond the limit
    /// if there are more.
    func read(_ db: ReadTransaction) throws -> [StoredAttachment] {
        let order = query.isForward ? "ASC" : "DESC"
        // The reader of some rooms gets the name of the message's time, which that room has seen.
        let sender =
            db.rooms == nil
            ? "(SELECT name FROM user_name WHERE user_id = sender_id AND last_seen_us IS NULL)"
            : PageReader.name("user_name", "user_id = sender_id", at: "message.id")
        var found: [StoredAttachment] = []
        _ = try db.first(
            """
            SELECT \(Attachment.columns), error, attempts, tried_at_us, next_try_us, room_name.name, \(sender)
            FROM \(Attachment.tables)
              \(.crossJoin) message ON message.id = message_id
              LEFT JOIN room_name ON room_name.room_id = message.room_id AND room_name.last_seen_us IS NULL
            WHERE message_id > ?1 AND message_id < ?2 AND (?4 = 0 OR state <> 1)
              AND (?3 IS NULL OR message.room_id \(.among(3)))
            ORDER BY message_id \(order), attachment.id \(order)
            """,
            [
                .integer(query.after?.microseconds ?? .min), .integer(query.before?.microseconds ?? .max),
                .list(db.visible(query.scope.rooms(of: account.name))), .bool(query.isMissingOnly),
            ]
        ) { row -> Bool? in
            let stored = try attachment(row)
            let isNextMessage = found.last?.message != stored.message
            found.append(stored)
            return found.count > query.limit && isNextMessage ? true : nil
        }
        return query.isForward ? found : found.reversed()
    }

    private func attachment(_ row: Columns) throws -> StoredAttachment {
        let attachment = try Attachment(row)
        return try StoredAttachment(
            account: account.name, network: account.network, room: row.optionalText(10) ?? "",
            message: row.messageID(0), sender: row.optionalText(11), attachment: attachment,
            error: row.optionalText(6), attempts: Int(row.integer(7)), triedAt: row.optionalTime(8),
            nextTry: row.optionalTime(9),
            file: attachment.state == .fetched ? attachment.sha256.flatMap { folder?.file($0) } : nil)
    }

    /// Returns the name and the kind of an archived file, as a message has it that the reader may see; nil if none has
    /// the file.
    static func name(_ sha256: String, _ db: ReadTransaction) throws -> (name: String, kind: Attachment.Kind)? {
        try db.first(
            """
            SELECT \(Attachment.columns) FROM \(Attachment.tables)
              \(.crossJoin) message ON message.id = message_id
            WHERE file.sha256 = ?1 AND state = 1
              AND (?2 IS NULL OR message.room_id \(.among(2)))
            LIMIT 1
            """, [.text(sha256), .list(db.visible(nil))]
        ) { row in
            let attachment = try Attachment(row)
            return (attachment.name, attachment.kind)
        }
    }

    /// Counts the requested files that are still missing, and the files that were archived or failed since an instant.
    static func tally(since: Timestamp, _ db: ReadTransaction) throws -> AttachmentTally {
        var tally = AttachmentTally()
        tally.waiting = try Int(db.integer("SELECT count(*) FROM file WHERE asked = 1") ?? 0)
        // The sizes of a damaged file may be too large for a sum of integers.
        try db.forEach(
            """
            SELECT count(CASE WHEN state = 1 THEN 1 END), coalesce(sum(CAST(content.bytes AS DOUBLE PRECISION)), 0),
              count(CASE WHEN state <> 1 THEN 1 END)
            FROM file LEFT JOIN content ON content.sha256 = file.sha256 WHERE tried_at_us >= ?1
            """, [.integer(since.microseconds)]
        ) { row in
            tally.fetched = Int(try row.integer(0))
            tally.bytes = Int64(saturating: try row.real(1))
            tally.failed = Int(try row.integer(2))
        }
        return tally
    }
}

/// Merges the files of several accounts into one page.
struct AttachmentMerge {
    let query: AttachmentQuery
    private var found: [StoredAttachment] = []

    init(_ query: AttachmentQuery) {
        self.query = query
    }

    /// - Parameter attachments: The files of one account, in the order of their messages.
    mutating func add(_ attachments: [StoredAttachment]) {
        found += attachments
    }

    /// Returns the page, which is cut between two messages, at the limit or beyond it.
    func page() -> AttachmentPage {
        let sorted = found.enumerated().sorted { a, b in
            (a.element.message, a.element.account, a.offset) < (b.element.message, b.element.account, b.offset)
        }.map(\.element)
        guard sorted.count > query.limit else { return AttachmentPage(attachments: sorted, older: nil, newer: nil) }
        if query.isForward {
            var end = query.limit
            while end < sorted.count, sorted[end].message == sorted[end - 1].message { end += 1 }
            let newer = end < sorted.count ? sorted[end - 1].message : nil
            return AttachmentPage(attachments: Array(sorted[..<end]), older: nil, newer: newer)
        }
        var start = sorted.count - query.limit
        while start > 0, sorted[start].message == sorted[start - 1].message { start -= 1 }
        let older = start > 0 ? sorted[start].message : nil
        return AttachmentPage(attachments: Array(sorted[start...]), older: older, newer: nil)
    }
}
