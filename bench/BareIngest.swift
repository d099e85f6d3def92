import CSQLite
import ChatModel
import Foundation
import Migrations
import SearchText
import TestSupport

/// Stores prepared messages by SQLite's C API alone, in the rows and transactions of the store: BEGIN IMMEDIATE; for
/// each message one INSERT and one row of the change feed; the digest of the messages; the slots of the search index with
/// several messages; for each message one row of the index, in the order of their rowids; the counts of the room and of its
/// senders, by time, too, and the session's progress; COMMIT.
final class BareIngest {
    private let folder: TemporaryFolder
    private let connection: BareConnection
    private let rows: [BareRow]
    private let insert: OpaquePointer
    private let index: OpaquePointer
    private let change: OpaquePointer
    private let slot: OpaquePointer
    private let digest: OpaquePointer
    private let count: OpaquePointer
    private let senderCount: OpaquePointer
    private let lastCount: OpaquePointer
    private let messageCount: OpaquePointer
    private let span: OpaquePointer
    private let progress: OpaquePointer

    /// Creates the file, and prepares the values of the first `total` messages of a ``SampleArchive``.
    init(_ total: Int) throws {
        folder = try TemporaryFolder()
        connection = try BareConnection(path: folder.path + "/1.sqlite")
        // The file's own setting has to come before its first page is written.
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try connection.execute(BareConnection.settings)
        for migration in Migrations.all { try connection.execute(migration.sql) }
        try connection.execute(
            """
            INSERT INTO room (key, kind) VALUES ('', 'server');
            INSERT INTO session (started_at_us, last_sign_of_life_us) VALUES (0, 0);
            """)
        for number in 0..<BareRow.users { try connection.execute("INSERT INTO user (key) VALUES ('user\(number)')") }
        rows = (0..<total).map { BareRow($0) }
        insert = try connection.prepare(
            """
            INSERT INTO message (id, room_id, kind, sender_id, session_id, received_at_us, source_time_us, flags,
              remote_id, body, edited_at_us, deleted_at_us, reply_to)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (room_id, remote_id) WHERE remote_id IS NOT NULL DO NOTHING
            """)
        index = try connection.prepare("INSERT INTO message_search (rowid, text, chars, facets) VALUES (?, ?, ?, ?)")
        change = try connection.prepare("INSERT INTO change (what, subject_id) VALUES (?, ?)")
        slot = try connection.prepare("INSERT INTO search_slot (slot, first) VALUES (?, ?)")
        digest = try connection.prepare(
            """
            INSERT INTO message_digest (block, digest) VALUES (?1, ?2)
            ON CONFLICT (block) DO UPDATE SET digest = (digest | ?2) - (digest & ?2)
            """)
        count = try connection.prepare("UPDATE room SET messages = messages + ? WHERE id = ?")
        senderCount = try connection.prepare(
            """
            INSERT INTO sender_count (room_id, sender_id, messages) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET messages = messages + excluded.messages
            """)
        lastCount = try connection.prepare(
            "SELECT id, counts FROM message_count WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1")
        messageCount = try connection.prepare(
            """
            INSERT INTO message_count (id, counts, messages) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET counts = excluded.counts, messages = excluded.messages
            """)
        span = try connection.prepare(
            """
            INSERT INTO room_span (room_id, first_us, last_us) VALUES (?, ?, ?)
            ON CONFLICT (room_id) DO UPDATE
            SET first_us = min(first_us, excluded.first_us), last_us = max(last_us, excluded.last_us)
            """)
        progress = try connection.prepare(
            """
            UPDATE session SET last_sign_of_life_us = max(last_sign_of_life_us, ifnull(?, last_sign_of_life_us)),
              bytes = max(bytes, ?), position = max(position, ?)
            WHERE id = ?
            """)
    }

