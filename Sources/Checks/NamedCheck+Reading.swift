import Moves

extension NamedCheck {
    static let readingChecks = [
        NamedCheck(
            name: "late_messages", advice: .disagrees,
            sql: """
                SELECT printf('message %s is listed as late with change %d, which is another change',
                  \(id("message_id")), seq)
                FROM late
                WHERE NOT EXISTS (SELECT 1 FROM change WHERE seq = late.seq AND what IN (0, 13) AND subject_id = message_id)
                UNION ALL
                SELECT printf('message %s is listed as late in room %d, but is in room %d', \(id("message_id")),
                  late.room_id, message.room_id)
                FROM late JOIN message ON message.id = message_id WHERE message.room_id <> late.room_id
                """),
        NamedCheck(
            name: "read_markers", advice: .disagrees,
            sql: """
                SELECT printf('room %d is marked as read up to change %d, but the change feed ends before it',
                  room_id, seq)
                FROM read_marker WHERE seq > ifnull((SELECT max(seq) FROM change), 0)
                """),
    ]
}
