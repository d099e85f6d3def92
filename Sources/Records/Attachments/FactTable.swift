import Bytes
package import ChatModel
package import SQLite
import Schema

/// A table of what people, rooms or workspaces had over time, each with its times: pictures, descriptions and owners. There may
/// have been none between two of them.
package struct FactTable {
    package let name: String
    /// The column with the number of the person, room or workspace.
    package let owner: String
    /// The column with the fact.
    let value: String

    package static let userPictures = FactTable(.userPicture)
    package static let roomPictures = FactTable(.roomPicture)
    package static let workspacePictures = FactTable(.workspacePicture)
    package static let roomDescriptions = FactTable(.roomDescription)
    package static let roomOwners = FactTable(.roomOwner)

    private init(_ table: SchemaTable) {
        (name, owner, value) = (table.name, table.columns[0].name, table.columns[table.columns.count - 1].name)
    }

    /// The tables whose paths have a row of `file`.
    package static let pictures = [userPictures, roomPictures, workspacePictures]

    /// SQL that is true for a row of `file` with the path of a picture.
    package static let hasPicture =
        "("
        + pictures.map { "EXISTS (SELECT 1 FROM \($0.name) AS p WHERE p.path = file.path)" }
        .joined(separator: " OR ") + ")"

    /// A fact with the time of its use, in microseconds since 1970.
    package struct Span {
        var value: DatabaseValue
        var since: Int64
        /// Nil for the present fact.
        var until: Int64?

        package init(value: DatabaseValue, since: Int64, until: Int64? = nil) {
            (self.value, self.since, self.until) = (value, since, until)
        }
    }

    // MARK: Listing

    /// Stores the present text. An empty one counts as none.
    ///
    /// - Returns: True if it is another one than before.
    package func set(_ text: String?, of id: Int64, at time: Int64, _ db: Database) throws -> Bool {
        try set(text.flatMap { $0.isEmpty ? nil : $0.withoutNUL }.databaseValue, of: id, at: time, db)
    }

    /// Stores the present value; null for none.
    ///
    /// - Returns: True if it is another one than before.
    package func set(
        _ present: DatabaseValue, file: NewAttachment? = nil, of id: Int64, at time: Int64, _ db: Database
    ) throws -> Bool {
        let latest: (first: Int64, last: Int64?, isSame: Int64)? = try db.cachedStatement(
            sql: """
                SELECT first_seen_us, last_seen_us, \(value) IS ?2 FROM \(name) WHERE \(owner) = ?1
                ORDER BY first_seen_us DESC LIMIT 1
                """
        ).first(arguments: [id, present]) { try ($0.value(0), $0.value(1), $0.value(2)) }
        let (first, last) = (latest?.first, latest?.last)
        let isPresent = first != nil && last == nil
        guard isPresent ? latest?.isSame == 0 : !present.isNull else { return false }
        // Two of the same microsecond are stored 1 µs apart.
        let since = max(time, last ?? first.map { $0 &+ 1 } ?? time, first.map { $0 &+ 1 } ?? time)
        if isPresent {
            try db.cachedStatement(sql: "UPDATE \(name) SET last_seen_us = ? WHERE \(owner) = ? AND first_seen_us = ?")
                .execute(arguments: [since, id, first])
        }
        if !present.isNull { _ = try insert(Span(value: present, since: since), file, of: id, db) }
        return true
    }

    /// - Returns: False if the same subject has one of that time already.
    private func insert(
        _ span: Span, _ file: NewAttachment? = nil, of id: Int64, _ db: Database
    ) throws -> Bool {
        try db.cachedStatement(
            sql: """
                INSERT INTO \(name) (\(owner), first_seen_us, last_seen_us, \(value)) VALUES (?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [id, span.since, span.until, span.value])
        guard db.changesCount > 0 else { return false }
        if value == "path", case .text(let path) = span.value {
            try (file ?? NewAttachment(path: path)).storeAsPicture(db)
        }
        return true
    }

    // MARK: Importing

    /// Stores what an export has, unless the archive has something later.
    ///
    /// An export has the facts of its own time with every message. With a message that is stored, they are therefore news only
    /// where the archive has none, or a picture without its bytes.
    ///
    /// - Parameters:
    ///   - file: The file of a picture.
    ///   - isNew: True if the message that shows the fact was stored only now.
    /// - Returns: True if anything changed.
    package func set(
        imported present: DatabaseValue, _ file: NewAttachment? = nil, of id: Int64, at time: Int64, isNew: Bool,
        _ db: Database
    ) throws -> Bool {
        let latest = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT max(first_seen_us) FROM \(name) WHERE \(owner) = ?"), arguments: [id])
        let isNews = try isNew || latest == nil || file?.sha256 != nil && !hasBytes(of: id, db)
        guard isNews, latest ?? .min <= time, try set(present, file: file, of: id, at: time, db) else {
            // The same picture may have its bytes only now.
            guard let file, file.sha256 != nil, try has(file.path, of: id, db) else { return false }
            let before = db.totalChangesCount
            try file.storeAsPicture(db)
            return db.totalChangesCount > before
        }
        return true
    }

    /// Returns true if the bytes of a subject's pictures are here.
    private func hasBytes(of id: Int64, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM \(name) AS p JOIN file ON file.path = p.\(value)
                  WHERE p.\(owner) = ? AND ifnull(file.sha256, '') <> '')
                """)
        return try Bool.fetchOne(statement, arguments: [id]) == true
    }

    private func has(_ path: String, of id: Int64, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM \(name) WHERE \(owner) = ? AND \(value) = ?)")
        return try Bool.fetchOne(statement, arguments: [id, path]) == true
    }

    /// Stores the facts that are later than the stored ones, and the end of the last stored one.
    ///
    /// - Returns: True if anything changed.
    package func merge(_ imported: [Span], of id: Int64, _ db: Database) throws -> Bool {
        guard try lacks(imported, of: id, db) else { return false }
        var isChanged = false
        for span in imported.sorted(by: { $0.since < $1.since }) {
            let last = try Int64.first(
                db, sql: "SELECT max(first_seen_us) FROM \(name) WHERE \(owner) = ?", arguments: [id])
            if let last, last > span.since { continue }
            let until = span.until.map { max($0, span.since) }
            try db.execute(
                sql: """
                    UPDATE \(name) SET last_seen_us = iif(first_seen_us = ?2, ?3, ?2)
                    WHERE \(owner) = ?1 AND last_seen_us IS NULL AND (first_seen_us < ?2 OR ?3 IS NOT NULL)
                    """,
                arguments: [id, span.since, until])
            if db.changesCount > 0 { isChanged = true }
            if try insert(Span(value: span.value, since: span.since, until: until), of: id, db) { isChanged = true }
        }
        return isChanged
    }

    /// Returns true if ``merge(_:of:_:)`` would change anything.
    package func lacks(_ imported: [Span], of id: Int64, _ db: Database) throws -> Bool {
        guard let latest = imported.max(by: { $0.since < $1.since }) else { return false }
        // True if the export has a later one, or the end of the last stored one.
        let statement = try db.cachedStatement(
            sql: """
                SELECT first_seen_us < ?2 OR first_seen_us = ?2 AND last_seen_us IS NULL AND ?3 FROM \(name)
                WHERE \(owner) = ?1 ORDER BY first_seen_us DESC LIMIT 1
                """)
        return try Bool.fetchOne(statement, arguments: [id, latest.since, latest.until != nil]) ?? true
    }

    package func merge(_ imported: [NameSpan], of id: Int64, _ db: Database) throws -> Bool {
        try merge(imported.map(Span.init), of: id, db)
    }

    package func lacks(_ imported: [NameSpan], of id: Int64, _ db: Database) throws -> Bool {
        try lacks(imported.map(Span.init), of: id, db)
    }
}

extension FactTable.Span {
    fileprivate init(_ span: NameSpan) {
        self.init(
            value: span.name.withoutNUL.databaseValue, since: span.firstSeen.microseconds,
            until: span.lastSeen?.microseconds)
    }
}
