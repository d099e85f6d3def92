import Foundation
import SQLite
import TestSupport

/// What every table of an account has, less the times of import, which for read markers are places in the feed as well, and
/// less the vocabulary, which depends on what a process has met before.
struct AccountRows {
    let all: [String]

    /// The rows that do not depend on how many transactions wrote them: without the feed's order, in which an import that continues
    /// repeats its owner, and without the segments of the search index, which `archive check` compares with the messages.
    var apartFromTransactions: [String] {
        all.filter { !$0.hasPrefix("change ") && !$0.hasPrefix("message_search_") }
    }

    init(_ scrollback: Program, account: String) throws {
        let accounts = scrollback.data + "/accounts"
        let names = try FileManager.default.contentsOfDirectory(atPath: accounts).filter { $0.hasPrefix(account + "-") }
        let queue = try DatabaseQueue(
            path: "\(accounts)/\(names.first ?? "none")/1.sqlite", isReadOnly: true)
        defer { try? queue.close() }
        all = try queue.read { db in
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name <> 'account'
                      AND name NOT LIKE 'vocabulary%' ORDER BY name
                    """)
            return try tables.flatMap { table in
                try db.allRows(sql: "SELECT * FROM \(table)") { row in
                    let times = table == "read_marker" ? ["seq", "set_at_us"] : ["received_at_us"]
                    let columns = (0..<row.count).filter { !times.contains(row.name($0)) }
                    return "\(table) " + columns.map { "\(row.name($0))=\(row[$0])" }.joined(separator: " ")
                }
            }
        }
    }
}
