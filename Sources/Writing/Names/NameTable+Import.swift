import Bytes
package import ChatModel
package import SQLite
import Schema

/// Merges the names of an export. Names follow each other without a gap; the last one is today's.
extension NameTable {
    /// Stores the names that begin before the first stored name or after the last one. The stored names stay.
    ///
    /// - Returns: True if anything was stored.
    func merge(_ imported: [NameSpan], of id: Int64, _ db: Database) throws -> Bool {
        let (before, earliest, after) = try missing(of: imported, id, db)
        try insert(before, until: earliest, of: id, db)
        if let next = after.first {
            try db.execute(
                sql: "UPDATE \(table) SET last_seen_us = ? WHERE \(column) = ? AND last_seen_us IS NULL",
                arguments: [next.firstSeen.microseconds, id])
            try insert(after, until: nil, of: id, db)
        }
        return !before.isEmpty || !after.isEmpty
    }

    /// Returns true if ``merge(_:of:_:)`` would store anything.
    package func lacks(_ imported: [NameSpan], of id: Int64, _ db: Database) throws -> Bool {
        let (before, _, after) = try missing(of: imported, id, db)
        return !before.isEmpty || !after.isEmpty
    }

    /// - Returns: The names before the first stored one, the time when that one began, and the names after the last
    ///   stored one.
    private func missing(
        of imported: [NameSpan], _ id: Int64, _ db: Database
    ) throws -> (before: [NameSpan], earliest: Int64?, after: [NameSpan]) {
        let imported = imported.sorted { $0.firstSeen < $1.firstSeen }
        let known: [(name: String, firstSeen: Int64)] = try db.cachedStatement(
            sql: "SELECT name, first_seen_us FROM \(table) WHERE \(column) = ? ORDER BY first_seen_us"
        ).all(arguments: [id]) { try ($0.value(0), $0.value(1)) }
        guard let first = known.first, let last = known.last else { return (imported, nil, []) }
        let (earliest, name, latest) = (first.firstSeen, last.name, last.firstSeen)
        let after = imported.filter { $0.firstSeen.microseconds > latest }
        let isSame = after.first?.name.withoutNUL.isExactly(name) ?? false
        return (
            imported.filter { $0.firstSeen.microseconds < earliest }, earliest, Array(after.dropFirst(isSame ? 1 : 0))
        )
    }

    /// - Parameter end: The end of the last span; nil if its name is today's.
    private func insert(_ spans: [NameSpan], until end: Int64?, of id: Int64, _ db: Database) throws {
        for (index, span) in spans.enumerated() {
            let next = index + 1 < spans.count ? spans[index + 1].firstSeen.microseconds : end
            guard next != span.firstSeen.microseconds else { continue }
            try insert(span.name.withoutNUL, of: id, since: span.firstSeen.microseconds, until: next, db)
        }
    }

    /// Stores a name from before the earliest stored one. If the two names are the same, moves the stored beginning
    /// back.
    func insertEarlier(_ name: String, of entry: inout NameEntry, at time: Int64, _ db: Database) throws {
        let earliest = try String.fetchOne(
            db.cachedStatement(sql: "SELECT name FROM \(table) WHERE \(column) = ? AND first_seen_us = ?"),
            arguments: [entry.id, entry.earliest])
        if earliest?.isExactly(name) ?? false {
            try setBeginning(of: entry.id, from: entry.earliest, to: time, db)
            if entry.firstSeen == entry.earliest { entry.firstSeen = time }
        } else {
            try insert(name, of: entry.id, since: time, until: entry.earliest, db)
        }
        entry.earliest = time
    }
}
