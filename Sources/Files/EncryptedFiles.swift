import Crypto
package import FoundationEssentials
import Glibc

/// The encrypted files of a backup that came with messages: `attachments/ab/cdef…-0123….age`.
///
/// The first part of a name is a hash of the content under a key that only the backed up archive has: it finds a file that
/// is there already, and tells nothing about the content. The second part is the SHA-256 of the encrypted bytes, by which
/// each file can be checked without the secret key.
package struct EncryptedFiles {
    let folder: AttachmentFolder

    package struct File: Sendable, Hashable, CustomStringConvertible {
        /// The keyed hash of the content.
        package let name: String
        /// The SHA-256 of the encrypted bytes.
        package let sha256: String

        package init(name: String, sha256: String) {
            (self.name, self.sha256) = (name, sha256)
        }

        /// Below `attachments/`.
        var entry: String { "\(name.prefix(2))/\(name.dropFirst(2))-\(sha256)\(FileSource.ending)" }

        package var description: String { entry }
    }

    package init(in folder: AttachmentFolder) { self.folder = folder }

    package func path(_ file: File) -> String { folder.path + "/" + file.entry }

    /// Returns all files, sorted by name.
    package func all() throws(ArchiveError) -> [File] {
        guard access(folder.path, F_OK) == 0 else { return [] }
        var files: [File] = []
        for start in try FolderEntries.names(in: folder.path) where start.utf8.count == 2 {
            files += try FolderEntries.names(in: folder.path + "/" + start).compactMap { Self.file(start, $0) }
        }
        return files.sorted { ($0.name, $0.sha256) < ($1.name, $1.sha256) }
    }

    private static func file(_ start: String, _ entry: String) -> File? {
        guard entry.hasSuffix(FileSource.ending) else { return nil }
        let parts = entry.dropLast(FileSource.ending.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let file = File(name: start + parts[0], sha256: String(parts[1]))
        return AttachmentFolder.isHash(file.name) && AttachmentFolder.isHash(file.sha256) ? file : nil
    }

    /// Returns the size of all files, in bytes.
    package func bytes() throws(ArchiveError) -> Int64 {
        var sum: Int64 = 0
        for file in try all() { sum += FolderEntries.size(of: path(file)) ?? 0 }
        return sum
    }

    /// Returns true if the file's encrypted bytes are as they were written.
    package func isWhole(_ file: File) throws -> Bool { try FileDigest(of: path(file)).sha256 == file.sha256 }

    /// Removes the files that the copy does not have any more.
    package func remove(except kept: Set<File>) throws {
        for file in try all() where !kept.contains(file) { try FolderEntries.remove(path(file)) }
    }

    /// Decrypts a file.
    ///
    /// - Parameter write: Receives its content.
    /// - Returns: The digest of the content.
    package func decrypt(
        _ file: File, with identities: AgeIdentities, write: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) throws -> FileDigest {
        let source = try AgeDecryption(reading: path(file), with: identities)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: OpenFile.chunk, alignment: 16)
        defer { buffer.deallocate() }
        var meter = DigestMeter()
        while true {
            let count = try source.read(into: buffer)
            guard count > 0 else { return meter.digest }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            meter.add(bytes)
            try write(bytes)
        }
    }
}

/// Makes the names of encrypted files.
package struct EncryptedFileNames {
    /// Only the backed up archive has it.
    let key: Data
    /// The epoch of the account, so that nobody can see that two accounts have the same file.
    let epoch: String
    package let recipients: AgeRecipients

    package init(key: Data, epoch: String, recipients: AgeRecipients) {
        (self.key, self.epoch, self.recipients) = (key, epoch, recipients)
    }

    /// Returns the same name for the same content and the same recipients.
    package func name(of sha256: String) -> String {
        let text = Data("\(epoch) \(recipients.digest) \(sha256)".utf8)
        return HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key)).hexadecimal
    }
}
