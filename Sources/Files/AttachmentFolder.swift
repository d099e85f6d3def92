import Crypto
import FoundationEssentials
import Glibc

/// The files of an account, each named by the SHA-256 of its bytes: `attachments/ab/cdef…`. A file never changes.
///
/// An incomplete file is in `attachments/unfinished/`. The file gets its name when it is on disk, and its row the state
/// `here` after that, so a crash leaves no row without its file.
package struct AttachmentFolder: Sendable {
    /// The path of the account's folder.
    package let account: String

    /// - Parameter account: The path of the account's folder.
    package init(account: String) {
        self.account = account
    }

    package static let name = "attachments"
    package var path: String { account + "/" + Self.name }
    package var unfinished: String { path + "/unfinished" }

    /// True while the folder is a symbolic link and its target is missing, as that of a disk that is not mounted.
    package var isLinkToNothing: Bool {
        var status = stat()
        return stat(path, &status) != 0 && lstat(path, &status) == 0
    }

    /// Returns the path of a file, existing or not; nil for a text that is not a hash.
    package func file(_ sha256: String) -> String? {
        guard Self.isHash(sha256) else { return nil }
        return "\(path)/\(sha256.prefix(2))/\(sha256.dropFirst(2))"
    }

    /// Returns true if the file exists with the size of the digest.
    package func has(_ digest: FileDigest) -> Bool {
        file(digest.sha256).flatMap(FolderEntries.size) == digest.size
    }

    /// Returns the path of the partial file for a path on the network.
    package func part(ofPath path: String) -> String {
        unfinished + "/" + Self.partName(ofPath: path)
    }

    /// Returns the name of the partial file: a hash, because a path may have any characters.
    package static func partName(ofPath path: String) -> String {
        SHA256.hash(data: Data(path.utf8)).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Returns true for 64 digits and letters `a` to `f`.
    package static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    package func makeUnfinished() throws(ArchiveError) {
        for folder in [path, unfinished] { _ = try Self.make(folder) }
    }

    /// Renames a complete file, which is on disk, to its hash. Replaces an existing file of that name, which has the
    /// same bytes unless the disk has damaged it.
    package func take(_ part: String, as digest: FileDigest) throws(ArchiveError) {
        guard let file = file(digest.sha256) else {
            throw ArchiveError(code: .corrupt, detail: "\(digest.sha256) is not a SHA-256 hash")
        }
        try take(part, to: file)
    }

    /// Renames a complete file, which is on disk, to a name in a folder of `attachments`.
    package func take(_ part: String, to file: String) throws(ArchiveError) {
        let folder = file.parentFolder
        _ = try Self.make(path)
        let isNew = try Self.make(folder)
        try FolderEntries.rename(part, to: file)
        try FolderEntries.synchronize(folder)
        guard isNew else { return }
        try FolderEntries.synchronize(path)
        try FolderEntries.synchronize(account)
    }

    /// Creates a folder.
    ///
    /// - Returns: True if it was missing.
    private static func make(_ folder: String) throws(ArchiveError) -> Bool {
        guard mkdir(folder, 0o700) != 0 else { return true }
        guard errno == EEXIST else { throw ArchiveError(path: folder, errno: errno) }
        return false
    }

    /// Removes the partial files.
    ///
    /// - Parameter kept: The names of partial files that can be resumed.
    package func removeUnfinished(but kept: Set<String> = []) throws(ArchiveError) {
        guard access(unfinished, F_OK) == 0 else { return }
        for name in try FolderEntries.names(in: unfinished) where !kept.contains(name) {
            try FolderEntries.remove(unfinished + "/" + name)
        }
    }

    /// Returns the size of all files, in bytes.
    package func bytes() throws(ArchiveError) -> Int64 {
        var sum: Int64 = 0
        for hash in try hashes() { sum += file(hash).flatMap(FolderEntries.size) ?? 0 }
        return sum
    }

    /// Returns the hashes in the files' names, in no order.
    package func hashes() throws(ArchiveError) -> [String] {
        guard access(path, F_OK) == 0 else { return [] }
        var hashes: [String] = []
        for folder in try FolderEntries.names(in: path) where folder.utf8.count == 2 {
            hashes += try FolderEntries.names(in: path + "/" + folder).map { folder + $0 }.filter(Self.isHash)
        }
        return hashes
    }
}
