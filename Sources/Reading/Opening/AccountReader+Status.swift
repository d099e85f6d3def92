import Accounts
package import ChatModel
import Files
package import Records
import Schema

extension AccountReader {
    /// Returns the account's status, and the tally to pass to the next call.
    package func status(tally: GapTally? = nil) throws -> (status: AccountStatus, tally: GapTally?) {
        guard let folder = file?.folder else { throw ArchiveError.needsFiles }
        var tally = tally
        let isWritten = folder.isWritten
        let status = try read { db in
            try AccountStatus.read(account, folder: folder, isWritten: isWritten, tally: &tally, db)
        }
        return (status, tally)
    }
}

extension AccountReader {
    /// Returns the names of the account's own person that its owner has given.
    package func ownNames(from source: OwnNameSource) throws -> [String] {
        try read { db in
            guard let file = db.file else { return [] }
            return try OwnNames.read(source, file)
        }
    }

    /// Returns the present names of the rooms.
    package func roomNames() throws -> [String] {
        try read { db in try NamedRoom.readAll(account, db).map(\.name) }
    }
}
