import Accounts
import ChatModel
import Files
import SQLite
import Schema

/// Distinguishes the files of different accounts, and a later file of one account from an earlier one.
struct CopiedState {
    let epoch: String
    let seq: Int64

    /// Reads the state of an account. The caller must hold a lock that keeps its file in place.
    init(of entry: Catalog.Entry, in dataFolder: DataFolder) throws {
        if let cold = entry.cold, let encryption = cold.encryption {
            (epoch, seq) = (encryption.epoch, cold.holdings.seq)
            return
        }
        let folder = dataFolder.folder(of: entry)
        (epoch, seq) = try ArchiveError.wrapping(folder.database) {
            let queue =
                try entry.cold.map { try PrivateCopy.open(ColdFile(path: folder.cold), expecting: $0.digest).queue }
                ?? SQLiteConnection.reading(path: folder.database)
            return try queue.read { db in
                _ = try Schema.account.version(db, path: folder.database)
                return (
                    try String.fetchOne(db, sql: "SELECT epoch FROM account") ?? "",
                    try Catalog.Holdings.lastChange(ReadTransaction(db))
                )
            }
        }
    }

    /// Requires that an earlier copy can be replaced by the account of this state without a loss.
    ///
    /// - Throws: ``ArchiveError`` with `backup` if the earlier copy is of another account or has more changes.
    func requireReplaceable(_ earlier: Catalog.Entry, in target: DataFolder) throws {
        let found = try CopiedState(of: earlier, in: target)
        let (name, place) = (earlier.account.name, target.folder(of: earlier).path)
        let hint = "back it up into another folder, or erase that copy first"
        guard found.epoch == epoch else {
            throw ArchiveError(
                code: .backup,
                detail:
                    "\(place) is a backup of another account '\(name)', or older than its last restore; \(hint)"
            )
        }
        guard found.seq <= seq else {
            throw ArchiveError(
                code: .backup, detail: "\(place) has more changes than account '\(name)' has now; \(hint)")
        }
    }
}
