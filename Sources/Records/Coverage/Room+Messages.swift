import ChatModel
package import Schema

extension Room {
    /// Returns SQL for a room's first message: the earlier one of its index's two runs, with noise and without.
    package static func firstMessage(of room: String) -> SQLText {
        """
        SELECT min(first) AS first FROM (SELECT (SELECT id FROM message \(.indexed("message_room"))
          WHERE room_id = \(room) AND noise = value ORDER BY id LIMIT 1) AS first
          FROM (SELECT 0 AS value UNION ALL SELECT 1) AS run) AS runs
        """
    }

    /// Returns SQL for a room's last message: the later one of the two runs.
    package static func lastMessage(of room: String) -> SQLText {
        """
        SELECT max(last) AS last FROM (SELECT (SELECT id FROM message \(.indexed("message_room"))
          WHERE room_id = \(room) AND noise = value ORDER BY id DESC LIMIT 1) AS last
          FROM (SELECT 0 AS value UNION ALL SELECT 1) AS run) AS runs
        """
    }
}
