import ChatModel
import GRDB
import SearchText

/// Writes `message_search`, in the transaction of the messages themselves.
///
/// Joins, leaves, renames and modes are not in it: nobody looks for them by words, and `from:` would find little else.
struct SearchIndex {
    static let name = "message_search"
    /// The one that is being made anew, where there is one.
    static let next = "message_search_next"

    /// Messages of the batch at hand. Written together in the order of their ids: FTS5 flushes whenever a row goes before
    /// the one before it, which costs two thirds of the speed *(measured)*.
    private var waiting: [SearchEntry] = []
    private var inserts: [String: HotStatement] = [:]

    mutating func add(_ entry: SearchEntry) {
        waiting.append(entry)
    }

    /// Of an index that does not reach back to a message, filling it brings the message.
    mutating func flush(_ db: Database) throws {
        guard !waiting.isEmpty else { return }
        defer { waiting.removeAll(keepingCapacity: true) }
        waiting.sort { $0.id < $1.id }
        for index in try SearchReach.all(db) {
            let entries = waiting.filter { $0.id >= index.from }
            if !entries.isEmpty { _ = try insertOrAbandon(entries, into: index.name, db) }
        }
    }

    /// A damaged index keeps no message from being stored.
    ///
    /// - Returns: Whether they are in it; else another index is being made.
    mutating func insertOrAbandon(_ entries: [SearchEntry], into table: String, _ db: Database) throws -> Bool {
        do {
            try db.inSavepoint {
                try insert(entries, into: table, db)
                // With another savepoint FTS5 writes what it would else write at COMMIT, where an error does not tell of what.
                try db.inSavepoint { .commit }
                return .commit
            }
            return true
        } catch let error as DatabaseError where error.isOfTheIndex {
            inserts = [:]
            try SearchFilling.abandon(table, db)
            return false
        }
    }

    /// - Parameter entries: In the order of their ids.
    mutating func insert(_ entries: [SearchEntry], into table: String, _ db: Database) throws {
        let insert =
            try inserts[table]
            ?? HotStatement(
                "INSERT INTO \(table) (rowid, text, chars, facets) VALUES (?, ?, ?, ?)", db)
        inserts[table] = insert
        for entry in entries {
            let indexed = Analyser.analyse(entry.body ?? "")
            try insert.execute { row in
                row.bind(1, entry.id)
                row.bind(2, indexed.text)
                row.bind(3, indexed.chars)
                row.bind(4, entry.facets)
            }
        }
    }
}

extension DatabaseError {
    /// Not of the disk or of other processes. FTS5 may lack the memory that a damaged number asks for.
    fileprivate var isOfTheIndex: Bool {
        !isTroubleOfTheStore || [.SQLITE_CORRUPT, .SQLITE_NOMEM].contains(resultCode.primaryResultCode)
    }
}

/// What of a message is indexed.
struct SearchEntry: Sendable {
    var id: Int64
    var room: Int64
    var sender: Int64?
    var kind: MessageKind
    var body: String?

    var facets: String {
        "all r\(room)" + (kind == .message ? "" : " k\(kind.rawValue)") + (sender.map { " u\($0)" } ?? "")
            + (hasLink ? " hlink" : "")
    }

    private var hasLink: Bool {
        guard let body, body.utf8.contains(UInt8(ascii: "/")) else { return false }
        return body.firstMatch(of: /https?:\/\/[^\s]/.ignoresCase()) != nil
    }
}

/// An index, and how far it reaches.
struct SearchReach: Sendable, Hashable {
    var name: String
    var analyser: Int
    /// Messages with this id or a later one are in it.
    var from: Int64

    static func all(_ db: Database) throws -> [SearchReach] {
        let statement = try db.cachedStatement(sql: "SELECT name, analyser, from_us FROM search_index ORDER BY name")
        return try Row.fetchAll(statement).map { SearchReach(name: $0[0], analyser: $0[1], from: $0[2]) }
    }
}