    /// Stores the messages in one transaction. Their number is a multiple of ``BareRow/users``.
    func append(_ numbers: Range<Int>) throws {
        try connection.execute("BEGIN IMMEDIATE")
        for row in rows[numbers] { try append(row) }
        sqlite3_bind_int64(digest, 1, rows[numbers.lowerBound].id >> 32)
        sqlite3_bind_int64(digest, 2, Int64(numbers.lowerBound) &* 0x0000_0100_0000_01B3)
        try step(digest)
        for row in rows[numbers] where row.isSecondOfSlot {
            sqlite3_bind_int64(slot, 1, row.slot)
            sqlite3_bind_int64(slot, 2, rows[row.number - 1].id)
            try step(slot)
        }
        for row in rows[numbers] where row.isFirstOfSlot { try index(row) }
        for row in rows[numbers] where !row.isFirstOfSlot { try index(row) }
        sqlite3_bind_int64(count, 1, Int64(numbers.count))
        sqlite3_bind_int64(count, 2, 1)
        try step(count)
        for user in 1...BareRow.users {
            sqlite3_bind_int64(senderCount, 1, 1)
            sqlite3_bind_int64(senderCount, 2, Int64(user))
            sqlite3_bind_int64(senderCount, 3, Int64(numbers.count / BareRow.users))
            try step(senderCount)
        }
        try count(numbers)
        sqlite3_bind_int64(progress, 1, rows[numbers.upperBound - 1].id)
        sqlite3_bind_int64(progress, 2, 0)
        sqlite3_bind_int64(progress, 3, 0)
        sqlite3_bind_int64(progress, 4, 1)
        try step(progress)
        try connection.execute("COMMIT")
    }

    /// Writes the ends of the room, and a row of counts of about the usual size.
    private func count(_ numbers: Range<Int>) throws {
        let (first, last) = (rows[numbers.lowerBound].id, rows[numbers.upperBound - 1].id)
        sqlite3_bind_int64(span, 1, 1)
        sqlite3_bind_int64(span, 2, first)
        sqlite3_bind_int64(span, 3, last)
        try step(span)
        let place = 1 << 30 + 1 << 28 + first / 900_000_000
        sqlite3_bind_int64(lastCount, 1, 1 << 30)
        sqlite3_bind_int64(lastCount, 2, place + 1)
        sqlite3_step(lastCount)
        sqlite3_reset(lastCount)
        sqlite3_bind_int64(messageCount, 1, place / 8 * 8)
        sqlite3_bind_zeroblob(messageCount, 2, Int32(2 * BareRow.users + 100))
        sqlite3_bind_int64(messageCount, 3, Int64(numbers.count))
        try step(messageCount)
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
    }

    private func index(_ row: BareRow) throws {
        sqlite3_bind_int64(index, 1, row.isFirstOfSlot ? row.slot : row.id + 1 << 36)
        bind(row.text, to: index, 2)
        bind(row.chars, to: index, 3)
        bind(row.facets, to: index, 4)
        try step(index)
    }
}

/// A message with all values of its rows, prepared in advance. A class, because copying a structure of five arrays takes
/// 2% of the loop's time.
private final class BareRow {
    static let users = 50

    let number: Int
    let id: Int64
    /// The slot of the search index, of 2^18 µs.
    let slot: Int64
    let isFirstOfSlot: Bool
    let isSecondOfSlot: Bool
    let user: Int64
    let remoteID: [UInt8]
    let body: [UInt8]
    let text: [UInt8]
    let chars: [UInt8]
    let facets: [UInt8]

    init(_ number: Int) {
        func slot(_ number: Int) -> Int64? { number < 0 ? nil : SampleArchive.time(of: number).microseconds >> 18 }
        (self.number, id) = (number, SampleArchive.time(of: number).microseconds)
        self.slot = id >> 18
        isFirstOfSlot = slot(number - 1) != self.slot
        isSecondOfSlot = !isFirstOfSlot && slot(number - 2) != self.slot
        user = Int64(number % Self.users + 1)
        remoteID = Array("1:\(number * 60)".utf8)
        body = Array(SampleArchive.text(number).utf8)
        let indexed = Analyser.analyse(SampleArchive.text(number))
        text = Array(indexed.text.utf8)
        chars = Array(indexed.chars.utf8)
        facets = Array("all r1 u\(user)".utf8)
    }
}
