import Accounts
package import ChatModel
import Files
import Schema

/// A stored file of an account, which one or more messages have under the same name.
package struct StoredFile: Sendable, Hashable {
    /// The name that messages give it.
    package let name: String
    /// The SHA-256 of its bytes, in hexadecimal.
    package let sha256: String
    /// The number of its bytes.
    package let size: Int64
    /// The path of the file on disk. The file may be missing if the disk lost it.
    package let path: String
}

extension AccountExport {
    /// Returns the stored files of the messages between two exclusive bounds, each once under each of its paths on the
    /// network, sorted by hash. Takes 300 bytes of memory a file, and the name.
    ///
    /// - Parameters:
    ///   - rooms: The numbers of the rooms; nil for all.
    ///   - withPictures: True to add the pictures that the people who wrote there had at that time.
    package func files(
        rooms: [Int64]?, after: MessageID?, before: MessageID?, withPictures: Bool = false
    ) throws -> [StoredFile] {
        let folder = reader.file.map { AttachmentFolder(of: $0.folder) }
        return try reader.read { db in
            try db.all(
                """
                SELECT DISTINCT content.sha256, content.bytes, file.path
                FROM attachment \(.crossJoin) file ON file.id = file_id
                  JOIN content ON content.sha256 = file.sha256
                WHERE message_id > ?1 AND message_id < ?2 AND (?3 IS NULL
                  OR (SELECT room_id FROM message WHERE id = message_id) \(.among(3)))
                UNION SELECT content.sha256, content.bytes, file.path
                FROM user_picture AS p JOIN file ON file.path = p.path JOIN content ON content.sha256 = file.sha256
                WHERE ?4 = 1 AND (?3 IS NULL OR p.user_id IN (
                    SELECT sender_id FROM sender_count WHERE room_id \(.among(3))))
                  AND (p.first_seen_us < ?2 AND (p.last_seen_us IS NULL OR p.last_seen_us > ?1) OR p.first_seen_us = (
                    SELECT min(first_seen_us) FROM user_picture WHERE user_id = p.user_id))
                ORDER BY 1, 3
                """,
                [
                    .integer(after?.microseconds ?? .min), .integer(before?.microseconds ?? .max), .list(rooms),
                    .bool(withPictures),
                ]
            ) { row in
                let (sha256, size) = try (row.text(0), row.integer(1))
                let name = try Attachment(path: row.text(2)).name
                return folder?.file(sha256).map { StoredFile(name: name, sha256: sha256, size: size, path: $0) }
            }.compactMap(\.self)
        }
    }

    /// Returns the path on disk of a stored file, which the disk may have lost; nil for a text that is not a hash, and
    /// in a shared archive, which has no files.
    package func path(ofFile sha256: String) -> String? {
        reader.file.flatMap { AttachmentFolder(of: $0.folder).file(sha256) }
    }
}
