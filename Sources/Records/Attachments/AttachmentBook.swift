import Bytes
package import ChatModel
package import Files
package import SQLite
package import Schema

/// The rows of `file`: the files to fetch, and the result of each attempt.
package enum AttachmentBook {
    /// The values of the column `state`. 0 stands for every other reason why the file is not here.
    package enum Code {
        package static let missing: Int64 = 0
        package static let fetched: Int64 = 1
        static let tooLarge: Int64 = 2
        package static let gone: Int64 = 3
        package static let otherServer: Int64 = 4
        package static let expired: Int64 = 5
    }

    package static func wanted(isRequestedOnly: Bool, at now: Int64, limit: Int, _ db: Database) throws
        -> [WantedAttachment]
    {
        let requested = try db.cachedStatement(
            sql: "SELECT path, attempts FROM file WHERE asked = 1 AND state = 0 ORDER BY id DESC LIMIT ?"
        ).all(arguments: [limit]) { try WantedAttachment($0) }
        guard requested.count < limit, !isRequestedOnly else { return requested }
        let due = try db.cachedStatement(
            sql: """
                SELECT path, attempts FROM file
                WHERE state = 0 AND asked = 0 AND (tried_at_us IS NULL OR next_try_us <= ?) ORDER BY id DESC LIMIT ?
                """
        ).all(arguments: [now, limit - requested.count]) { try WantedAttachment($0) }
        return requested + due
    }

    package static func nextTry(_ db: Database) throws -> Int64? {
        try Int64.first(
            db, sql: "SELECT min(next_try_us) FROM file WHERE state = 0 AND next_try_us IS NOT NULL")
    }

    /// SQL for files that exceeded a smaller limit than ?1, and don't exceed ?1.
    private static let exceedsSmallerLimit = "state = 2 AND limit_bytes < ?1 AND ifnull(file.bytes, 0) <= ?1"

    package static func raiseLimit(to limit: Int64, _ db: Database) throws {
        try Feed.files(where: exceedsSmallerLimit, [limit], db)
        try db.execute(
            sql: """
                UPDATE file SET state = 0, tried_at_us = NULL, error = NULL, limit_bytes = NULL
                WHERE \(exceedsSmallerLimit)
                """,
            arguments: [limit])
    }

    /// SQL for the file of a path, ?1, that is not here. There is at most one.
    static let isMissing = "path = ?1 AND ifnull(sha256, '') = ''"

    /// Notes that the file is here, for every message that it came with.
    package static func store(_ path: String, _ digest: FileDigest, at now: Int64, _ db: Database) throws {
        guard let file = try FileRow.missing(path, db) else { return }
        try Feed.files(where: "file.id = ?", [file], db)
        try FileRow.storeContent(digest, db)
        // The same content may have come under this path with an import.
        guard let same = try FileRow.find(path, sha256: digest.sha256, db) else {
            return try db.execute(
                sql: """
                    UPDATE file SET state = 1, sha256 = ?, bytes = NULL, tried_at_us = ?, attempts = attempts + 1,
                      next_try_us = NULL, error = NULL, asked = 0, limit_bytes = NULL, part_bytes = NULL, part_tag = NULL
                    WHERE id = ?
                    """,
                arguments: [digest.sha256, now, file])
        }
        try db.execute(
            sql: """
                UPDATE file SET tried_at_us = ?, attempts = (SELECT attempts FROM file WHERE id = ?) + 1 WHERE id = ?
                """,
            arguments: [now, file, same])
        try FileRow.join(file, to: same, db)
    }

    package static func fail(_ path: String, _ failure: AttachmentFailure, at now: Int64, _ db: Database) throws {
        var (code, limit, bytes): (Int64, Int64?, Int64?) = (Code.missing, nil, nil)
        switch failure.kind {
        case .failed: break
        case .tooLarge(let most, let size): (code, limit, bytes) = (Code.tooLarge, most, size)
        case .gone: code = Code.gone
        case .otherServer: code = Code.otherServer
        }
        // A further failure of the same kind changes nothing that readers see.
        try Feed.files(
            where: "\(isMissing) AND (state <> ?2 OR file.bytes IS NOT ?3 OR error IS NULL)", [path, code, bytes], db)
        try db.execute(
            sql: """
                UPDATE file SET state = ?2, limit_bytes = ?3, bytes = ?4, tried_at_us = ?5, attempts = attempts + ?6,
                  next_try_us = ?7, error = ?8, asked = 0
                WHERE \(isMissing)
                """,
            arguments: [
                path, code, limit, bytes, now, failure.isAttempt ? 1 : 0, failure.nextTry?.microseconds,
                failure.detail.withoutNUL,
            ])
    }

    /// Notes that the contents with these hashes are not here.
    package static func markMissing(_ hashes: [String], _ db: Database) throws {
        for hash in hashes {
            let files: [(id: Int64, path: String)] = try db.cachedStatement(
                sql: "SELECT id, path FROM file WHERE sha256 = ?"
            ).all(arguments: [hash]) { try ($0.value(0), $0.value(1)) }
            for file in files { try dropContent(ofFile: file.id, path: file.path, as: Code.missing, db) }
        }
    }

    /// Notes that a rule removed the content of a file.
    ///
    /// - Returns: False if there is no such file.
    package static func removeContent(ofFile file: Int64, _ db: Database) throws -> Bool {
        let path = try String.fetchOne(
            db.cachedStatement(sql: "SELECT path FROM file WHERE id = ? AND state = 1"), arguments: [file])
        guard let path else { return false }
        try dropContent(ofFile: file, path: path, as: Code.expired, db)
        return true
    }

    private static func dropContent(ofFile file: Int64, path: String, as state: Int64, _ db: Database) throws {
        let missing = try FileRow.missing(path, db)
        try Feed.files(where: "file.id IN (?, ?)", [file, missing], db)
        let size = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT bytes FROM content WHERE sha256 = (SELECT sha256 FROM file WHERE id = ?)"),
            arguments: [file])
        if let missing { try FileRow.join(file, to: missing, db) }
        try db.cachedStatement(
            sql: """
                UPDATE file SET state = ?, sha256 = NULL, tried_at_us = NULL, bytes = ifnull(?, bytes) WHERE id = ?
                """
        ).execute(arguments: [state, size, missing ?? file])
    }

    /// Requests the files of messages between two ids, both exclusive, and the pictures of that time: of the people who
    /// wrote in the room, of the room and of its workspace.
    ///
    /// - Parameter limit: The largest file to fetch, in bytes; also requests files that exceeded a smaller limit. Nil
    ///   requests none of those.
    /// - Returns: The number of requested files, earlier requests included.
    package static func request(room: Int64?, after: Int64, before: Int64, limit: Int64?, _ db: Database) throws -> Int
    {
        let arguments: StatementArguments = [limit ?? 0, after, before, room]
        let isOfTime = "p.path = file.path AND p.first_seen_us < ?3 AND ifnull(p.last_seen_us, ?3) > ?2"
        let isInside = """
            (EXISTS (SELECT 1 FROM attachment WHERE file_id = file.id AND message_id > ?2 AND message_id < ?3
                AND (?4 IS NULL OR (SELECT room_id FROM message WHERE id = message_id) = ?4))
              OR EXISTS (SELECT 1 FROM user_picture AS p WHERE \(isOfTime) AND (?4 IS NULL
                OR EXISTS (SELECT 1 FROM sender_count WHERE room_id = ?4 AND sender_id = p.user_id)))
              OR EXISTS (SELECT 1 FROM room_picture AS p WHERE \(isOfTime) AND (?4 IS NULL OR p.room_id = ?4))
              OR EXISTS (SELECT 1 FROM workspace_picture AS p WHERE \(isOfTime) AND (?4 IS NULL
                OR p.workspace_id = (SELECT workspace_id FROM room WHERE id = ?4))))
            """
        try Feed.files(where: "\(exceedsSmallerLimit) AND \(isInside)", arguments, db)
        try db.execute(
            sql: "UPDATE file SET asked = 1, state = 0 WHERE (state = 0 OR \(exceedsSmallerLimit)) AND \(isInside)",
            arguments: arguments)
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM file WHERE asked = 1") ?? 0
    }

    package static func part(ofPath path: String, _ db: Database) throws -> AttachmentPart? {
        return try db.first(
            sql: """
                SELECT part_bytes, part_tag FROM file
                WHERE \(isMissing) AND part_bytes > 0 AND part_tag IS NOT NULL
                """,
            arguments: [path]
        ) { try AttachmentPart(size: $0.value(0), tag: $0.value(1)) }
    }

    package static func note(_ part: AttachmentPart?, ofPath path: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE file SET part_bytes = ?2, part_tag = ?3 WHERE \(isMissing)",
            arguments: [path, part?.size, part?.tag])
    }

    /// Removes the incomplete files that can't be resumed.
    package static func removeUnfinished(_ folder: AttachmentFolder, _ db: Database) throws {
        let paths = try String.fetchAll(db, sql: "SELECT path FROM file WHERE part_bytes IS NOT NULL")
        try folder.removeUnfinished(but: Set(paths.map(AttachmentFolder.partName)))
    }
}

