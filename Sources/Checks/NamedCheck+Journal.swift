import Moves

extension NamedCheck {
    static let journalChecks = [
        // Bytes that the store refused have a row in `failure`, so they don't count as missing. Lengths come from a
        // subquery, because a window function would keep the bytes themselves in memory.
        NamedCheck(
            name: "journal", advice: .disagrees,
            sql: """
                SELECT printf('session %d: byte %d of the journal is followed by byte %d',
                  session_id, before - 1, offset)
                FROM (SELECT session_id, offset, lag(until) OVER (PARTITION BY session_id ORDER BY offset) AS before
                  FROM (SELECT session_id, offset, offset + length(bytes) AS until FROM chunk)) AS holes
                WHERE before <> offset
                  AND NOT EXISTS (SELECT 1 FROM failure WHERE remote_id = holes.session_id || ':' || before)
                """),
        NamedCheck(
            name: "journal_ends", advice: .disagrees,
            sql: """
                SELECT printf('session %d received %d bytes and %d of them were deleted, but its journal has %s',
                  id, bytes, aged,
                  ifnull('bytes ' || first || ' to ' || (until - 1), 'none'))
                FROM (SELECT id, bytes, aged,
                    (SELECT min(offset) FROM chunk WHERE session_id = session.id) AS first,
                    (SELECT offset + length(chunk.bytes) FROM chunk WHERE session_id = session.id
                      ORDER BY offset DESC LIMIT 1) AS until
                  FROM session) AS ends
                WHERE ifnull(until <> bytes OR first <> aged, aged < bytes)
                  AND NOT EXISTS (SELECT 1 FROM failure WHERE remote_id = ends.id || ':' || ends.aged)
                """),
        NamedCheck(
            name: "positions", advice: .disagrees,
            sql: """
                SELECT printf('session %d was parsed up to byte %d, but received only %d bytes', id, position, bytes)
                FROM session WHERE position > bytes
                UNION ALL
                SELECT printf('session %d: bytes up to %d were deleted, but only bytes up to %d were parsed',
                  id, aged, position)
                FROM session WHERE aged > position
                """),
        NamedCheck(
            name: "places", advice: .disagrees,
            sql: """
                SELECT printf('message %s has the place %s, but session %d received only %d bytes',
                  \(id("message.id")), remote_id,
                  session_id, bytes)
                FROM message JOIN session ON session.id = session_id
                WHERE bytes > 0 AND substr(remote_id, 1, length(session_id) + 1) = session_id || ':'
                  AND CAST(substr(remote_id, length(session_id) + 2) AS INTEGER) NOT BETWEEN 0 AND bytes - 1
                """),
    ]
}
