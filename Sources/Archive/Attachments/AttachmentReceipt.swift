import Accounts
package import ChatModel
import Dispatch
import Files
import Records
import Writing

/// Receives one file on a separate queue, because a disk may block for seconds and Swift's shared threads must not
/// block.
package final class AttachmentReceipt: AttachmentReceiver, @unchecked Sendable {
    // @unchecked: `file` and `tag` are touched only on `queue`.
    private let queue = DispatchQueue(label: "attachment")
    private let writer: AccountWriter
    private let folder: AttachmentFolder
    private let path: String
    package let part: AttachmentPart?
    private var file: PartFile?
    private var tag: String?

    init(_ path: String, writer: AccountWriter, part: AttachmentPart?) {
        (self.path, self.writer, self.part) = (path, writer, part)
        folder = AttachmentFolder(of: writer.folder)
    }

    private var partPath: String { folder.part(ofPath: path) }

    package func begin(at offset: Int64, tag: String?, total: Int64?) async throws {
        // Deletes the part's row before its bytes change, so that the old tag does not describe new bytes after a
        // crash.
        if offset == 0, part != nil { try await writer.notePart(nil, of: path) }
        try await writer.requireRoom(for: max(0, (total ?? offset) - offset))
        try await runBlocking {
            try self.folder.makeUnfinished()
            self.file = nil
            self.file = try PartFile(path: self.partPath, keeping: offset, total: total)
            self.tag = tag
        }
    }

    package func write(_ bytes: [UInt8]) async throws {
        try await runBlocking { try self.file?.write(bytes) }
    }

    package func finish(at now: Timestamp) async throws {
        // The service may not have told the size.
        let size = try await runBlocking { self.file?.size ?? 0 }
        try await writer.requireSize(for: size)
        let digest = try await runBlocking {
            guard let file = self.file else { preconditionFailure("a file that was not begun") }
            let digest = try file.synchronize()
            self.file = nil
            try self.folder.take(self.partPath, as: digest)
            return digest
        }
        try await writer.write { [path, folder] db in
            // The same content may just have been deleted with its last message.
            guard folder.has(digest) else {
                throw ArchiveError(code: .storage, detail: "a file was deleted while it was fetched again")
            }
            try AttachmentBook.store(path, digest, at: now.microseconds, db)
        }
    }

    /// Keeps the part for a later attempt. If that fails, the next writer removes it.
    package func keep() async {
        let kept = try? await runBlocking {
            defer { self.file = nil }
            guard let tag = self.tag, let size = try self.file?.synchronize().size, size > 0 else {
                return AttachmentPart?.none
            }
            return AttachmentPart(size: size, tag: tag)
        }
        guard let part = kept else { return await discard() }
        try? await writer.notePart(part, of: path)
    }

    package func discard() async {
        if part != nil { try? await writer.notePart(nil, of: path) }
        try? await runBlocking {
            self.file = nil
            try FolderEntries.remove(self.partPath)
        }
    }

    private func runBlocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await queue.runBlocking(body)
    }
}