extension WantedAttachment {
    fileprivate init(_ row: Columns) throws {
        try self.init(path: row.value(0), attempts: row.value(1))
    }
}

extension Attachment {
    /// The columns that ``init(_:)`` takes, after the message's id.
    package static let columns = """
        message_id, file.path, file.sha256, coalesce(content.bytes, file.bytes, attachment.bytes), state, error IS NOT NULL
        """
    /// The tables of ``columns``. SQLite keeps their order, because many files may have the same path.
    package static let tables: SQLText = "attachment \(joins)"
    package static let joins: SQLText = """
        \(.crossJoin) file ON file.id = file_id LEFT JOIN content ON content.sha256 = file.sha256
        """

    /// - Throws: `SQLITE_CORRUPT` for a row that no program wrote.
    package init(_ row: Columns) throws {
        try self.init(
            path: row.text(1), sha256: row.optionalText(2), size: row.optionalInteger(3),
            state: State(code: row.integer(4), hasFailed: row.bool(5)))
    }
}

extension Attachment.State {
    package init(code: Int64, hasFailed: Bool) throws {
        switch code {
        case AttachmentBook.Code.missing: self = hasFailed ? .failed : .missing
        case AttachmentBook.Code.fetched: self = .fetched
        case AttachmentBook.Code.tooLarge: self = .tooLarge
        case AttachmentBook.Code.gone: self = .gone
        case AttachmentBook.Code.otherServer: self = .otherServer
        case AttachmentBook.Code.expired: self = .expired
        default: throw Columns.damage("a file has the unknown state \(code)")
        }
    }
}
