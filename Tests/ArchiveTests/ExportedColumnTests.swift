import ChatModel
import Foundation
import SQLite
import Testing

@testable import Archive

/// What a full export has of every column of an account's file. A new one fails until it is decided.
@Suite struct ExportedColumnTests {
    private let fixture: ArchiveFixture

    init() throws {
        fixture = try ArchiveFixture()
    }

    enum Decision: Sendable, Hashable {
        /// It comes back with an import.
        case exported
        /// It is in the export, and an import makes its own, for this reason.
        case told(String)
        /// It is not in the export, for this reason.
        case left(String)
    }

    private static let number = Decision.left("a number of one file: keys are exported instead")
    private static let fetching = Decision.left("how far this machine is with fetching it")
    private static let connection = Decision.left("a connection of one machine; what it proved is coverage")
    private static let wire = Decision.left("bytes of the wire, which backups keep: what they mean is exported")
    private static let derived = Decision.left("derived from what is exported")
    private static let order = Decision.left("the order of storing, which an import has of its own")
    private static let removals = Decision.left(
        "what was removed and what must stay here, which a manifest shows as purged")
    private static let bridges = Decision.left(
        "a bridge's messages are exported with the key of the person who wrote them; another archive has bridges of its own"
    )
    private static let merges = Decision.left("an export has what was merged as one")
    private static let ownNames = Decision.left("what the owner of an archive has said of it; is_self follows")
    private static let names: [String: Decision] = [
        "name": .exported, "first_seen_us": .exported, "last_seen_us": .exported,
    ]

