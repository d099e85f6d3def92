import ChatModel
import Moves
import Records
import SQLite
import Schema
import SearchText

/// Makes a file with the rows of a damaged one consistent, as `archive check` demands it.
struct RescueRepair {
    let lost: RescueLost

    private var db: Database { lost.db }
    private var found: Rescue.Found { lost.found }

    /// - Parameter step: Called now and then.
    /// - Returns: The losses.
    func run(step: () throws -> Void) throws -> [RescueReport.Loss] {
        var losses: [RescueReport.Loss] = []
        try db.inTransaction {
            try db.execute(sql: Self.dropUnowned + Self.markReactions)
            try addSubstitutes()
            for owner in ["room", "user"] { try db.execute(sql: Self.settleNames(of: owner)) }
            let hasImpossibleTimes = try settleSessions()
            let hasOverlaps = try settleCoverage()
            if isDamaged("chunk") || isDamaged("session") { try db.execute(sql: Self.settleJournal) }
            try db.execute(sql: AccountFilling.countMessages + Self.settleFeed)
            let changed = try changedMessages()
            try lost.cutCoverage()
            try db.execute(sql: Self.settleRuns + Self.settleForgotten)
            let contradicting: Set = hasImpossibleTimes || hasOverlaps ? ["session"] : []
            losses = try lost.losses() + changed + otherLosses(besides: contradicting)
            try db.execute(sql: "DROP TABLE temp.lost")
        }
        try step()
        try AccountFilling.indexMessages(db, step: step)
        return losses
    }

    private func isDamaged(_ table: String) -> Bool {
        found.losses[table]?.isEmpty == false || found.refused[table] != nil
    }

