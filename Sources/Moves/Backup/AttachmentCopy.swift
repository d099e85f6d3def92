import Accounts
package import Files
package import SQLite

/// Copies an account's attachments that the target folder lacks. A file's name is the hash of its content, so each copy
/// can be verified, and an existing one need not be copied again.
package struct AttachmentCopy {
    let source: AttachmentFolder
    let target: AttachmentFolder
    /// The hashes of the contents that the account has.
    let contents: Set<String>
    /// Receives the progress after each file; its error ends the copy there, and the files copied so far stay.
    let progress: (BackupProgress) throws -> Void

    package init(
        source: AttachmentFolder, target: AttachmentFolder, contents: Set<String>,
        progress: @escaping (BackupProgress) throws -> Void
    ) {
        (self.source, self.target, self.contents, self.progress) = (source, target, contents, progress)
    }

    private static let spare: Int64 = 1 << 20

    /// Copies every file of the account that exists when the call begins.
    package func run() throws -> BackupReport.Files {
        var files = BackupReport.Files()
        let hashes = try source.hashes().filter(contents.contains).sorted()
        guard !hashes.isEmpty else { return files }
        try target.makeUnfinished()
        try target.removeUnfinished()
        for hash in hashes {
            guard let from = source.file(hash), let to = target.file(hash), let size = FolderEntries.size(of: from)
            else {
                continue
            }
            if FolderEntries.size(of: to) != size {
                guard try copy(from, hash, size) else {
                    files.corrupt.append(hash)
                    continue
                }
                files.added += 1
            }
            files.count += 1
            files.bytes += size
            try progress(BackupProgress(bytes: files.bytes, logGrowth: 0))
        }
        return files
    }

    /// - Returns: False if the source's content does not match its name.
    private func copy(_ from: String, _ hash: String, _ size: Int64) throws -> Bool {
        let part = target.unfinished + "/" + hash
        try FreeSpace.require(size + Self.spare, in: target.unfinished)
        let (old, new) = (try OpenFile(reading: from), try OpenFile(creating: part))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: OpenFile.chunk, alignment: 16)
        defer { buffer.deallocate() }
        var meter = DigestMeter()
        while true {
            let count = try old.read(into: buffer)
            guard count > 0 else { break }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            meter.add(bytes)
            try new.write(bytes)
        }
        guard meter.digest.sha256 == hash else {
            try FolderEntries.remove(part)
            return false
        }
        try new.synchronize()
        // Reads the copy back from the disk.
        guard try FileDigest(of: part) == meter.digest else {
            try FolderEntries.remove(part)
            throw ArchiveError(code: .backup, detail: "\(part) differs from what was written; check the disk")
        }
        try target.take(part, as: meter.digest)
        return true
    }
}

extension AttachmentCopy {
    /// Returns the hashes of the contents in an account's file.
    package static func contents(of queue: DatabaseQueue) throws -> Set<String> {
        try queue.read { db in try contents(db) }
    }

    /// Returns the hashes of the contents that an account has.
    package static func contents(_ db: Database) throws -> Set<String> {
        try Set(
            String.fetchAll(
                db,
                sql: """
                    SELECT sha256 FROM (SELECT sha256 FROM content UNION SELECT sha256 FROM file) WHERE sha256 IS NOT NULL
                    """))
    }

    /// Returns the hashes of the contents in a compressed file. Two folders with the same files have these, so the
    /// compressed file is not expanded each time.
    static func contents(
        of cold: Catalog.ColdCopy, in path: String, files: AttachmentFolder, _ others: AttachmentFolder
    ) throws -> Set<String> {
        let known = try Set(files.hashes())
        if try known == Set(others.hashes()) { return known }
        return try contents(of: PrivateCopy.open(ColdFile(path: path), expecting: cold.digest).queue)
    }
}

extension AttachmentFolder {
    /// Removes the files with other contents.
    func remove(except contents: Set<String>) throws {
        for hash in try hashes() where !contents.contains(hash) {
            if let file = file(hash) { try FolderEntries.remove(file) }
        }
    }
}
