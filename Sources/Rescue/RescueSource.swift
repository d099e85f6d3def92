import CSQLite
import Migrations
import SQLite
import Schema

/// The tables of a damaged file: where they begin, and which schema they have.
struct RescueSource {
    /// The first pages of tables and indices, by their names. A name that is missing was not found.
    let roots: [String: Int]
    /// The number of the schema for the file's rows.
    let version: Int
    let shapes: [TableShape]

    /// The table in which SQLite keeps a file's schema.
    private static let schema = TableShape(
        name: "sqlite_schema", isTable: true, hasRowIDs: true,
        columns: ["type", "name", "tbl_name", "rootpage", "sql"].map {
            TableShape.Column(name: $0, type: $0 == "rootpage" ? "INTEGER" : "TEXT", isRequired: $0 != "sql")
        })

    /// Finds the tables of the file. Its schema is the one that the header names; if the header is lost, the newest.
    ///
    /// - Throws: ``ArchiveError`` with `schemaTooNew` or `schemaTooOld` if this program does not know the file's schema.
    init(_ tree: inout DamagedTree) throws {
        let header = tree.file.page(1).map(FileHeader.init)
        let named = header?.isIntact == true ? header?.version : nil
        if let named, named > Schema.account.last { try Schema.account.requireKnown(named, path: tree.file.path) }
        version = max(named ?? Schema.account.current, Schema.account.first)
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
        roots = Dictionary(
            entries.compactMap { entry in
                guard let name = entry.values[1].text, let root = entry.values[3].integer, root > 0,
                    root <= Int64(tree.file.pageCount)
                else { return nil }
                return (name, Int(root))
            }, uniquingKeysWith: { $1 })
        shapes = try DatabaseQueue().sync { [version] db in
            try Schema.account.migrate(db, path: ":memory:", isNew: true, to: version)
            return try TableShape.all(db)
        }
        // A file of an earlier schema lacks tables. If it has them all, the number is damaged.
        if let named, shapes.contains(where: { $0.isTable && roots[$0.name] == nil }) {
            try Schema.account.requireKnown(named, path: tree.file.path)
        }
        if let header, header.isIntact { tree.skip(header.unusedPages(of: tree.file)) }
    }
}

/// The header of the file, on its first page.
private struct FileHeader {
    /// True for a file of Scrollback whose header looks as SQLite writes it.
    let isIntact: Bool
    /// The number of the file's schema.
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
