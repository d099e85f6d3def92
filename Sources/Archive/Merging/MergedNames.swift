import Bytes
import ChatModel
import SQLite
import Schema

/// The names of a person or a room that takes up another.
///
/// From its own beginning on, the one that stays keeps its names; before that, it has those of the other. A name that
/// only the other one had meanwhile stays known: it gets a microsecond before all others, in which there is no message.
struct MergedNames {
    private let merge: Int64
    private let request: Merging
    private let table: MergedTable

    private struct Name {
        var first: Int64
        var last: Int64?
        var name: String
    }

    init(_ merge: Int64, _ request: Merging, _ table: MergedTable) {
        (self.merge, self.request, self.table) = (merge, request, table)
    }

    func move(_ db: Database) throws {
        let (gone, kept) = try (names(of: request.from, db), names(of: request.into, db))
        guard let beginning = kept.first?.first else { return }
        try table.remove(merge, where: "\(table.owner) = ?", [request.from], db)
        var known = Set(kept.map { ExactString($0.name) })
        for name in gone where name.first < beginning {
            try add(Name(first: name.first, last: min(name.last ?? beginning, beginning), name: name.name), db)
            known.insert(ExactString(name.name))
        }
        var place = min(gone.first?.first ?? beginning, beginning)
        for name in gone where known.insert(ExactString(name.name)).inserted {
            try add(Name(first: place &- 1, last: place, name: name.name), db)
            place &-= 1
        }
    }

    private func names(of id: Int64, _ db: Database) throws -> [Name] {
        try db.all(
            sql: """
                SELECT first_seen_us, last_seen_us, name FROM \(table.name) WHERE \(table.owner) = ?
                ORDER BY first_seen_us
                """, arguments: [id]
        ) { try Name(first: $0.value(0), last: $0.value(1), name: $0.value(2)) }
    }

    private func add(_ name: Name, _ db: Database) throws {
        try table.add(merge, [request.into, name.first, name.last, name.name], db)
    }
}
