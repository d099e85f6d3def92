import Accounts
import ChatModel
import Files
import FoundationEssentials
import Glibc
package import Reading

/// Stores the files of an import in an account's folder, each under the SHA-256 of its bytes.
///
/// The rows of `content` follow later, with the messages: a crash in between leaves a file that the same import finds
/// again, or that `archive check --fix` removes. The import removes files that no message got
/// (``AccountWriter/dropUnused(files:)``).
package struct ImportedFileStore: Sendable {
    private let folder: AttachmentFolder
    /// Requires that the account may grow by a number of bytes.
    private let requireRoom: @Sendable (Int64) throws -> Void
    /// Keeps `archive check --fix` from taking the files for ones that no message has.
    private let lock: FileLock?

    /// Creates the store for the files of an import into an account, which must exist.
    package init(of account: String, in reading: ArchiveReading) throws {
        let limits = reading.dataFolder?.limits ?? StorageLimits()
        let store = try reading.collect(in: .accounts([account]), into: ImportedFileStore?.none) { store, reader in
            store = reader.file.map { ImportedFileStore(reader.account.name, $0.folder, limits, lock: $0.useLock) }
        }.result
        guard let store else { throw ArchiveError(code: .unknownAccount, detail: "no account \"\(account)\"") }
        self = store
    }

    private init(_ account: String, _ folder: AccountFolder, _ limits: StorageLimits, lock: FileLock?) {
        self.folder = AttachmentFolder(of: folder)
        self.lock = lock
        requireRoom = { bytes in
            // By the files, because the rows of this import's files follow later.
            try folder.requireRoom(for: bytes, of: account, limits) { try folder.size() }
        }
    }

    /// The limit of attempts to store a file. A listener that starts removes incomplete files, and so this import's.
    private static let attempts = 3

    /// Stores a file unless the account has it. Reads the file once for its hash, and again if it is new.
    ///
    /// - Parameter open: Opens the file. The returned function returns the next bytes; none at the end.
    /// - Returns: The SHA-256 and the number of the file's bytes.
    /// - Throws: ``ArchiveError`` with `storage` if the file would fill the disk; any error of `open`.
    package func store(
        _ open: () throws -> () throws -> ArraySlice<UInt8>
    ) throws -> (sha256: String, size: Int64) {
        var meter = DigestMeter()
        let next = try open()
        while case let bytes = try next(), !bytes.isEmpty { bytes.withUnsafeBytes { meter.add($0) } }
        var digest: FileDigest? = meter.digest
        if !folder.has(meter.digest) { digest = nil }
        if digest == nil { try requireRoom(meter.size) }
        for _ in 0..<Self.attempts where digest == nil { digest = try copy(try open(), size: meter.size) }
        guard let digest else {
            throw ArchiveError(code: .storage, detail: "another process keeps removing files in \(folder.unfinished)")
        }
        return (digest.sha256, digest.size)
    }

    /// Returns nil if another process has removed the incomplete file.
    private func copy(_ next: () throws -> ArraySlice<UInt8>, size: Int64) throws -> FileDigest? {
        try folder.makeUnfinished()
        let path = folder.unfinished + "/import-" + UUID().uuidString.lowercased()
        defer { unlink(path) }
        let file = try PartFile(path: path, keeping: 0, total: size)
        while case let bytes = try next(), !bytes.isEmpty { try file.write(Array(bytes)) }
        let digest = try file.synchronize()
        guard access(path, F_OK) == 0 else { return nil }
        try folder.take(path, as: digest)
        return digest
    }
}
