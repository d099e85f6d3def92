package import ChatModel
import Files
import FoundationEssentials
import Glibc
import Schema

/// One account's folder: its lock files and its one database file, plain or compressed.
package struct AccountFolder: Sendable, Hashable {
    /// `…/accounts/classroom-7f3k2a`
    package let path: String
    /// The number of the file that the catalog names.
    package let generation: Int

    package init(path: String, generation: Int) {
        (self.path, self.generation) = (path, generation)
    }

    /// `classroom-7f3k2a`
    package var name: String { path.lastName }
    package var lock: String { path + "/lock" }
    package var writer: String { path + "/writer" }
    package var database: String { "\(path)/\(generation).sqlite" }
    /// The compressed file of the same generation.
    package var cold: String { database + ".zst" }
    /// The compressed file of the same generation, encrypted.
    package var encrypted: String { cold + FileSource.ending }

    /// Returns the path of the account's one file.
    package func file(_ entry: Catalog.Entry) -> String {
        entry.cold.map(file) ?? database
    }

    package func file(_ copy: Catalog.ColdCopy) -> String {
        copy.encryption == nil ? cold : encrypted
    }

    /// The suffix of a file that is not complete yet.
    package static let unfinished = ".tmp"

    /// Returns the generation in the name of an account's file, complete or not, plain or compressed, or of one of
    /// SQLite's sidecars; nil for other names.
    static func generation(of name: String) -> Int? {
        // Avoids a regular expression: Swift 6.3 would compile it each time, which takes a fifth of the time of opening
        // an account.
        let digits = name.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...9).contains(digits.count), digits.first != UInt8(ascii: "0"),
            endings.contains(name[digits.endIndex...])
        else { return nil }
        return Int(name[..<digits.endIndex])
    }

    /// The endings of an account's file: plain, compressed, encrypted.
    private static let ownEndings = [".sqlite", ".sqlite.zst", ".sqlite.zst.age"]

    private static let endings: Set<Substring> = Set(
        ownEndings.flatMap { file in
            ["", "-wal", "-shm", "-journal", unfinished, unfinished + "-journal"].map { ending in
                Substring(file + ending)
            }
        })

    /// Returns the names of all files in the folder, sorted.
    func names() throws(ArchiveError) -> [String] {
        try FolderEntries.names(in: path).sorted()
    }

    /// Returns true if the folder has no leftovers of an interrupted move or of an earlier generation.
    ///
    /// - Parameter entry: The account's entry in the catalog.
    func isInOrder(_ entry: Catalog.Entry) throws(ArchiveError) -> Bool {
        let due = entry.cold.map { [file($0)] } ?? [database, database + "-wal", database + "-shm"]
        return try names().allSatisfy { name in
            Self.generation(of: name) == nil || due.contains(path + "/" + name)
        }
    }

    /// Finds the newest whole file of a folder without the catalog. Prefers the plain file when a generation has
    /// several.
    static func found(at path: String) throws(ArchiveError) -> (folder: AccountFolder, file: String) {
        let names = try AccountFolder(path: path, generation: 0).names()
        let generations = names.filter { name in ownEndings.contains(where: name.hasSuffix) }
            .compactMap(generation(of:))
        guard let latest = generations.max() else {
            throw ArchiveError(code: .corrupt, detail: "\(path) has no account file")
        }
        let folder = AccountFolder(path: path, generation: latest)
        let files = [folder.database, folder.cold, folder.encrypted]
        return (folder, files.first { names.contains($0.lastName) } ?? folder.database)
    }

    /// True if a process holds the writer's lock.
    package var isWritten: Bool {
        do {
            // Holds the shared lock for an instant only. A writer that starts at that instant retries.
            return try FileLock(path: writer, mode: .shared) == nil
        } catch {
            return false
        }
    }

    /// The files that SQLite may keep beside the database file.
    var sidecars: [String] {
        ["-wal", "-shm", "-journal"].map { database + $0 }
    }

    /// The database file and its sidecars, existing or not.
    package var databaseFiles: [String] {
        [database] + sidecars
    }

    /// True if the file has a rollback journal, which a crash leaves while the file is sealed.
    package var hasJournal: Bool { FolderEntries.size(of: database + "-journal") != nil }

    /// The size of the database file and its sidecars, in bytes.
    package var databaseBytes: Int64 {
        databaseFiles.reduce(0) { $0 + (FolderEntries.size(of: $1) ?? 0) }
    }

    /// The name that the holder of the writer's lock wrote into the lock file; nil if no process holds the lock.
    package var writerName: String? {
        isWritten ? FileLock.signature(path: writer) : nil
    }

    /// Returns the readable part of a folder's name.
    package static func slug(ofDirectory name: String) -> Substring {
        name.dropLast(suffixLength + 1)
    }

    private static let suffixLength = 6

    /// True for a text that ``newName(for:)`` may return.
    package static func isName(_ name: String, of account: String) -> Bool {
        let start = slug(of: account) + "-"
        let suffix = name.dropFirst(start.count)
        return name.hasPrefix(start) && suffix.utf8.count == suffixLength && slug(of: String(suffix)) == suffix
    }

    /// Returns a name for a new folder: a readable part and a random suffix, so that different accounts never get the
    /// same name.
    package static func newName(for account: String) -> String {
        // Crockford's base32 alphabet, which has no letters that look alike.
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        let suffix = (0..<suffixLength).map { _ in String(alphabet[Int.random(in: 0..<alphabet.count)]) }
        return slug(of: account) + "-" + suffix.joined()
    }

    /// Returns the ASCII letters in lower case and the digits of a name, and `-` for each other byte, up to 32 bytes.
    /// Safe as a file name, but not unique.
    package static func slug(of account: String) -> String {
        let safe = account.utf8.prefix(32).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
            default: UInt8(ascii: "-")
            }
        }
        return String(decoding: safe, as: UTF8.self)
    }
}

extension AccountFolder {
    /// Creates the folder with an empty file for the account, and writes both to disk.
    package func create(for account: AccountIdentity) throws {
        try FolderEntries.make(path)
        try ArchiveError.wrapping(database) {
            let bytes = try NewAccountFile.bytes(for: account)
            // The mode is 0600 for every umask; SQLite gives its sidecars the same mode.
            let file = try OpenFile(creating: database)
            try bytes.withUnsafeBytes { try file.write($0) }
            guard uninterrupted({ fsync(file.descriptor) }) == 0 else {
                throw ArchiveError(path: database, errno: errno)
            }
        }
        try FolderEntries.synchronize(path)
    }
}

extension AttachmentFolder {
    package init(of folder: AccountFolder) { self.init(account: folder.path) }
}

extension EncryptedFiles {
    package init(of folder: AccountFolder) { self.init(in: AttachmentFolder(of: folder)) }
}
