import Archive
import ChatModel
import Moves

extension NamedCheck {
    static let nameChecks = ["room", "user"].flatMap { [todaysName(of: $0), nameSpans(of: $0)] }

    private static func todaysName(of owner: String) -> NamedCheck {
        // A forgotten person has neither a name nor a key, an erased room only its number; what was merged has no name.
        let isGone = owner == "user" ? "key IS NULL" : "key GLOB '\(RoomRemoval.erased)*'"
        let kind: Merging.Kind = owner == "user" ? .people : .rooms
        let isMerged =
            "names = 0 AND id IN (SELECT from_id FROM merge WHERE what = \(kind.rawValue) AND is_done = 1)"
        return NamedCheck(
            name: "\(owner)_names", advice: .disagrees,
            sql: """
                SELECT printf('\(owner) %d has %d current names', id, names)
                FROM (SELECT id, key, (SELECT count(*) FROM \(owner)_name WHERE \(owner)_id = id AND last_seen_us IS NULL)
                  AS names FROM \(owner))
                WHERE names <> 1 AND NOT (names = 0 AND \(isGone) OR \(isMerged))
                """)
    }

    private static func nameSpans(of owner: String) -> NamedCheck {
        NamedCheck(
            name: "\(owner)_name_order", advice: .disagrees,
            sql: """
                SELECT printf('\(owner) %d: the name from %s overlaps the next name, or ends before it begins', id,
                  \(id("first_seen_us")))
                FROM (SELECT \(owner)_id AS id, first_seen_us, last_seen_us,
                  lead(first_seen_us) OVER (PARTITION BY \(owner)_id ORDER BY first_seen_us) AS next FROM \(owner)_name)
                WHERE last_seen_us < first_seen_us OR ifnull(last_seen_us > next, next IS NOT NULL)
                """)
    }
}
