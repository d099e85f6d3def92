import Accounts
package import ChatModel
import Files
import Records
import SQLite
import Schema
import Writing

extension AccountWriter: AttachmentStore {
    package func wantedAttachments(
        isRequestedOnly: Bool, at now: Timestamp, limit: Int
    ) async throws -> [WantedAttachment] {
        try await read { db in
            try AttachmentBook.wanted(isRequestedOnly: isRequestedOnly, at: now.microseconds, limit: limit, db)
        }
    }

    package func nextAttachmentTry() async throws -> Timestamp? {
        try await read { db in try AttachmentBook.nextTry(db) }.map(Timestamp.init(microseconds:))
    }

    package func raiseAttachmentLimit(to limit: Int64) async throws {
        try await write { db in try AttachmentBook.raiseLimit(to: limit, db) }
    }

    package func receiveAttachment(_ path: String) async throws -> any AttachmentReceiver {
        let part = try await read { db in try AttachmentBook.part(ofPath: path, db) }
        let there = FolderEntries.size(of: AttachmentFolder(of: folder).part(ofPath: path)) ?? 0
        return AttachmentReceipt(path, writer: self, part: part.flatMap { $0.size <= there ? $0 : nil })
    }

    package func noteAttachment(_ path: String, _ failure: AttachmentFailure, at now: Timestamp) async throws {
        try await write { db in try AttachmentBook.fail(path, failure, at: now.microseconds, db) }
    }

    package func attachmentUpdates() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        sendAttachmentUpdates(continuation)
        return stream
    }

    /// Returns the hashes of files that are missing or incomplete, although their rows have the state `here`.
    private func lostFiles() async throws -> [String] {
        let there = try await read { db in
            try db.all(sql: "SELECT sha256, bytes FROM content") {
                try FileDigest(sha256: $0.value(0) ?? "", size: $0.value(1) ?? -1)
            }
        }
        let folder = AttachmentFolder(of: folder)
        return there.filter { !folder.has($0) }.map(\.sha256)
    }

    /// Requests the files that are not here. They are then fetched even if the configuration says otherwise.
    ///
    /// - Parameters:
    ///   - room: The number of a room; nil for all rooms.
    ///   - after: The exclusive lower bound of the messages; nil for none.
    ///   - before: The exclusive upper bound of the messages; nil for none.
    ///   - limit: The largest file to fetch, in bytes; nil keeps the limit that applied.
    /// - Returns: The number of files that are still missing.
    package func requestAttachments(
        room: Int64?, after: MessageID?, before: MessageID?, limit: Int64?
    ) async throws -> Int {
        let lost = try await lostFiles()
        let count = try await write { db in
            try AttachmentBook.markMissing(lost, db)
            return try AttachmentBook.request(
                room: room, after: after?.microseconds ?? .min, before: before?.microseconds ?? .max, limit: limit, db)
        }
        sendAttachmentUpdates()
        return count
    }

    /// Removes the files of an import that no message has, because none of their messages was stored.
    ///
    /// - Returns: The hashes of the removed files.
    package func dropUnused(files: [String]) async throws -> [String] {
        let dropped = try await write { db in try GoneContents.note(unused: files, db) }
        guard !dropped.isEmpty else { return [] }
        let folder = AttachmentFolder(of: folder)
        try await read { db in try GoneContents.delete(from: folder, db) }
        return dropped
    }

    func notePart(_ part: AttachmentPart?, of path: String) async throws {
        try await write { db in try AttachmentBook.note(part, ofPath: path, db) }
    }
}
