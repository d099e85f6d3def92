import Files

/// Copies an account's files that came with messages into an encrypted backup, or out of it.
struct EncryptedAttachmentCopy {
    let source: AttachmentFolder
    let target: AttachmentFolder
    /// Receives the progress after each file; its error ends the copy there, and the files copied so far stay.
    let progress: (BackupProgress) throws -> Void

    private static let spare: Int64 = 1 << 20

    /// The files in an encrypted copy.
    struct Result {
        var files = BackupReport.Files()
        var kept: Set<EncryptedFiles.File> = []
    }

    /// Encrypts every plain file with one of the contents that the target lacks.
    func encrypt(_ contents: Set<String>, _ names: EncryptedFileNames) throws -> Result {
        let hashes = try source.hashes().filter(contents.contains).sorted()
        return try eachFile(hashes, size: { source.file($0).flatMap(FolderEntries.size) }) { hash, present in
            if let file = present[names.name(of: hash)] { return (file, isNew: false) }
            return try encrypt(hash, names).map { ($0, isNew: true) }
        }
    }

    /// Copies every encrypted file that the target lacks, as it is.
    func copyEncrypted() throws -> Result {
        let files = EncryptedFiles(in: source)
        let all = try files.all()
        return try eachFile(all, size: { FolderEntries.size(of: files.path($0)) }) { file, present in
            if present[file.name] == file { return (file, isNew: false) }
            return try write(nil) {
                try OpenFile(reading: files.path(file)).readAll($0)
            } name: { written in
                written.sha256 == file.sha256 ? file.name : nil
            }.map { ($0, isNew: true) }
        }
    }

    /// Decrypts every encrypted file.
    func decrypt(with identities: AgeIdentities) throws -> BackupReport.Files {
        let files = EncryptedFiles(in: source)
        return try eachFile(files.all(), size: { FolderEntries.size(of: files.path($0)) }) { file, _ in
            guard try files.isWhole(file) else { return nil }
            let part = target.unfinished + "/" + file.name
            let new = try OpenFile(creating: part)
            let digest = try files.decrypt(file, with: identities) { try new.write($0) }
            try new.synchronize()
            try target.take(part, as: digest)
            return (file, isNew: true)
        }.files
    }

    /// - Parameter copy: Returns the copy, and whether it was missing; nil if the file is damaged.
    private func eachFile<Name>(
        _ names: [Name], size: (Name) -> Int64?,
        _ copy: (Name, [String: EncryptedFiles.File]) throws -> (EncryptedFiles.File, isNew: Bool)?
    ) throws -> Result {
        var result = Result()
        guard !names.isEmpty else { return result }
        try target.makeUnfinished()
        try target.removeUnfinished()
        let present = Dictionary(try EncryptedFiles(in: target).all().map { ($0.name, $0) }) { $1 }
        for name in names {
            // Removed meanwhile.
            guard let size = size(name) else { continue }
            try FreeSpace.require(size + Self.spare, in: target.unfinished)
            guard let (file, isNew) = try copy(name, present) else {
                result.files.corrupt.append(String(describing: name))
                continue
            }
            result.kept.insert(file)
            result.files.count += 1
            result.files.bytes += size
            result.files.added += isNew ? 1 : 0
            try progress(BackupProgress(bytes: result.files.bytes, logGrowth: 0))
        }
        return result
    }

    /// - Returns: Nil if the source's content does not match its name.
    private func encrypt(_ hash: String, _ names: EncryptedFileNames) throws -> EncryptedFiles.File? {
        guard let from = source.file(hash) else { return nil }
        var meter = DigestMeter()
        return try write(names.recipients) { add in
            try OpenFile(reading: from).readAll { bytes in
                meter.add(bytes)
                try add(bytes)
            }
        } name: { _ in
            meter.digest.sha256 == hash ? names.name(of: hash) : nil
        }
    }

    /// Writes a file and reads it back from the disk.
    ///
    /// - Parameter name: Returns the first part of its name; nil to give the file up.
    private func write(
        _ recipients: AgeRecipients?, _ fill: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void,
        name: (FileDigest) -> String?
    ) throws -> EncryptedFiles.File? {
        let part = target.unfinished + "/copy"
        let new = try NewFile(part, to: recipients)
        do {
            try fill { try new.write($0) }
            let written = try new.finish()
            guard let name = name(written) else {
                try FolderEntries.remove(part)
                return nil
            }
            guard try FileDigest(of: part) == written else {
                throw ArchiveError(code: .backup, detail: "\(part) differs from what was written; check the disk")
            }
            let file = EncryptedFiles.File(name: name, sha256: written.sha256)
            try target.take(part, to: EncryptedFiles(in: target).path(file))
            return file
        } catch {
            try? FolderEntries.remove(part)
            throw error
        }
    }
}
