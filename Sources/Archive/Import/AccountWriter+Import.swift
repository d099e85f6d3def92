import Accounts
package import ChatModel
import Files
import Schema
import Writing

extension AccountWriter {
    /// Stores the lines of a log or an export that are not stored yet, in one transaction.
    ///
    /// - Parameter marksRead: True if the messages count as read from their arrival.
    /// - Throws: ``ArchiveError``; does not wait while the disk has trouble.
    package func importLines(
        _ lines: [ImportedLine], marksRead: Bool = false, at now: Timestamp
    ) async throws -> ImportTally {
        let lines = lines.knowingFiles(in: AttachmentFolder(of: folder))
        if !lines.isEmpty { try await requireRoom(for: Int64(lines.count) * Self.messageBytes) }
        return try await use { try await $0.importLines(lines, marksRead: marksRead, at: now) }
    }

    /// Returns the minutes that imports have read from the file; nil if the connection has written nothing yet.
    package func importMemory() async throws -> ImportMemory? {
        try await use { try await $0.importMemory() }
    }

    /// Restores the minutes that an import read before the file was closed, so that the next one need not read them
    /// again.
    package func resume(_ memory: ImportMemory) async throws {
        try await use { try await $0.resume(memory) }
    }
}
