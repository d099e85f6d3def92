import Crypto
import Foundation

/// The files of an account, each under the SHA-256 of its bytes: `attachments/ab/cdef…`. None is ever changed.
///
/// One that is not whole yet is in `attachments/unfinished/`. It gets its name once it is on disk, and the archive says that
/// it is here after that: a kill leaves no row without its file.
struct AttachmentFolder: Sendable {
    /// Of the account.
    let account: String

    init(of folder: AccountFolder) {
        account = folder.path
    }

    /// - Parameter account: The path of its folder.
    init(account: String) {
        self.account = account
    }

    static let name = "attachments"
    var path: String { account + "/" + Self.name }
    var unfinished: String { path + "/unfinished" }

    /// Where a file is, or will be. Nil for what is no hash.
    func file(_ sha256: String) -> String? {
        guard Self.isHash(sha256) else { return nil }
        return "\(path)/\(sha256.prefix(2))/\(sha256.dropFirst(2))"
    }

    /// Where a file of the network is put together.
    func part(ofPath path: String) -> String {
        unfinished + "/" + Self.partName(ofPath: path)
    }

    /// Whatever a path has in it, this is a file's name.
    static func partName(ofPath path: String) -> String {
        SHA256.hash(data: Data(path.utf8)).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// 64 digits and letters `a` to `f`.
    static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    func makeUnfinished() throws(ArchiveError) {
        for folder in [path, unfinished] { _ = try Self.make(folder) }
    }

    /// Gives a file that is whole and on disk its name. Where there is one of that name, it takes its place: it is the same,
    /// unless the disk has spoilt it.
    func take(_ part: String, as digest: FileDigest) throws(ArchiveError) {
        guard let file = file(digest.sha256) else {
            throw ArchiveError(code: .corrupt, detail: "\(digest.sha256) is no hash")
        }
        let folder = (file as NSString).deletingLastPathComponent
        _ = try Self.make(path)
        let isNew = try Self.make(folder)
        try FolderEntries.rename(part, to: file)
        try FolderEntries.synchronize(folder)
        guard isNew else { return }
        try FolderEntries.synchronize(path)
        try FolderEntries.synchronize(account)
    }

    /// - Returns: whether it was not there.
    private static func make(_ folder: String) throws(ArchiveError) -> Bool {
        guard mkdir(folder, 0o700) != 0 else { return true }
        guard errno == EEXIST else { throw ArchiveError(path: folder, errno: errno) }
        return false
    }

    /// Removes what is not whole.
    ///
    /// - Parameter kept: Names of what may be gone on with.
    func removeUnfinished(but kept: Set<String> = []) throws(ArchiveError) {
        guard access(unfinished, F_OK) == 0 else { return }
        for name in try FolderEntries.names(in: unfinished) where !kept.contains(name) {
            try FolderEntries.remove(unfinished + "/" + name)
        }
    }

    /// The hash of each file that has one for a name, in no order.
    func hashes() throws(ArchiveError) -> [String] {
        guard access(path, F_OK) == 0 else { return [] }
        var hashes: [String] = []
        for folder in try FolderEntries.names(in: path) where folder.utf8.count == 2 {
            hashes += try FolderEntries.names(in: path + "/" + folder).map { folder + $0 }.filter(Self.isHash)
        }
        return hashes
    }
}
