import PostgreSQL
import Reading
import Schema

/// Deletes rows that the account's file no longer has. Rows that retention rules removed from the file stay.
extension RowStore {
    /// Deletes the rows that the batch says are gone.
    func deleteGone(_ copy: AccountCopy) throws {
        guard let batch = copy.batch else { return }
        try forget(batch, account: copy.account)
        for rows in batch.rows {
            if let owners = rows.owners { try delete(owners, except: rows, account: copy.account) }
        }
    }

    private func delete(
        _ owners: MirrorRows.Owners, except rows: MirrorRows, account: Int64
    ) throws {
        let keys = Array(MirrorRows.sqlValues([rows]).prefix(rows.table.keyCount))
        let values = [.integer(account), .integers(owners.ids)] + keys
        let deletion = TableStatements.deletion(rows.table, owner: owners.column)
        switch rows.table {
        case .attachment:
            try deleteFiles(of: server.execute("\(deletion) RETURNING file_id", values), account: account)
        case _ where SchemaTable.pictures.contains(rows.table):
            try deletePictures(server.execute("\(deletion) RETURNING path", values), account: account)
        default: try server.execute(deletion, values)
        }
    }

    /// Deletes the files of deleted pictures, unless a message or another picture has them.
    func deletePictures(_ deleted: SQLRows, account: Int64) throws {
        let paths = try (0..<deleted.count).map { try deleted.text($0, 0) }
        guard !paths.isEmpty else { return }
        let files = try server.execute(
            """
            SELECT id FROM scrollback.file AS f WHERE account_id = $1 AND path = ANY($2::text[])
              AND NOT EXISTS (SELECT FROM scrollback.attachment WHERE account_id = $1 AND file_id = f.id)
            """, [.integer(account), .texts(paths)])
        try deleteFiles(of: files, account: account)
    }

    /// Deletes a file with its last message, unless it is the only one of a picture's path, and a content with its last
    /// file, as in the account's file.
    ///
    /// - Parameter deleted: The files' numbers.
    func deleteFiles(of deleted: SQLRows, account: Int64) throws {
        let files = try (0..<deleted.count).map { try deleted.integer($0, 0) }
        guard !files.isEmpty else { return }
        let pictures = SchemaTable.pictures.map {
            "EXISTS (SELECT FROM scrollback.\($0.sharedName) WHERE account_id = $1 AND path = f.path)"
        }
        try server.execute(
            """
            WITH gone AS (
              DELETE FROM scrollback.file AS f WHERE account_id = $1 AND id = ANY($2::bigint[])
                AND NOT EXISTS (SELECT FROM scrollback.attachment WHERE account_id = $1 AND file_id = f.id)
                AND (NOT (\(pictures.joined(separator: " OR "))) OR EXISTS (
                  SELECT FROM scrollback.file WHERE account_id = $1 AND path = f.path AND id <> f.id))
              RETURNING id, sha256)
            DELETE FROM scrollback.content AS c WHERE account_id = $1 AND sha256 IN (SELECT sha256 FROM gone)
              AND NOT EXISTS (SELECT FROM scrollback.file WHERE account_id = $1 AND sha256 = c.sha256
                AND id NOT IN (SELECT id FROM gone))
            """, [.integer(account), .integers(files)])
    }
}