    static let decisions: [String: [String: Decision]] = [
        "account": [
            "id": .left("always 1"), "name": .told("the import says which account"),
            "network": .told("an account that is there has its own"), "epoch": .told("another life of the file"),
            "created_at_us": .told("when this file was made"),
        ],
        "workspace": ["id": number, "key": .exported],
        "workspace_name": names.merging(["workspace_id": .exported]) { $1 },
        "room": [
            "id": number, "key": .exported, "kind": .exported, "messages": derived, "workspace_id": .exported,
            "partner_id": .exported, "left_at_us": .exported, "gone_at_us": .exported, "asked_back_to_us": .exported,
        ],
        "room_name": names.merging(["room_id": .exported]) { $1 },
        "user": [
            "id": number, "key": .exported, "is_self": .exported, "self_by": .left("the import takes it from is_self"),
        ],
        "own_name": ["source": ownNames, "place": ownNames, "name": ownNames],
        "user_name": names.merging(["user_id": .exported]) { $1 },
        "user_picture": [
            "user_id": .exported, "path": .exported, "first_seen_us": .exported, "last_seen_us": .exported,
        ],
        "room_picture": [
            "room_id": .exported, "path": .exported, "first_seen_us": .exported, "last_seen_us": .exported,
        ],
        "workspace_picture": [
            "workspace_id": .exported, "path": .exported, "first_seen_us": .exported, "last_seen_us": .exported,
        ],
        "room_description": [
            "room_id": .exported, "text": .exported, "first_seen_us": .exported, "last_seen_us": .exported,
        ],
        "room_owner": [
            "room_id": .exported, "user_id": .exported, "first_seen_us": .exported, "last_seen_us": .exported,
        ],
        "membership": [
            "room_id": .exported, "user_id": .exported, "joined_at_us": .exported, "left_at_us": .exported,
        ],
        "session": [
            "id": connection, "started_at_us": connection, "last_sign_of_life_us": connection,
            "ended_at_us": connection, "reason": connection, "detail": connection, "bytes": wire, "position": wire,
            "aged": wire, "clock_lead_us": connection, "heard_until_us": connection,
            "ahead_us": connection, "booted_at_us": connection, "boot": connection,
        ],
        "message": [
            "id": .exported, "room_id": .exported, "kind": .exported, "noise": derived, "sender_id": .exported,
            "session_id": connection, "received_at_us": .exported, "source_time_us": .exported, "flags": .exported,
            "remote_id": .exported, "body": .exported, "edited_at_us": .exported, "deleted_at_us": .exported,
            "reply_to": .exported,
        ],
        "message_version": ["message_id": .exported, "at_us": .exported, "body": .exported],
        "message_raw": ["message_id": wire, "at_us": wire, "bytes": wire],
        "reaction": [
            "room_id": .exported, "remote_id": .exported, "user_id": .exported, "text": .exported, "at_us": .exported,
            "removed_at_us": .exported, "own_id": .exported,
        ],
        "retraction": [
            "room_id": .exported, "remote_id": .exported, "user_id": .exported, "at_us": .exported,
            "reason": .exported, "wipes": .exported,
        ],
        "attachment": [
            "id": number, "message_id": .exported, "file_id": number, "bytes": .exported,
        ],
        "content": [
            "sha256": .told("the file's bytes are not in the export"), "bytes": .exported,
        ],
        "file": [
            "id": number, "path": .exported, "bytes": .exported,
            "sha256": .told("the file's bytes are not in the export"),
            "state": .told("of what was here and what was not, nothing is here any more"), "attempts": fetching,
            "next_try_us": fetching, "error": fetching, "asked": fetching, "tried_at_us": fetching,
            "limit_bytes": fetching, "part_bytes": fetching, "part_tag": fetching,
        ],
        "sender_count": ["room_id": derived, "sender_id": derived, "messages": derived],
        "id_run": ["first_us": derived, "last_us": derived],
        "chunk": ["session_id": wire, "offset": wire, "received_at_us": wire, "bytes": wire],
        "coverage": [
            "id": number, "room_id": .exported, "from_us": .exported, "to_us": .exported, "session_id": connection,
        ],
        "imported_span": ["room_id": .exported, "from_us": .exported, "to_us": .exported],
        "gap_note": [
            "room_id": .exported, "from_us": .exported, "reason": .exported, "attempts": .exported,
            "unfilled": .exported, "detail": .exported, "next_try_us": connection,
        ],
        "room_trouble": [
            "room_id": connection, "about": connection, "reason": connection, "detail": connection,
            "since_us": connection, "next_try_us": connection,
        ],
        "failure": [
            "id": number, "room_id": .exported, "session_id": connection, "remote_id": .exported,
            "payload": .exported, "reason": .exported, "first_at_us": .exported, "last_at_us": .exported,
            "count": .exported,
        ],
        "read_marker": ["room_id": .exported, "through_us": .exported, "seq": order, "set_at_us": .exported],
        "late": ["room_id": order, "seq": order, "message_id": order],
        "bridge": [
            "id": bridges, "bot_id": bridges, "bot": bridges, "pattern": bridges, "at_us": bridges,
            "is_active": bridges, "is_done": bridges,
        ],
        "merge": [
            "id": merges, "what": merges, "from_id": merges, "chosen_id": merges, "into_id": merges, "at_us": merges,
            "is_done": merges,
        ],
        "merge_message": ["merge_id": merges, "message_id": merges, "is_marked": merges],
        "merge_row": ["id": merges, "merge_id": merges, "source": merges, "was": merges, "now": merges],
        "purge": [
            "id": removals, "room_id": removals, "what": removals, "rule": removals, "kept_us": removals,
            "first_us": removals, "last_us": removals, "count": removals, "at_us": removals,
        ],
        "hold": [
            "name": removals, "room_id": removals, "from_us": removals, "to_us": removals, "reason": removals,
            "set_at_us": removals,
        ],
        "applied_rule": ["rule": removals, "first_at_us": removals],
        "forgotten": ["digest": removals],
        "network_place": ["id": removals, "place": removals],
        "history_place": ["room_id": connection, "place": connection, "end_us": connection],
        "purged_before": ["digest": removals, "last_us": removals],
        "forgotten_key": ["id": removals, "key": removals, "digests": removals, "scrub": removals],
        "content_gone": ["sha256": .left("work that is left to do on this machine's disk")],
        "change": ["seq": order, "what": order, "subject_id": order],
        "message_search": ["text": derived, "chars": derived, "facets": derived],
        "search_slot": ["slot": derived, "first": derived],
        "message_digest": ["block": derived, "digest": derived],
        "digest_reach": ["id": derived, "from_block": derived],
        "search_index": ["name": derived, "analyser": derived, "from_us": derived],
    ]

    @Test func `every column of every table is exported, or not for a reason`() async throws {
        try await fixture.openWriter().close()
        let queue = try DatabaseQueue(path: try fixture.file())
        let columns = try queue.read { db in
            try db.all(
                sql: """
                    SELECT s.name, c.name
                    FROM (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type NOT IN ('shadow', 'view')
                        AND name <> 'sqlite_schema') AS s, pragma_table_xinfo(s.name) AS c
                    WHERE c.hidden <> 1
                    """
            ) { try "\($0.value(0, as: String.self)).\($0.value(1, as: String.self))" }
        }
        try queue.close()
        let decided = Self.decisions.flatMap { table, columns in columns.keys.map { "\(table).\($0)" } }
        #expect(Set(columns).subtracting(decided).sorted() == [], "decide: is it exported?")
        #expect(Set(decided).subtracting(columns).sorted() == [], "no such column")
    }
}
