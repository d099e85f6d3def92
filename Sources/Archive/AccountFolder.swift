import Foundation

/// One account's folder: its lock files and its one database file.
struct AccountFolder: Sendable, Hashable {
    /// `…/accounts/classroom-7f3k2a`
    let path: String

    var lock: String { path + "/lock" }
    var writer: String { path + "/writer" }
    /// Generation 1; evicting and restoring will make others.
    var database: String { path + "/1.sqlite" }

    /// Whether some process holds the writer's lock.
    var isWritten: Bool {
        do {
            // Held for an instant only: a writer that starts just then tries again.
            return try FileLock(path: writer, mode: .shared) == nil
        } catch {
            return false
        }
    }

    /// The file and what SQLite keeps beside it while it is in use.
    var databaseFiles: [String] {
        ["", "-wal", "-shm"].map { database + $0 }
    }

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

    /// The readable part of the folder's name.
    var slug: Substring {
        path.split(separator: "/").last?.dropLast(Self.suffixLength + 1) ?? ""
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
