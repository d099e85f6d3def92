import Foundation

/// One account's folder: its lock files and its one database file, plain or compressed.
struct AccountFolder: Sendable, Hashable {
    /// `…/accounts/classroom-7f3k2a`
    let path: String
    /// Of the file that the catalog names.
    let generation: Int

    /// `classroom-7f3k2a`
    var name: String { (path as NSString).lastPathComponent }
    var lock: String { path + "/lock" }
    var writer: String { path + "/writer" }
    var database: String { "\(path)/\(generation).sqlite" }
    /// The compressed file of the same generation.
    var cold: String { database + ".zst" }

    /// Ends the name of a file that is being made.
    static let unfinished = ".tmp"

    /// The generation of a file of the account, whole or not, plain or compressed, or of one that SQLite keeps beside it;
    /// nil for others.
    static func generation(of name: String) -> Int? {
        // Not by a regular expression, which Swift (6.3) would read anew each time: a fifth of opening an account.
        let digits = name.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...9).contains(digits.count), digits.first != UInt8(ascii: "0"),
            endings.contains(name[digits.endIndex...])
        else { return nil }
        return Int(name[..<digits.endIndex])
    }

    private static let endings: Set<Substring> = Set(
        [".sqlite", ".sqlite.zst"].flatMap { file in
            ["", "-wal", "-shm", "-journal", unfinished].map { ending in Substring(file + ending) }
        })

    /// Everything in the folder.
    func names() throws(ArchiveError) -> [String] {
        try FolderEntries.names(in: path).sorted()
    }

    /// Whether nothing of a move that did not end is there, nor of an earlier file.
    ///
    /// - Parameter isCold: Whether the catalog says so.
    func isInOrder(isCold: Bool) throws(ArchiveError) -> Bool {
        let due = isCold ? [cold] : [database, database + "-wal", database + "-shm"]
        return try names().allSatisfy { name in
            Self.generation(of: name) == nil || due.contains(path + "/" + name)
        }
    }

    /// The newest whole file of a folder, by its files alone: of the same generation the plain one.
    static func found(at path: String) throws(ArchiveError) -> (folder: AccountFolder, isCold: Bool) {
        let names = try AccountFolder(path: path, generation: 0).names()
        let generations = names.filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".sqlite.zst") }
            .compactMap(generation(of:))
        guard let latest = generations.max() else {
            throw ArchiveError(code: .corrupt, detail: "\(path) has no account's file")
        }
        return (AccountFolder(path: path, generation: latest), !names.contains("\(latest).sqlite"))
    }

    /// Whether some process holds the writer's lock.
    var isWritten: Bool {
        do {
            // Held for an instant only: a writer that starts just then tries again.
            return try FileLock(path: writer, mode: .shared) == nil
        } catch {
            return false
        }
    }

    /// What SQLite may keep beside the file.
    var sidecars: [String] {
        ["-wal", "-shm", "-journal"].map { database + $0 }
    }

    /// The file and its sidecars, whether they are there or not.
    var databaseFiles: [String] {
        [database] + sidecars
    }

    /// A kill while the file was made one leaves it.
    var hasJournal: Bool { Self.size(database + "-journal") != nil }

    /// Bytes of all of them.
    var databaseBytes: Int64 {
        databaseFiles.reduce(0) { $0 + (Self.size($1) ?? 0) }
    }

    /// Bytes of a file; nil where there is none. Only looks: opening and closing a database file would drop SQLite's locks.
    static func size(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Who holds the writer's lock, as it calls itself; nil when nobody does.
    var writerName: String? {
        isWritten ? FileLock.signature(path: writer) : nil
    }

    /// The readable part of a folder's name.
    static func slug(ofDirectory name: String) -> Substring {
        name.dropLast(suffixLength + 1)
    }

    private static let suffixLength = 6

    /// A new folder's name: readable, and different from every other by its random end, whatever the account is called.
    static func newName(for account: String) -> String {
        // Crockford's base32: no letter that is read as another.
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        let suffix = (0..<suffixLength).map { _ in String(alphabet[Int.random(in: 0..<alphabet.count)]) }
        return slug(of: account) + "-" + suffix.joined()
    }

    /// Letters and digits of ASCII, the rest as `-`, at most 32: safe as a file's name, and not unique.
    static func slug(of account: String) -> String {
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
