import Accounts
import ChatModel
import Files
import Moves
import SQLite
import Schema

/// Brings every readable row of a damaged account's file into a new file, and makes the new one consistent: what refers
/// to a lost row gets a substitute, counts and the search index are computed again, and times with lost messages become
/// gaps.
struct Rescue {
    private let path: String
    private let progress: (BackupProgress) throws -> Void

    init(of path: String, progress: @escaping (BackupProgress) throws -> Void) {
        (self.path, self.progress) = (path, progress)
    }

    /// The account of the new file, and the losses of the damaged one.
    struct Result {
        /// Nil if the row with the account's name is lost.
        var account: AccountIdentity?
        var losses: [RescueReport.Loss] = []
    }

    /// Fills an account's folder, which has no file yet.
    ///
    /// - Throws: ``ArchiveError`` with `corrupt` if the file has no readable row.
    func fill(_ folder: AccountFolder) throws -> Result {
        let file = try DamagedFile(path: path)
        var tree = DamagedTree(file)
        let source = try RescueSource(&tree)
        try OpenFile(creating: folder.database).synchronize()
        return try ArchiveError.wrapping(folder.database) {
            let queue = try SQLiteConnection.sealing(path: folder.database)
            let result = try queue.sync { db in
                // Nothing reads the file before it is sealed, which brings it to the disk.
                try db.execute(
                    sql: "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA auto_vacuum = INCREMENTAL;")
                try Schema.account.migrate(db, path: folder.database, isNew: true, to: source.version)
                func step() throws { try progress(BackupProgress(bytes: folder.databaseBytes, logGrowth: 0)) }
                let found = try Self.copyRows(source, &tree, to: db, step: step)
                guard found.rows > 0 else {
                    throw ArchiveError(code: .corrupt, detail: "\(path) has nothing that can be read")
                }
                try Schema.account.migrate(db, path: folder.database)
                let lost = RescueLost(db: db, found: found)
                try lost.find()
                // First those whose own ids are lost, which leaves fewer lost ids for the others.
                try Self.addMisplaced(source, lost, step: step)
                try Self.restoreIDs(source, file, lost)
                let losses = try RescueRepair(lost: lost).run(step: step)
                let account = try db.first(sql: "SELECT name, network FROM account") { row in
                    AccountIdentity(name: try row.value(0), network: try row.value(1))
                }
                return Result(account: account, losses: losses)
            }
            try queue.close()
            return result
        }
    }

    /// The findings in the damaged file.
    struct Found {
        var rows = 0
        /// The losses by the name of the table or index.
        var losses: [String: DamagedTree.Losses] = [:]
        /// The number of rows that break a rule of the schema or have impossible times, by table.
        var refused: [String: Int] = [:]
        /// True if the log has pages behind a damaged place.
        var hasLog = false
    }

    private static func copyRows(
        _ source: RescueSource, _ tree: inout DamagedTree, to db: Database, step: @escaping () throws -> Void
    ) throws -> Found {
        var found = Found()
        var rows = try RescueRows(db, step: step)
        for table in source.shapes where table.hasContent {
            found.losses[table.name] = try walk(table, source, &tree) { entry in
                try rows.add(entry, to: table)
                found.rows += 1
            }
        }
        let log = tree.file.unorderedPages()
        if !log.isEmpty || found.losses.values.contains(where: { !$0.isEmpty }) {
            // Every page of an intact tree has to be known, so that the rest is what lost its tree.
            for other in source.shapes where !other.hasContent && other.name != RescueLost.index {
                _ = try walk(other, source, &tree) { _ in }
            }
        }
        found.losses[RescueLost.index] = try copyIndex(source, &tree, to: db)
        if found.losses.values.contains(where: { !$0.isEmpty }) {
            found.rows += try copyOrphans(source, &tree, &rows)
        }
        for page in log {
            // Behind a damaged place, SQLite can't tell what was committed. Only messages are taken, which are unique.
            guard let (table, entries) = tree.orphan(0, bytes: page, among: source.shapes), table.name == "message"
            else { continue }
            for entry in entries { try rows.add(entry, to: table) }
        }
        try rows.finish()
        found.refused = rows.refused
        found.hasLog = !log.isEmpty
        return found
    }

