import ChatModel
import PostgreSQL
import Reading
import Schema
import SearchText

/// Makes the words of messages that the shared archive has and the account's file lacks, because rules removed them. Runs
/// after the file's messages have their words, in the caller's transaction, some messages at a time.
struct WordRenewal {
    let copy: AccountCopy
    let server: PostgreSQLConnection

    /// The ids that one step compares with the file, at 1 µs each.
    private static let idsAtOnce = 20_000

    /// Makes the words of the next messages. After the last one, the account has this version's words alone.
    ///
    /// - Parameters:
    ///   - count: The largest number of messages.
    ///   - bytes: The size of the messages' bodies at which the step ends.
    func step(count: Int, bytes: Int) throws {
        let ids = try nextIDs()
        let missing = try copy.mirror.missing(among: ids)
        let renewed = missing.isEmpty ? [] : try renew(Array(missing.prefix(count)), bytes: bytes)
        if renewed.count < missing.count {
            try note(renewedTo: renewed.last ?? missing.last)
        } else if ids.count == Self.idsAtOnce {
            try note(renewedTo: ids.last)
        } else {
            try end()
        }
    }

    /// Makes the words of the messages, as far as the size of their bodies allows.
    ///
    /// - Returns: The ids of those whose words were made.
    private func renew(_ ids: [Int64], bytes: Int) throws -> [Int64] {
        let messages = try read(ids, bytes: bytes)
        if messages.rows.count > 0 {
            try WordStore(server: server).store([WordStore.Part(copy: copy, messages: messages, replacesWords: true)])
        }
        return messages.rows.integers("id").compactMap(\.self)
    }

    private func nextIDs() throws -> [Int64] {
        let found = try server.execute(
            "SELECT id FROM scrollback.message WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3",
            [.integer(copy.account), .integer(copy.renewedTo ?? .min), .integer(Int64(Self.idsAtOnce))])
        return try (0..<found.count).compactMap { try found.integer($0, 0) }
    }

    /// Reads messages from the shared archive, the first one of any size.
    private func read(_ ids: [Int64], bytes: Int) throws -> SearchedMessages {
        let names = SchemaTable.message.names(of: "m")
        let rows = try MirrorRows(
            .message,
            server.execute(
                """
                SELECT \(names) FROM (
                  SELECT *, sum(coalesce(octet_length(body), 0)) OVER (ORDER BY id) - coalesce(octet_length(body), 0) AS earlier
                  FROM scrollback.message WHERE account_id = $1 AND id BETWEEN $4 AND $5 AND id = ANY($2::bigint[])) AS m
                WHERE earlier < $3 ORDER BY id
                """,
                [
                    .integer(copy.account), .integers(ids), .integer(Int64(bytes)), .integer(ids.first),
                    .integer(ids.last),
                ]))
        let values: [SQLValue] = [.integer(copy.account), .integers(rows.integers("id"))]
        let attachments = try MirrorRows(
            .attachment,
            server.execute(
                """
                SELECT \(SchemaTable.attachment.names(of: "a")) FROM scrollback.attachment AS a
                WHERE account_id = $1 AND message_id = ANY($2::bigint[])
                """, values))
        let files = try MirrorRows(
            .file,
            server.execute(
                """
                SELECT \(SchemaTable.file.names(of: "f")) FROM scrollback.file AS f WHERE account_id = $1 AND id IN (
                  SELECT file_id FROM scrollback.attachment WHERE account_id = $1 AND message_id = ANY($2::bigint[]))
                """, values))
        return SearchedMessages(rows, attachments: attachments, files: files)
    }

    private func note(renewedTo: Int64?) throws {
        try server.execute(
            "UPDATE scrollback.feed_position SET renewed_to = $2 WHERE account_id = $1",
            [.integer(copy.account), .integer(renewedTo)])
    }

    private func end() throws {
        try server.execute(
            "UPDATE scrollback.feed_position SET analyser = $2, renewed_to = NULL WHERE account_id = $1",
            [.integer(copy.account), .integer(Int64(Analyser.version))])
        copy.isRenewing = false
    }
}

extension MirrorRows {
    /// - Parameter rows: Rows with the columns of the table that are copied, in its order.
    fileprivate init(_ table: SchemaTable, _ rows: SQLRows) throws {
        let values = try table.sent.enumerated().map { place, column in
            column.isText
                ? Values.texts(try (0..<rows.count).map { try rows.text($0, Int32(place)) })
                : Values.integers(try (0..<rows.count).map { try rows.integer($0, Int32(place)) })
        }
        self.init(table, values, count: rows.count)
    }
}
