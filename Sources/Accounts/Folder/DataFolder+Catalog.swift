import Bytes
package import ChatModel
import Files
import Schema

/// Reads accounts from the catalog.
extension DataFolder {
    /// Returns a summary of each account. Cold accounts stay cold.
    ///
    /// - Throws: ``ArchiveError`` if there are accounts, and none can be read.
    package func summaries() throws -> [AccountSummary] {
        var summaries: [AccountSummary] = []
        let (entries, unlisted) = try listed()
        var errors = unlisted
        for entry in entries {
            do {
                summaries.append(try summary(entry))
            } catch let error as ArchiveError {
                errors.append((entry.account.name, error))
            }
        }
        if summaries.isEmpty, let error = errors.first?.error { throw error }
        report(errors)
        return summaries
    }

    package func summary(_ entry: Catalog.Entry) throws -> AccountSummary {
        if let cold = entry.cold { return AccountSummary(entry, cold, in: folder(of: entry)) }
        let isInUse = FileLock.isHeld(folder(of: entry).lock)
        let reader = try openReader(entry, isUse: false)
        let folder = reader.file?.folder ?? folder(of: entry)
        var summary = try reader.read { db in try AccountSummary.read(reader.account, in: folder, db) }
        (summary.isInUse, summary.usedAt) = (isInUse, entry.usedAt)
        return summary
    }

    /// Returns every account folder with its catalog entry, in any state. With a damaged or missing catalog every entry
    /// is nil. Creates nothing.
    ///
    /// - Throws: ``ArchiveError`` if the catalog or a folder can't be read at present, so that no file is reported as
    ///   missing.
    package func checked() throws -> [(folder: AccountFolder, entry: Catalog.Entry?, file: String)] {
        var known: [String: Catalog.Entry] = [:]
        do {
            for entry in try catalog.isThere ? catalog.entries() : [] { known[entry.directory] = entry }
        } catch let error as ArchiveError where error.code == .corrupt {}
        let directories = try accountDirectories()
        let names = Set(directories.compactMap { known[$0].map { ExactString($0.account.name) } })
        let missing = known.values.filter { entry in
            !directories.contains(entry.directory) && !names.contains(ExactString(entry.account.name))
        }
        return try missing.map { (folder(of: $0), $0, folder(of: $0).file($0)) }
            + directories.map { directory in
                let path = accountsPath + "/" + directory
                if let entry = known[directory] { return (folder(of: entry), entry, folder(of: entry).file(entry)) }
                do {
                    let found = try AccountFolder.found(at: path)
                    return (found.folder, nil, found.file)
                } catch let error as ArchiveError where error.code != .storage {
                    // The check of the folder reports the problem.
                    let folder = AccountFolder(path: path, generation: 1)
                    return (folder, nil, folder.database)
                }
            }
    }
}
