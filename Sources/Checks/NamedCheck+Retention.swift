import ChatModel
import Moves

extension NamedCheck {
    /// Checks what is counted of the forgotten, and what merges keep of other merges.
    static let retentionChecks = [
        NamedCheck(
            name: "forgotten", advice: .disagrees,
            sql: """
                SELECT printf('%d digests of what is forgotten are counted, but there are %d', digests, rows)
                FROM (SELECT digests, (SELECT count(*) FROM forgotten) AS rows FROM forgotten_key)
                WHERE digests <> rows
                UNION ALL
                SELECT 'there are digests of what is forgotten without their key'
                WHERE EXISTS (SELECT 1 FROM forgotten) AND NOT EXISTS (SELECT 1 FROM forgotten_key)
                """),
        NamedCheck(
            name: "merges", advice: .disagrees,
            sql: """
                SELECT printf('merge %d leads to %d, which was itself merged', id, into_id) FROM merge
                WHERE EXISTS (SELECT 1 FROM merge AS later WHERE later.what = merge.what AND later.from_id = merge.into_id)
                """),
    ]
}
