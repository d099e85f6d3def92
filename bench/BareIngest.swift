import ChatModel
import Foundation
import GRDBSQLite
import Migrations
import SearchText
import TestSupport

/// Stores prepared messages by SQLite's C API alone, in the rows and transactions of the store: BEGIN IMMEDIATE; for
/// each message one INSERT, one row of the change feed and one of the search index; the room's count and the session's
/// progress; COMMIT.
final class BareIngest {
    private let folder: TemporaryFolder
    private let connection: BareConnection
    private let rows: [BareRow]
    private let insert: OpaquePointer
    private let index: OpaquePointer
    private let change: OpaquePointer
    private let count: OpaquePointer
    private let progress: OpaquePointer

    /// Creates the file, and prepares the values of the first `total` messages of a ``SampleArchive``.
    init(_ total: Int) throws {
        folder = try TemporaryFolder()
        connection = try BareConnection(path: folder.path + "/1.sqlite")
        try connection.execute(BareConnection.settings)
        for migration in Migrations.all { try connection.execute(migration.sql) }
        try connection.execute(
            """
            INSERT INTO room (key, kind) VALUES ('', 'server');
            INSERT INTO session (started_at_us, last_sign_of_life_us) VALUES (0, 0);
            """)
        for number in 0..<50 { try connection.execute("INSERT INTO user (key) VALUES ('user\(number)')") }
        rows = (0..<total).map { BareRow($0) }
        insert = try connection.prepare(
            """
            INSERT INTO message (id, room_id, kind, sender_id, session_id, received_at_us, source_time_us, flags,
              remote_id, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (room_id, remote_id) WHERE remote_id IS NOT NULL DO NOTHING
            """)
        index = try connection.prepare("INSERT INTO message_search (rowid, text, chars, facets) VALUES (?, ?, ?, ?)")
        change = try connection.prepare("INSERT INTO change (what, subject_id) VALUES (?, ?)")
        count = try connection.prepare("UPDATE room SET messages = messages + ? WHERE id = ?")
        progress = try connection.prepare(
            """
            UPDATE session SET last_sign_of_life_us = max(last_sign_of_life_us, ifnull(?, last_sign_of_life_us)),
              bytes = max(bytes, ?), position = max(position, ?)
            WHERE id = ?
            """)
    }

    /// Stores the messages in one transaction.
    func append(_ numbers: Range<Int>) throws {
        try connection.execute("BEGIN IMMEDIATE")
        for row in rows[numbers] { try append(row) }
        sqlite3_bind_int64(count, 1, Int64(numbers.count))
        sqlite3_bind_int64(count, 2, 1)
        try step(count)
        sqlite3_bind_int64(progress, 1, rows[numbers.upperBound - 1].id)
        sqlite3_bind_int64(progress, 2, 0)
        sqlite3_bind_int64(progress, 3, 0)
        sqlite3_bind_int64(progress, 4, 1)
        try step(progress)
        try connection.execute("COMMIT")
    }

    private func append(_ row: BareRow) throws {
        sqlite3_bind_int64(insert, 1, row.id)
        sqlite3_bind_int64(insert, 2, 1)
        sqlite3_bind_int64(insert, 3, 0)
        sqlite3_bind_int64(insert, 4, row.user)
        sqlite3_bind_int64(insert, 5, 1)
        sqlite3_bind_null(insert, 6)
        sqlite3_bind_null(insert, 7)
        sqlite3_bind_int64(insert, 8, 0)
        bind(row.remoteID, to: insert, 9)
        bind(row.body, to: insert, 10)
        try step(insert)
        sqlite3_bind_int64(change, 1, 0)
        sqlite3_bind_int64(change, 2, row.id)
        try step(change)
        sqlite3_bind_int64(index, 1, row.id)
        bind(row.text, to: index, 2)
        bind(row.chars, to: index, 3)
        bind(row.facets, to: index, 4)
        try step(index)
    }
}

/// A message with all values of its rows, prepared in advance.
private struct BareRow {
    let id: Int64
    let user: Int64
    let remoteID: [UInt8]
    let body: [UInt8]
    let text: [UInt8]
    let chars: [UInt8]
    let facets: [UInt8]

    init(_ number: Int) {
        id = SampleArchive.time(of: number).microseconds
        user = Int64(number % 50 + 1)
        remoteID = Array("1:\(number * 60)".utf8)
        body = Array(SampleArchive.text(number).utf8)
        let indexed = Analyser.analyse(SampleArchive.text(number))
        text = Array(indexed.text.utf8)
        chars = Array(indexed.chars.utf8)
        facets = Array("all r1 u\(user)".utf8)
    }
}
