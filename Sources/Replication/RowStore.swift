import ChatModel
import PostgreSQL
import Reading
import Schema
import SearchText

/// Stores batches of accounts in the tables of the shared archive, in the caller's transaction.
struct RowStore {
    let server: PostgreSQLConnection

    /// Stores the batches, and the positions after them.
    func store(_ copies: [AccountCopy]) throws {
        guard !copies.isEmpty else { return }
        for copy in copies { try deleteGone(copy) }
        for group in Self.groups(copies) {
            if group.table == .message {
                try WordStore(server: server).store(group.messages)
            } else {
                try server.executeKept(TableStatements(group.table).upsert, group.values)
            }
        }
        let batches = copies.compactMap(\.batch)
        try server.executeKept(
            """
            UPDATE scrollback.feed_position AS p
            SET seq = w.seq, end_seq = w.end_seq, next_analyser = $5,
              renewed_to = CASE WHEN next_analyser = $5 THEN renewed_to END,
              caught_up_at_us = CASE WHEN w.seq >= w.end_seq THEN $4 ELSE caught_up_at_us END
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS w (account_id, seq, end_seq)
            WHERE p.account_id = w.account_id
            """,
            [
                .integers(copies.map(\.account)), .integers(batches.map(\.position.seq)), .integers(batches.map(\.end)),
                .integer(Timestamp.now().microseconds), .integer(Int64(Analyser.version)),
            ])
    }

    /// Rows of one table, of several accounts.
    private struct Group {
        let table: SchemaTable
        var parts: [(copy: AccountCopy, rows: MirrorRows)] = []

        /// The account's number and the table's columns, as arrays.
        var values: [SQLValue] {
            let accounts = parts.flatMap { part in [Int64?](repeating: part.copy.account, count: part.rows.count) }
            return [.integers(accounts)] + MirrorRows.sqlValues(parts.map(\.rows))
        }

        /// The messages of the batches.
        var messages: [WordStore.Part] {
            parts.compactMap { part in
                part.copy.batch?.messages.map { messages in
                    WordStore.Part(copy: part.copy, messages: messages, replacesWords: part.copy.isRenewing)
                }
            }
        }
    }

    /// Returns the rows to store, in the order of the batches. A statement must not store a row twice, so a table that
    /// a batch has more than once is in as many groups.
    private static func groups(_ copies: [AccountCopy]) -> [Group] {
        var groups: [Group] = []
        for copy in copies {
            var places: [SchemaTable: Int] = [:]
            for rows in copy.batch?.rows ?? [] where rows.count > 0 {
                let first = places[rows.table, default: 0]
                let place =
                    groups[first...].firstIndex { $0.table == rows.table } ?? groups.endIndex
                if place == groups.endIndex { groups.append(Group(table: rows.table)) }
                groups[place].parts.append((copy, rows))
                places[rows.table] = place + 1
            }
        }
        return groups
    }
}
