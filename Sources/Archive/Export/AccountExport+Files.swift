package import ChatModel
import Foundation

/// A stored file of an account, which one or more messages have.
package struct StoredFile: Sendable, Hashable {
    /// The SHA-256 of its bytes, in hexadecimal.
    package let sha256: String
    /// The number of its bytes.
    package let size: Int64
    /// The path of the file on disk. The file may be missing if the disk lost it.
    package let path: String
}

extension AccountExport {
    /// Returns the stored files of the messages between two exclusive bounds, each once, sorted by hash. Takes 300
    /// bytes of memory a file.
    ///
    /// - Parameter rooms: The numbers of the rooms; nil for all.
    package func files(rooms: [Int64]?, after: MessageID?, before: MessageID?) throws -> [StoredFile] {
        let folder = reader.file.map { AttachmentFolder(of: $0.folder) }
        return try reader.read { db in
            try db.all(
                """
                SELECT DISTINCT content.sha256, content.bytes
                FROM attachment CROSS JOIN file ON file.id = file_id
                  JOIN content ON content.sha256 = file.sha256
                WHERE message_id > ?1 AND message_id < ?2 AND (?3 IS NULL
                  OR (SELECT room_id FROM message WHERE id = message_id) IN (SELECT value FROM json_each(?3)))
                ORDER BY content.sha256
                """,
                [.integer(after?.microseconds ?? .min), .integer(before?.microseconds ?? .max), .list(rooms)]
            ) { row in
                let (sha256, size) = try (row.text(0), row.integer(1))
                return folder?.file(sha256).map { StoredFile(sha256: sha256, size: size, path: $0) }
            }.compactMap(\.self)
        }
    }
}
