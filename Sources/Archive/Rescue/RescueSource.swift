import CSQLite
import Foundation
import Migrations
import SQLite

/// The tables of a damaged file: where they begin, and which schema they have.
struct RescueSource {
    /// The first pages of tables and indices, by their names. A name that is missing was not found.
    let roots: [String: Int]
    /// The number of migrations that the file has had.
    let version: Int
    let shapes: [TableShape]

    /// The table in which SQLite keeps a file's schema.
    private static let schema = TableShape(
        name: "sqlite_schema", isTable: true, hasRowIDs: true,
        columns: ["type", "name", "tbl_name", "rootpage", "sql"].map {
            TableShape.Column(name: $0, type: $0 == "rootpage" ? "INTEGER" : "TEXT", isRequired: $0 != "sql")
        })

    /// Reads the schema of the file, and finds the one of this program's schemas that is most like it.
    ///
    /// - Throws: ``ArchiveError`` with `schemaTooNew` if the file has a schema that this program does not know.
    init(_ tree: inout DamagedTree) throws {
        var roots: [String: Int] = [:]
        var sql: Set<String> = []
        func add(_ entry: DamagedTree.Entry) {
            guard let name = entry.values[1].text, let root = entry.values[3].integer else { return }
            if root > 0, root <= Int64(tree.file.pageCount) { roots[name] = Int(root) }
            if let text = entry.values[4].text { sql.insert(text) }
        }
        let header = tree.file.page(1).map(FileHeader.init)
        if header?.isIntact == true, let version = header?.version, version > Schema.current {
            throw ArchiveError(
                code: .schemaTooNew,
                detail: "\(tree.file.path) has schema \(version), but this scrollback supports only \(Schema.current)")
        }
        var entries: [DamagedTree.Entry] = []
        let isWhole = try tree.walk(1, Self.schema) { entries.append($0) }.isEmpty
        if !isWhole {
            // The first page is lost, or a page of the schema is. Such pages are found by their content.
            for number in 1...tree.file.pageCount where !tree.seen[number] {
                guard let bytes = tree.file.page(number),
                    let (_, found) = tree.orphan(number, bytes: bytes, among: [Self.schema]),
                    found.allSatisfy({ ["table", "index", "view", "trigger"].contains($0.values[0].text ?? "") })
                else { continue }
                tree.skip([number])
                entries += found
            }
        }
        entries.forEach(add)
        self.roots = roots
        (version, shapes) = try Self.schema(like: sql, isWhole: isWhole, header: header)
        if let header, header.isIntact { tree.skip(header.unusedPages(of: tree.file)) }
    }

    /// Returns the schema that has the most of these statements; of several, the one that the header names, else the
    /// newest.
    ///
    /// - Parameter isWhole: True if the file has no other statements, so that a schema with more of them is less like it.
    private static func schema(
        like sql: Set<String>, isWhole: Bool, header: FileHeader?
    ) throws -> (Int, [TableShape]) {
        try DatabaseQueue().sync { db in
            var best: (score: Int, version: Int, shapes: [TableShape])?
            for version in 1...Schema.current {
                try db.execute(sql: Migrations.all[version - 1].sql)
                let own = Set(try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"))
                let score = 2 * own.intersection(sql).count - (isWhole ? own.count : 0)
                let isNamed = header?.isIntact == true && header?.version == best?.version
                if score > best?.score ?? .min || (score == best?.score && !isNamed) {
                    best = (score, version, try TableShape.all(db))
                }
            }
            guard let best else { throw DatabaseError(code: SQLITE_INTERNAL) }
            return (best.version, best.shapes)
        }
    }
}

/// The header of the file, on its first page.
private struct FileHeader {
    /// True for a file of Scrollback whose header looks as SQLite writes it.
    let isIntact: Bool
    /// The number of migrations that the file has had.
    let version: Int
    private let firstUnused: Int

    init(_ page: [UInt8]) {
        isIntact =
            page.starts(with: Array("SQLite format 3\0".utf8)) && page.uint16(at: 16) == UInt16(DamagedFile.pageSize)
            && page.uint32(at: 68) == UInt32(bitPattern: Migrations.applicationID) && page.uint32(at: 60) >= 1
        version = Int(page.uint32(at: 60))
        firstUnused = Int(page.uint32(at: 32))
    }

    /// Returns the pages of the list of unused pages, which may have what was deleted.
    func unusedPages(of file: DamagedFile) -> [Int] {
        var (pages, next) = ([Int](), firstUnused)
        while next > 0, pages.count <= file.pageCount, let page = file.page(next) {
            pages.append(next)
            let count = min(Int(page.uint32(at: 4)), DamagedFile.pageSize / 4 - 2)
            pages += (0..<count).map { Int(page.uint32(at: 8 + 4 * $0)) }
            next = Int(page.uint32(at: 0))
        }
        return pages
    }
}
