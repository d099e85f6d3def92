import Files
import Glibc
import Moves
import Records
import SQLite
import Schema

/// Compares files with the rows of `content`, and reads each file in full.
struct AttachmentCheck {
    let folder: AttachmentFolder
    /// The contents that are there in encrypted files.
    var encrypted: Set<FileDigest> = []

    /// The rows of a page. Each page is one short statement, so that checkpoints don't wait for the disk.
    private static let rows = 500

    /// Returns a sentence for each problem, at most ``NamedCheck/shown``, and the number of further ones.
    func run(_ db: Database, progress: (Double) -> Void) throws -> [String] {
        var (sentences, wrong, done) = ([String](), 0, 0)
        let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM content") ?? 0
        var last = ""
        while true {
            let found = try db.all(
                sql: """
                    SELECT sha256, bytes FROM content WHERE sha256 > ? ORDER BY sha256 LIMIT \(Self.rows)
                    """,
                arguments: [last]
            ) { try FileDigest(sha256: $0.value(0), size: $0.value(1) ?? -1) }
            guard !found.isEmpty else { break }
            for due in found {
                last = due.sha256
                if let sentence = problem(with: due) {
                    wrong += 1
                    if sentences.count < NamedCheck.shown { sentences.append(sentence) }
                }
                done += 1
                progress(Double(done) / Double(max(done, total)))
            }
        }
        return sentences + (wrong > sentences.count ? ["and \(wrong - sentences.count) more"] : [])
    }

    private func problem(with due: FileDigest) -> String? {
        if encrypted.contains(due) { return nil }
        guard let file = folder.file(due.sha256) else { return "a file has the invalid hash '\(due.sha256)'" }
        guard let size = FolderEntries.size(of: file) else { return "\(file) is missing" }
        guard size == due.size else { return "\(file) has \(size) bytes, not \(due.size) as stored" }
        do {
            return try FileDigest(of: file) == due ? nil : "\(file) was changed: its hash differs from the stored one"
        } catch {
            return "\(file) can't be read: \(error)"
        }
    }
}

/// The files of a folder that no message has: a killed import or another program left them.
struct OrphanedFiles {
    let folder: AttachmentFolder
    /// True while processes use the account. They may be storing the messages of the newest files.
    let isInUse: Bool

    /// The age from which a file of an account in use counts, in seconds: an import stores the messages of 10,000 files
    /// after the files.
    private static let leastAge = 3600

    /// Returns the paths of the files, sorted, except those that the next writer removes.
    func find(_ db: Database) throws -> [String] {
        // A file may get its message after the list is made, but not lose it.
        let files = try folder.hashes()
        let known = try AttachmentCopy.contents(db).union(String.fetchAll(db, sql: "SELECT sha256 FROM content_gone"))
        return paths(of: files, besides: known).filter(isOld)
    }

    private func paths(of files: [String], besides known: Set<String>) -> [String] {
        files.filter { !known.contains($0) }.sorted().compactMap(folder.file)
    }

    /// Removes the files, and the parts of files that can't be resumed.
    ///
    /// - Returns: The number of removed files, without parts.
    func remove(_ db: Database) throws -> Int {
        try AttachmentBook.removeUnfinished(folder, db)
        let files = try paths(of: folder.hashes(), besides: AttachmentCopy.contents(db))
        for file in files { try FolderEntries.remove(file) }
        for folder in Set(files.map(\.parentFolder)) { try FolderEntries.synchronize(folder) }
        return files.count
    }

    private func isOld(_ file: String) -> Bool {
        guard isInUse else { return true }
        var status = stat()
        return stat(file, &status) == 0 && time(nil) - status.st_mtim.tv_sec >= Self.leastAge
    }
}

extension NamedCheck {
    /// Checks that every stored file exists and has its original content.
    ///
    /// - Parameter encrypted: The contents that are there in encrypted files.
    static func files(in folder: AttachmentFolder, encrypted: Set<FileDigest> = []) -> NamedCheck {
        NamedCheck(
            name: "files", advice: .fetch,
            search: { db, progress in
                try AttachmentCheck(folder: folder, encrypted: encrypted).run(db, progress: progress)
            })
    }

    /// Checks that a message has every file of the folder.
    static func orphans(_ files: OrphanedFiles) -> NamedCheck {
        NamedCheck(
            name: orphans, advice: .orphans,
            search: { db, _ in
                let found = try files.find(db)
                let more = found.count > shown ? ["and \(found.count - shown) more"] : []
                return found.prefix(shown).map { "no message has \($0)" } + more
            })
    }

    static let orphans = "orphaned_files"
}