    /// Returns the times in which messages are not as they were stored, although none is lost.
    private func changedMessages() throws -> [RescueReport.Loss] {
        guard !["message_digest", "digest_reach", "attachment", "file"].contains(where: isDamaged) else { return [] }
        return try MessageDigests.differing(db) { _ in }.compactMap { block in
            let (first, last) = MessageDigests.span(of: block)
            let hasLost = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM temp.lost WHERE id BETWEEN ? AND ?)",
                arguments: [first.microseconds, last.microseconds])
            guard hasLost != true else { return nil }
            return RescueReport.Loss(
                what: .changed, from: Timestamp(microseconds: first.microseconds),
                to: Timestamp(microseconds: last.microseconds))
        }
    }

    /// Returns the tables that are no longer whole.
    ///
    /// - Parameter changed: Tables with changed values.
    private func otherLosses(besides changed: Set<String>) -> [RescueReport.Loss] {
        let damaged = Set(found.losses.filter { !$0.value.isEmpty }.keys).union(found.refused.keys).union(changed)
        let kinds = Set(damaged.compactMap { Self.kinds[$0] })
        return RescueReport.What.allCases.filter(kinds.contains).map { RescueReport.Loss(what: $0) }
    }

    /// The names that people know for the tables. Messages are counted by ``RescueLost``, and computed tables are made
    /// again.
    private static let kinds: [String: RescueReport.What] = [
        "room_name": .names, "user_name": .names, "workspace_name": .names, "user": .users, "user_picture": .users,
        "own_name": .users,
        "room_picture": .rooms, "room_description": .rooms, "room_owner": .rooms, "workspace_picture": .rooms,
        "room": .rooms, "workspace": .rooms, "membership": .members, "coverage": .coverage, "session": .coverage,
        "imported_span": .coverage, "gap_note": .gaps, "room_trouble": .gaps, "change": .changes,
        "message_version": .edits, "edit": .edits, "reaction": .reactions, "retraction": .reactions,
        "message_raw": .rawBytes,
        "chunk": .journal, "attachment": .attachments, "file": .attachments, "content": .attachments,
        "purge": .retention, "hold": .retention, "applied_rule": .retention, "forgotten": .retention,
        "forgotten_key": .retention, "purged_before": .retention, "failure": .other, "read_marker": .other,
        "network_place": .other, "history_place": .other, "merge": .other, "merge_message": .other, "merge_row": .other,
        "bridge": .other,
    ]

    /// Removes digests whose key is lost, and counts the others, so that the catalog completes them.
    private static let settleForgotten = """
        DELETE FROM forgotten WHERE NOT EXISTS (SELECT 1 FROM forgotten_key);
        UPDATE forgotten_key SET digests = (SELECT count(*) FROM forgotten);

        """

    // MARK: Rows that others refer to

    /// Removes the parts of lost messages and files.
    private static let dropUnowned = """
        DELETE FROM message_version WHERE NOT EXISTS (SELECT 1 FROM message WHERE id = message_id);
        DELETE FROM message_raw WHERE NOT EXISTS (SELECT 1 FROM message WHERE id = message_id);
        DELETE FROM edit WHERE NOT EXISTS (SELECT 1 FROM message WHERE id = message_id);
        DELETE FROM attachment WHERE NOT EXISTS (SELECT 1 FROM message WHERE id = message_id)
          OR NOT EXISTS (SELECT 1 FROM file WHERE id = file_id);
        DELETE FROM file WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE file_id = file.id) AND NOT \(FactTable.hasPicture);
        \(FactTable.pictures.map { """
        INSERT INTO file (path) SELECT DISTINCT path FROM \($0.name) AS p
          WHERE path <> '' AND NOT EXISTS (SELECT 1 FROM file WHERE file.path = p.path);
        """ }.joined(separator: "\n"))
        INSERT INTO content (sha256) SELECT DISTINCT sha256 FROM file
          WHERE sha256 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM content WHERE content.sha256 = file.sha256);
        DELETE FROM content WHERE NOT EXISTS (SELECT 1 FROM file WHERE file.sha256 = content.sha256);
        DELETE FROM content_gone;

        """

    /// Marks the messages with a reaction that stands, and no others.
    private static let markReactions = """
        UPDATE message SET flags = (flags | \(MessageFlags.reacted.rawValue)) - (flags & \(MessageFlags.reacted.rawValue))
          WHERE (flags & \(MessageFlags.reacted.rawValue) <> 0) <> (remote_id IS NOT NULL AND EXISTS (
            SELECT 1 FROM reaction AS r
            WHERE r.room_id = message.room_id AND r.remote_id = message.remote_id AND removed_at_us IS NULL));

        """

    /// Adds a row for every lost room, user, workspace and session that another row refers to.
    private func addSubstitutes() throws {
        for (parent, insertion) in Self.substitutes {
            let ids = try db.all(
                sql: """
                    SELECT m.name, k."from" FROM sqlite_schema AS m, pragma_foreign_key_list(m.name) AS k
                    WHERE m.type = 'table' AND k."table" = ?
                    """, arguments: [parent]
            ) { row in
                let (table, column): (String, String) = try (row.value(0), row.value(1))
                return "SELECT \"\(column)\" AS id FROM \"\(table)\""
            }
            try db.execute(
                sql: """
                    \(insertion) FROM (\(ids.joined(separator: " UNION ")))
                      WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM "\(parent)")
                    """)
        }
        // A connection lasted at least from its first message to its last.
        try db.execute(
            sql: """
                UPDATE session SET started_at_us = first, last_sign_of_life_us = last, ended_at_us = last
                FROM (SELECT session_id, min(id) AS first, max(id) AS last FROM message
                  WHERE session_id IS NOT NULL GROUP BY session_id)
                WHERE session.id = session_id AND detail = ?
                """,
            arguments: [Self.lostSession])
    }

    private static let lostSession = "what is known about this connection was lost"

    /// Rooms come first, as they refer to users and workspaces.
    private static let substitutes = [
        ("room", "INSERT INTO room (id, key, kind) SELECT id, 'lost-' || id, 'channel'"),
        ("workspace", "INSERT INTO workspace (id, key) SELECT id, 'lost-' || id"),
        ("user", "INSERT INTO user (id) SELECT id"),
        (
            "session",
            """
            INSERT INTO session (id, started_at_us, last_sign_of_life_us, ended_at_us, reason, detail)
              SELECT id, 0, 0, 0, 'crashed', '\(lostSession)'
            """
        ),
    ]

    // MARK: Names

    /// Returns SQL that gives every room and every user with a key or a message one name of today, and no two names at
    /// once.
    private static func settleNames(of owner: String) -> String {
        let column = owner == "user" ? "sender_id" : "room_id"
        let names = "\(owner)_name"
        let next = """
            (SELECT min(next.first_seen_us) FROM \(names) AS next
              WHERE next.\(owner)_id = \(names).\(owner)_id AND next.first_seen_us > \(names).first_seen_us)
            """
        return """
            INSERT INTO \(names) (\(owner)_id, first_seen_us, name)
              SELECT id, ifnull(first, 0), ifnull(nullif(key, ''), '\(owner) ' || id || ' (name lost)')
              FROM \(owner) LEFT JOIN (SELECT \(column) AS named, min(id) AS first FROM message GROUP BY 1) ON named = id
              WHERE NOT EXISTS (SELECT 1 FROM \(names) WHERE \(owner)_id = \(owner).id)
                AND (key IS NOT NULL OR first IS NOT NULL);
            UPDATE \(names) SET last_seen_us = \(next) WHERE ifnull(last_seen_us, \(Int64.max)) > \(next);
            UPDATE \(names) SET last_seen_us = NULL WHERE \(next) IS NULL;

            """
    }

    // MARK: Coverage

    /// Lets each connection end at the earlier of `last_sign_of_life_us` and `ended_at_us`, which should be equal, and begin no
    /// later.
    ///
    /// - Returns: True if a connection had other times.
    private func settleSessions() throws -> Bool {
        try db.execute(
            sql: """
                UPDATE session SET last_sign_of_life_us = heard, ended_at_us = iif(ended_at_us IS NULL, NULL, heard),
                  started_at_us = min(started_at_us, heard)
                FROM (SELECT id AS number, min(last_sign_of_life_us, ifnull(ended_at_us, last_sign_of_life_us)) AS heard
                  FROM session)
                WHERE id = number
                  AND (heard < started_at_us OR heard < last_sign_of_life_us OR heard < ended_at_us)
                """)
        return db.changesCount > 0
    }

    /// Ends the spans of connections that have ended, and each span before the next one of its room begins.
    ///
    /// - Returns: True if spans overlapped.
    private func settleCoverage() throws -> Bool {
        try db.execute(
            sql: """
                UPDATE coverage SET to_us = max(from_us, (SELECT heard_until_us FROM session WHERE id = session_id))
                  WHERE to_us IS NULL AND (SELECT ended_at_us FROM session WHERE id = session_id) IS NOT NULL
                """)
        try db.execute(
            sql: """
                UPDATE coverage SET to_us = later - 1
                FROM (SELECT id AS span, lead(from_us) OVER (PARTITION BY room_id ORDER BY from_us) AS later FROM coverage)
                WHERE id = span
                  AND later <= ifnull(to_us, (SELECT heard_until_us FROM session WHERE session.id = session_id))
                """)
        let hasOverlaps = db.changesCount > 0
        try db.execute(sql: RescueLost.dropNotes)
        return hasOverlaps
    }

    // MARK: Journal

    /// Keeps the part of each session's journal that is whole up to its end.
    private static let settleJournal = """
        DELETE FROM chunk WHERE (SELECT bytes FROM session WHERE id = session_id) = 0;
        CREATE TEMP TABLE whole AS
          SELECT session.id AS session_id, ifnull((
            SELECT min(offset) FROM (
              SELECT offset, offset + length(bytes) AS until,
                sum(length(bytes)) OVER (PARTITION BY session_id ORDER BY offset DESC) AS total
              FROM chunk WHERE session_id = session.id) WHERE offset + total = session.bytes), session.bytes) AS start
          FROM session;
        DELETE FROM chunk WHERE offset < (SELECT start FROM temp.whole WHERE session_id = chunk.session_id);
        UPDATE session SET aged = max(aged, (SELECT start FROM temp.whole WHERE session_id = session.id));
        UPDATE session SET position = max(position, aged);
        DROP TABLE temp.whole;

        """

    // MARK: What is computed from messages

    /// Removes changes of what is lost, so that a message that comes again may have its id, and adds messages without a
    /// change. Those were read or not as their rooms say.
    private static let settleFeed = """
        DELETE FROM change WHERE what IN \(Feed.subjectMessageCodes) AND subject_id IN (SELECT id FROM temp.lost);
        DELETE FROM change WHERE (what IN (1, 9) AND NOT EXISTS (SELECT 1 FROM room WHERE id = subject_id))
          OR (what = 8 AND NOT EXISTS (SELECT 1 FROM session WHERE id = subject_id))
          OR (what = 2 AND subject_id > 0 AND NOT EXISTS (SELECT 1 FROM user WHERE id = subject_id))
          OR (what = 2 AND subject_id <= 0 AND NOT EXISTS (SELECT 1 FROM room WHERE id = -subject_id));
        CREATE TEMP TABLE fed AS SELECT max(seq) AS seq FROM change;
        INSERT INTO change (what, subject_id)
          SELECT 0, id FROM (SELECT id FROM message EXCEPT SELECT subject_id FROM change WHERE what = 0) ORDER BY id;
        UPDATE read_marker SET seq = ifnull((SELECT max(seq) FROM change), 0)
          WHERE seq > ifnull((SELECT max(seq) FROM change), 0)
            OR (SELECT max(seq) FROM change) > ifnull((SELECT seq FROM temp.fed), 0);
        DROP TABLE temp.fed;
        DELETE FROM late WHERE NOT EXISTS (
          SELECT 1 FROM change WHERE seq = late.seq AND what IN (0, 13) AND subject_id = message_id)
          OR room_id <> ifnull((SELECT room_id FROM message WHERE id = message_id), room_id);

        """

    /// Merges the runs of used ids that the file had with those that its rows show. A run does not reach beyond the last
    /// message or change.
    private static let settleRuns = """
        CREATE TEMP TABLE runs AS SELECT first_us, last_us FROM id_run;
        DELETE FROM id_run;
        \(AccountFilling.recordRuns)
        INSERT INTO temp.runs SELECT first_us, last_us FROM id_run;
        DELETE FROM id_run;
        INSERT INTO id_run (first_us, last_us)
          SELECT min(first_us), max(last_us)
          FROM (SELECT first_us, last_us, sum(is_new) OVER (ORDER BY first_us, last_us) AS run
            FROM (SELECT first_us, last_us, first_us > ifnull(max(last_us) OVER (ORDER BY first_us, last_us
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), first_us - 1) AS is_new FROM temp.runs))
          GROUP BY run;
        DROP TABLE temp.runs;
        CREATE TEMP TABLE reach AS SELECT max(ifnull((SELECT max(id) FROM message), \(Int64.min)),
          ifnull((SELECT max(subject_id) FROM change WHERE what = 0), \(Int64.min))) AS last_us;
        DELETE FROM id_run WHERE first_us > (SELECT last_us FROM temp.reach);
        UPDATE id_run SET last_us = (SELECT last_us FROM temp.reach) WHERE last_us > (SELECT last_us FROM temp.reach);
        DROP TABLE temp.reach;

        """
}
