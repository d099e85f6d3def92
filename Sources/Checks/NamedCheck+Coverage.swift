import Archive
import Moves
import Records

extension NamedCheck {
    static let coverageChecks = [
        NamedCheck(
            name: "sessions", advice: .disagrees,
            sql: """
                SELECT printf('session %d %s', id,
                  iif((ended_at_us IS NULL) = (reason IS NULL), 'ends before it begins',
                    'has an end without a reason, or a reason without an end'))
                FROM session
                WHERE (ended_at_us IS NULL) <> (reason IS NULL)
                  OR min(ifnull(ended_at_us, last_sign_of_life_us), last_sign_of_life_us) < started_at_us
                """),
        NamedCheck(
            name: "spans", advice: .disagrees,
            sql: """
                SELECT printf('room %d: the coverage span from %s overlaps an earlier one', room_id, \(id("from_us")))
                FROM (SELECT room_id, from_us, max(until) OVER
                    (PARTITION BY room_id ORDER BY from_us ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
                  FROM (SELECT room_id, from_us, max(from_us, ifnull(to_us, heard_until_us)) AS until
                    FROM coverage JOIN session ON session.id = session_id))
                WHERE from_us <= reached
                UNION ALL
                SELECT printf('room %d: the coverage span from %s ends before it begins', room_id, \(id("from_us")))
                FROM coverage WHERE to_us < from_us
                """),
        NamedCheck(
            name: "live_spans", advice: .disagrees,
            sql: """
                SELECT printf('room %d: an open coverage span belongs to session %d, which has ended',
                  room_id, session_id)
                FROM coverage JOIN session ON session.id = session_id WHERE to_us IS NULL AND ended_at_us IS NOT NULL
                UNION ALL
                SELECT printf('session %d has %d open coverage spans of room %d', session_id, count(*), room_id)
                FROM coverage WHERE to_us IS NULL GROUP BY session_id, room_id HAVING count(*) > 1
                """),
        NamedCheck(
            name: "gap_notes", advice: .disagrees,
            sql: """
                SELECT printf('room %d: the gap noted at %s does not begin at the end of a coverage span', room_id,
                  \(id("from_us")))
                FROM gap_note
                WHERE \(MergedCoverage.isIdle)
                  AND (reason <> '\(CoverageLedger.damaged)' OR NOT EXISTS (SELECT 1 FROM imported_span
                    WHERE room_id = gap_note.room_id AND gap_note.from_us BETWEEN imported_span.from_us AND to_us))
                """),
        NamedCheck(
            name: "imported_spans", advice: .disagrees,
            sql: """
                SELECT printf('room %d: the imported span from %s overlaps or touches an earlier one',
                  room_id, \(id("from_us")))
                FROM (SELECT room_id, from_us,
                  lag(to_us) OVER (PARTITION BY room_id ORDER BY from_us) AS reached FROM imported_span)
                WHERE from_us <= reached + 1
                UNION ALL
                SELECT printf('room %d: the imported span from %s ends before it begins', room_id, \(id("from_us")))
                FROM imported_span WHERE to_us < from_us
                """),
    ]
}
