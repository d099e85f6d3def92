import ChatModel
import Moves
import Records
import Schema

extension NamedCheck {
    static let attachments = NamedCheck(
        name: "attachments", advice: .disagrees,
        sql: """
            SELECT 'a file of message ' || \(id("message_id"))
              || ' is marked as stored, but its hash or size is missing'
            FROM \(Attachment.tables.file) WHERE state = 1 AND (file.sha256 IS NULL OR content.bytes IS NULL)
            UNION ALL
            SELECT 'a file of message ' || \(id("message_id")) || ' is marked as not stored, but has a hash'
            FROM \(Attachment.tables.file) WHERE state <> 1 AND file.sha256 IS NOT NULL
            UNION ALL
            SELECT 'a file of message ' || \(id("message_id")) || ' has the unknown state ' || state
            FROM \(Attachment.tables.file) WHERE state NOT BETWEEN 0 AND 4
            UNION ALL
            SELECT 'message ' || \(id("one.message_id")) || ' has the file ' || file.path || ' twice'
            FROM attachment AS one CROSS JOIN file ON file.id = one.file_id
              CROSS JOIN attachment AS other ON other.message_id = one.message_id AND other.id > one.id
              CROSS JOIN file AS second ON second.id = other.file_id
            WHERE second.path = file.path
            UNION ALL
            SELECT printf('file %d belongs to no message and no picture', id)
            FROM file WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = file.id) AND NOT \(FactTable.hasPicture)
            UNION ALL
            SELECT 'the content ' || sha256 || ' belongs to no file'
            FROM content WHERE NOT EXISTS (SELECT 1 FROM file WHERE file.sha256 = content.sha256)
            """)
}
