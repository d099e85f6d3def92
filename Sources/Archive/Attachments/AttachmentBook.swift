import ChatModel
import GRDB

/// The rows of `attachment`: the files to fetch, and the result of each attempt.
enum AttachmentBook {
    /// The values of the column `state`. 0 stands for every other reason why the file is not here.
    enum Code {
        static let missing: Int64 = 0
        static let fetched: Int64 = 1
        static let tooLarge: Int64 = 2
        static let gone: Int64 = 3
        static let otherServer: Int64 = 4
    }

    /// Stores a file of a message. The bytes of a network's file may already be here from another message.
    ///
    /// - Returns: True if the file is new, or has its bytes now.
    static func insert(_ file: NewAttachment, of message: Int64, _ db: Database) throws -> Bool {
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO attachment (message_id, path, sha256, bytes, state, tried_at_us)
                  SELECT ?1, ?2, ifnull(?5, sha256), ifnull(bytes, ?3), iif(?5 IS NULL, ifnull(state, ?4), 1), tried_at_us
                  FROM (SELECT 1)
                    LEFT JOIN attachment ON path = ?2 AND state = 1 AND ?5 IS NULL AND ?4 <> \(Code.otherServer) LIMIT 1
                ON CONFLICT (message_id, path) DO UPDATE
                  SET sha256 = excluded.sha256, bytes = excluded.bytes, state = 1, asked = 0, next_try_us = NULL, error = NULL,
                    limit_bytes = NULL
                  WHERE excluded.state = 1 AND state <> 1
                """)
        try insertion.execute(arguments: [message, file.path, file.size, file.state, file.sha256])
        return db.changesCount > 0
    }

    static func wanted(isRequestedOnly: Bool, at now: Int64, limit: Int, _ db: Database) throws -> [WantedAttachment] {
        let requested = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT path, attempts FROM attachment WHERE asked = 1 AND state = 0 ORDER BY id DESC LIMIT ?"),
            arguments: [limit])
        guard requested.count < limit, !isRequestedOnly else { return try requested.map { try WantedAttachment($0) } }
        let due = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT path, attempts FROM attachment
                    WHERE state = 0 AND asked = 0 AND (tried_at_us IS NULL OR next_try_us <= ?) ORDER BY id DESC LIMIT ?
                    """),
            arguments: [now, limit - requested.count])
        return try (requested + due).map { try WantedAttachment($0) }
    }

    static func nextTry(_ db: Database) throws -> Int64? {
        try Int64.first(
            db, sql: "SELECT min(next_try_us) FROM attachment WHERE state = 0 AND next_try_us IS NOT NULL")
    }

    /// SQL for files that exceeded a smaller limit than ?1, and don't exceed ?1.
    private static let exceedsSmallerLimit = "state = 2 AND limit_bytes < ?1 AND ifnull(bytes, 0) <= ?1"

    static func raiseLimit(to limit: Int64, _ db: Database) throws {
        try Feed.files(where: exceedsSmallerLimit, [limit], db)
        try db.execute(
            sql: """
                UPDATE attachment SET state = 0, tried_at_us = NULL, error = NULL, limit_bytes = NULL
                WHERE \(exceedsSmallerLimit)
                """,
            arguments: [limit])
    }

    /// Notes that the file is here, for every message that it came with.
    static func store(_ path: String, _ digest: FileDigest, at now: Int64, _ db: Database) throws {
        try Feed.files(where: "path = ? AND state <> 1", [path], db)
        try db.execute(
            sql: """
                UPDATE attachment SET state = 1, sha256 = ?, bytes = ?, tried_at_us = ?, attempts = attempts + 1,
                  next_try_us = NULL, error = NULL, asked = 0, limit_bytes = NULL, part_bytes = NULL, part_tag = NULL
                WHERE path = ? AND state <> 1
                """,
            arguments: [digest.sha256, digest.size, now, path])
    }

    static func fail(_ path: String, _ failure: AttachmentFailure, at now: Int64, _ db: Database) throws {
        var (code, limit, bytes): (Int64, Int64?, Int64?) = (Code.missing, nil, nil)
        switch failure.kind {
        case .failed: break
        case .tooLarge(let most, let size): (code, limit, bytes) = (Code.tooLarge, most, size)
        case .gone: code = Code.gone
        case .otherServer: code = Code.otherServer
        }
        // A further failure of the same kind changes nothing that readers see.
        try Feed.files(
            where: "path = ? AND state <> 1 AND (state <> ? OR bytes IS NOT ? OR error IS NULL)", [path, code, bytes],
            db)
        try db.execute(
            sql: """
                UPDATE attachment SET state = ?, limit_bytes = ?, bytes = ?, tried_at_us = ?, attempts = attempts + ?,
                  next_try_us = ?, error = ?, asked = 0
                WHERE path = ? AND state <> 1
                """,
            arguments: [
                code, limit, bytes, now, failure.isAttempt ? 1 : 0, failure.nextTry?.microseconds,
                failure.detail.withoutNUL, path,
            ])
    }

    /// Notes that the files with these hashes are not here.
    static func markMissing(_ hashes: [String], _ db: Database) throws {
        for hash in hashes {
            try Feed.files(where: "sha256 = ?", [hash], db)
            try db.cachedStatement(
                sql: "UPDATE attachment SET state = 0, sha256 = NULL, tried_at_us = NULL WHERE sha256 = ?"
            ).execute(arguments: [hash])
        }
    }

    /// Requests the files of messages between two ids, both exclusive.
    ///
    /// - Parameter limit: The largest file to fetch, in bytes; also requests files that exceeded a smaller limit. Nil
    ///   requests none of those.
    /// - Returns: The number of requested files, earlier requests included.
    static func request(room: Int64?, after: Int64, before: Int64, limit: Int64?, _ db: Database) throws -> Int {
        let arguments: StatementArguments = [limit ?? 0, after, before, room]
        let isInside = """
            message_id > ?2 AND message_id < ?3
              AND (?4 IS NULL OR (SELECT room_id FROM message WHERE id = message_id) = ?4)
            """
        try Feed.files(where: "\(exceedsSmallerLimit) AND \(isInside)", arguments, db)
        try db.execute(
            sql: """
                UPDATE attachment SET asked = 1, state = 0
                WHERE (state = 0 OR \(exceedsSmallerLimit)) AND \(isInside)
                """,
            arguments: arguments)
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM attachment WHERE asked = 1") ?? 0
    }

    static func part(ofPath path: String, _ db: Database) throws -> AttachmentPart? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT part_bytes, part_tag FROM attachment
                WHERE path = ? AND part_bytes > 0 AND part_tag IS NOT NULL LIMIT 1
                """,
            arguments: [path])
        return try row.map { try AttachmentPart(size: $0.value(0), tag: $0.value(1)) }
    }

    static func note(_ part: AttachmentPart?, ofPath path: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE attachment SET part_bytes = ?, part_tag = ? WHERE path = ? AND part_bytes IS NOT ?",
            arguments: [part?.size, part?.tag, path, part?.size])
    }

    /// Removes the partial files that can't be resumed.
    static func removeUnfinished(_ folder: AttachmentFolder, _ db: Database) throws {
        let paths = try String.fetchAll(db, sql: "SELECT path FROM attachment WHERE part_bytes IS NOT NULL")
        try folder.removeUnfinished(but: Set(paths.map(AttachmentFolder.partName)))
    }
}

extension WantedAttachment {
    fileprivate init(_ row: Row) throws {
        try self.init(path: row.value(0), attempts: row.value(1))
    }
}

extension Attachment {
    /// The columns that ``init(_:)`` takes, after the message's id.
    static let columns = "message_id, path, sha256, bytes, state, error IS NOT NULL"

    /// - Throws: `SQLITE_CORRUPT` for a row that no program wrote.
    init(_ row: Row) throws {
        try self.init(
            path: row.value(1), sha256: row.value(2), size: row.value(3),
            state: State(code: row.value(4), hasFailed: row.value(5)))
    }
}

extension Attachment.State {
    init(code: Int64, hasFailed: Bool) throws {
        switch code {
        case AttachmentBook.Code.missing: self = hasFailed ? .failed : .missing
        case AttachmentBook.Code.fetched: self = .fetched
        case AttachmentBook.Code.tooLarge: self = .tooLarge
        case AttachmentBook.Code.gone: self = .gone
        case AttachmentBook.Code.otherServer: self = .otherServer
        default: throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a file has the unknown state \(code)")
        }
    }
}

/// A file of a message that is about to be stored.
struct NewAttachment {
    let path: String
    /// The number of its bytes; nil if unknown.
    var size: Int64?
    /// The SHA-256 of its bytes if the account's folder has them; nil otherwise.
    var sha256: String?
    /// The ``AttachmentBook/Code`` to store if the bytes are not here.
    var state = AttachmentBook.Code.missing
}
