import Archive
import ChatModel
import Foundation
import GRDBSQLite
import Migrations
import SearchText

/// Ingest in batches of 1,000, without sockets, against a bare loop over the same statements with its values prepared.
func runStoreIngest() async throws {
    Table.title("Ingest, batches of 1,000, messages a second (synchronous=FULL)")
    let total = 200_000
    var store: [Double] = []
    var bare: [Double] = []
    for _ in 0..<5 {
        store.append(try await storeRate(total))
        bare.append(try bareRate(total))
    }
    let (a, b) = (store.sorted()[2], bare.sorted()[2])
    Table.row("the store", "\(Int(a))", "of 5 runs: \(Int(store.min() ?? 0))-\(Int(store.max() ?? 0))")
    Table.row("bare C API", "\(Int(b))", "of 5 runs: \(Int(bare.min() ?? 0))-\(Int(bare.max() ?? 0))")
    Table.ratio("the store over bare", a, b, bound: "at least 0.70")
}

private func storeRate(_ total: Int) async throws -> Double {
    let sample = try SampleArchive()
    let writer = try await sample.archive.openWriter(SampleArchive.account)
    let session = try await SampleArchive.openSession(writer, at: SampleArchive.start)
    let batches = stride(from: 0, to: total, by: 1000).map { start in
        (start..<start + 1000).map { SampleArchive.event($0, session) }
    }
    var time = Sample()
    try await time.measure { for batch in batches { _ = try await writer.append(batch) } }
    try await writer.close()
    return Double(total) / time.total
}

/// The same rows and tokens by the same statements in the same transactions: BEGIN IMMEDIATE, per message one INSERT, one of
/// the change feed and one of the search index, the room's count and the session's progress, COMMIT.
private func bareRate(_ total: Int) throws -> Double {
    let folder = FileManager.default.temporaryDirectory.path + "/scrollback-bare-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let connection = try BareConnection(path: folder + "/1.sqlite")
    try connection.execute(BareConnection.settings)
    for migration in Migrations.all { try connection.execute(migration.sql) }
    try connection.execute(
        """
        INSERT INTO room (key, kind) VALUES ('', 'server');
        INSERT INTO session (started_at_us, last_sign_of_life_us) VALUES (0, 0);
        """)
    for number in 0..<50 { try connection.execute("INSERT INTO user (key) VALUES ('user\(number)')") }
    let rows = (0..<total).map { number in
        BareRow(number)
    }
    let insert = try connection.prepare(
        """
        INSERT INTO message (id, room_id, kind, sender_id, session_id, received_at_us, source_time_us, flags,
          remote_id, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (room_id, remote_id) WHERE remote_id IS NOT NULL DO NOTHING
        """)
    let index = try connection.prepare(
        "INSERT INTO message_search (rowid, text, chars, facets) VALUES (?, ?, ?, ?)")
    let change = try connection.prepare("INSERT INTO change (what, subject_id) VALUES (?, ?)")
    let count = try connection.prepare("UPDATE room SET messages = messages + ? WHERE id = ?")
    let progress = try connection.prepare(
        """
        UPDATE session SET last_sign_of_life_us = max(last_sign_of_life_us, ifnull(?, last_sign_of_life_us)),
          bytes = max(bytes, ?), position = max(position, ?)
        WHERE id = ?
        """)
    var time = Sample()
    try time.measure {
        for start in stride(from: 0, to: total, by: 1000) {
            try connection.execute("BEGIN IMMEDIATE")
            for row in rows[start..<start + 1000] {
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
            sqlite3_bind_int64(count, 1, 1000)
            sqlite3_bind_int64(count, 2, 1)
            try step(count)
            sqlite3_bind_int64(progress, 1, rows[start + 999].id)
            sqlite3_bind_int64(progress, 2, 0)
            sqlite3_bind_int64(progress, 3, 0)
            sqlite3_bind_int64(progress, 4, 1)
            try step(progress)
            try connection.execute("COMMIT")
        }
    }
    return Double(total) / time.total
}

/// A message with all that is written of it, prepared beforehand.
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

func bind(_ text: [UInt8], to statement: OpaquePointer, _ index: Int32) {
    text.withUnsafeBytes { bytes in
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(statement, index, start, Int32(bytes.count), transient)
    }
}

func step(_ statement: OpaquePointer) throws {
    guard sqlite3_step(statement) == SQLITE_DONE else { throw BenchmarkError("a bare INSERT failed") }
    sqlite3_reset(statement)
}
