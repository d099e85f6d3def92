import PostgreSQL
import Reading

extension RowStore {
    /// Deletes what belongs to forgotten messages and people.
    func forget(_ batch: MirrorBatch, account: Int64) throws {
        if !batch.forgottenMessages.isEmpty { try forget(messages: batch.forgottenMessages, account: account) }
        if !batch.forgottenUsers.isEmpty { try forget(users: batch.forgottenUsers, account: account) }
    }

    private func forget(messages: [Int64], account: Int64) throws {
        let ids: [SQLValue] = [.integer(account), .integers(messages)]
        let words = try WordStore(server: server).words(of: messages, account: account)
        for table in ["reaction", "retraction"] {
            try server.execute(
                """
                DELETE FROM scrollback.\(table) AS t USING scrollback.message AS m
                WHERE t.account_id = $1 AND m.account_id = $1 AND m.id = ANY($2::bigint[])
                  AND t.room_id = m.room_id AND t.remote_id = m.remote_id
                """, ids)
        }
        try delete(from: [("message", "id"), ("message_version", "message_id"), ("late", "message_id")], ids)
        try deleteAttachments("message_id = ANY($2::bigint[])", ids, account: account)
        try WordStore(server: server).removeUnused(words, account: account)
    }

    private func forget(users ids: [Int64], account: Int64) throws {
        let users: [SQLValue] = [.integer(account), .integers(ids)]
        try delete(
            from: [("reaction", "user_id"), ("membership", "user_id"), ("person_name", "user_id"), ("person", "id")],
            users)
        let pictures = try server.execute(
            "DELETE FROM scrollback.person_picture WHERE account_id = $1 AND user_id = ANY($2::bigint[]) RETURNING path",
            users)
        try deletePictures(pictures, account: account)
        try server.execute(
            """
            DELETE FROM scrollback.sender_count AS c WHERE account_id = $1 AND sender_id = ANY($2::bigint[])
              AND NOT EXISTS (SELECT FROM scrollback.message WHERE account_id = $1 AND room_id = c.room_id
                AND sender_id = c.sender_id)
            """, users)
        try server.execute(
            """
            UPDATE scrollback.retraction SET user_id = NULL, reason = NULL
            WHERE account_id = $1 AND user_id = ANY($2::bigint[])
            """, users)
    }

    /// Deletes the rows of tables whose columns have one of the ids of `values`, which follow the account's.
    private func delete(from columns: [(table: String, column: String)], _ values: [SQLValue]) throws {
        for (table, column) in columns {
            try server.execute(
                "DELETE FROM scrollback.\(table) WHERE account_id = $1 AND \(column) = ANY($2::bigint[])", values)
        }
    }

    private func deleteAttachments(
        _ condition: String, _ values: [SQLValue], account: Int64
    ) throws {
        let deletion = "DELETE FROM scrollback.attachment WHERE account_id = $1 AND \(condition) RETURNING file_id"
        try deleteFiles(of: server.execute(deletion, values), account: account)
    }
}