    /// Stores the ids of the index of all messages, of which those that are not found are lost. Returns the losses; nil if
    /// the file has no such index.
    private static func copyIndex(
        _ source: RescueSource, _ tree: inout DamagedTree, to db: Database
    ) throws -> DamagedTree.Losses? {
        try db.execute(sql: RescueLost.table)
        let lost = try db.makeStatement(sql: RescueLost.insertion, keepsValues: true)
        guard let index = source.shapes.first(where: { $0.name == RescueLost.index }) else { return nil }
        return try walk(index, source, &tree) { entry in
            guard let room = entry.values.first?.integer, let id = entry.values.last?.integer else { return }
            try lost.execute {
                $0.bind(1, room)
                $0.bind(2, id)
            }
        }
    }

    /// Gives messages with damaged ids their own, which the index or the feed names.
    private static func restoreIDs(_ source: RescueSource, _ file: DamagedFile, _ lost: RescueLost) throws {
        guard let index = source.shapes.first(where: { $0.name == RescueLost.index }) else { return }
        try lost.db.inTransaction {
            try lost.restoreIDs { body in
                // A tree reads each page once.
                var tree = DamagedTree(file)
                _ = try walk(index, source, &tree) { entry in
                    if let id = entry.values.last?.integer { try body(id) }
                }
            }
        }
    }

    /// Adds the messages that are out of order on their pages, if it is clear which ids are theirs.
    private static func addMisplaced(_ source: RescueSource, _ lost: RescueLost, step: @escaping () throws -> Void)
        throws
    {
        guard let table = source.shapes.first(where: { $0.name == "message" }),
            let room = table.columns.firstIndex(where: { $0.name == "room_id" }),
            let body = table.columns.firstIndex(where: { $0.name == "body" })
        else { return }
        var misplaced: [(row: DamagedTree.Entry, room: Int64, range: DamagedTree.Losses.Range)] = []
        for (row, range) in lost.found.losses[table.name]?.misplaced ?? [] {
            guard let room = row.values.dropFirst(room).first?.integer else { continue }
            // A page may be a copy of another, and a cell be named twice.
            let isCopy = try Bool.fetchOne(
                lost.db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM message WHERE id = ? AND room_id = ? AND body IS ?)"),
                arguments: [row.rowID, room, row.values.dropFirst(body).first?.text])
            if isCopy != true { misplaced.append((row, room, range)) }
        }
        let ids = try lost.ids(of: misplaced.map { ($0.row.rowID, $0.room, $0.range) })
        var rows = try RescueRows(lost.db, step: step)
        for case (let message, let id?) in zip(misplaced, ids) {
            try rows.add(DamagedTree.Entry(rowID: id, values: message.row.values), to: table)
            // A row that the schema refuses is lost.
            let isStored = try Bool.fetchOne(
                lost.db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM message WHERE id = ?)"), arguments: [id])
            if isStored == true { try lost.remove(id) } else { try lost.add(id, room: message.room) }
        }
        try rows.finish()
    }

    private static func walk(
        _ shape: TableShape, _ source: RescueSource, _ tree: inout DamagedTree,
        _ body: (DamagedTree.Entry) throws -> Void
    ) throws -> DamagedTree.Losses {
        guard let root = source.roots[shape.name] else {
            var losses = DamagedTree.Losses()
            losses.add(pages: 1, DamagedTree.Losses.Range(after: .min, before: .max))
            return losses
        }
        return try tree.walk(root, shape, body)
    }

    /// Copies the rows of pages that lost their tree.
    private static func copyOrphans(
        _ source: RescueSource, _ tree: inout DamagedTree, _ rows: inout RescueRows
    ) throws -> Int {
        var count = 0
        for number in 1...tree.file.pageCount where !tree.seen[number] {
            guard let bytes = tree.file.page(number),
                let (table, entries) = tree.orphan(number, bytes: bytes, among: source.shapes), table.hasContent
            else { continue }
            for entry in entries { try rows.add(entry, to: table) }
            count += entries.count
        }
        return count
    }
}
