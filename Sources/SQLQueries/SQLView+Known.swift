extension SQLView {
    /// All views, the most useful first.
    package static let all = [messages, events, rooms, people, gaps, files, reactions, threads, hits, words]

    private static let messages = SQLView(
        ofFile: "messages", "a message", rows: 100_000, isOrdered: true,
        example: "SELECT at, room, sender, body FROM messages ORDER BY id DESC LIMIT 10",
        integers: ["id", "is_self", "reply_to", "files", "is_pinned", "room_id", "sender_id"], keys: ["id"],
        filters: ["id": .range, "at": .day, "room": .equal, "room_id": .equal, "sender_id": .equal],
        expressions: ["body": "ifnull((SELECT \(BridgeFunctions.text)(key, body) FROM \(bridge)), body)"],
        more: [
            Column(
                "via", "The name of the bot that brought the message by a bridge; null for others",
                sql: "(SELECT \(BridgeFunctions.bot)(key) FROM \(bridge))")
        ])

    /// The sender of a message that a bridge brought, with the key that names the bridge; no row for other messages.
    private static let bridge = "user WHERE id = sender_id AND key >= char(31) AND key < char(32)"

    private static let events = SQLView(
        ofFile: "events", "a join, leave, rename or mode", rows: 100_000, isOrdered: true,
        example: "SELECT at, room, sender, kind, body FROM events ORDER BY id DESC LIMIT 10",
        integers: ["id", "room_id", "sender_id"], keys: ["id"],
        filters: ["id": .range, "at": .day, "room": .equal, "room_id": .equal, "sender_id": .equal])

    private static let rooms = SQLView(
        ofFile: "rooms", "a room", rows: 50,
        example: "SELECT account, name, messages, last_at FROM rooms ORDER BY messages DESC LIMIT 10",
        integers: ["id", "messages"], keys: ["id"], filters: ["id": .range])

    private static let people = SQLView(
        ofFile: "people", "a person", rows: 500,
        example: "SELECT account, name, messages FROM people ORDER BY messages DESC LIMIT 10",
        integers: ["id", "is_self", "messages", "names"], keys: ["id"], filters: ["id": .range])

    private static let gaps = SQLView(
        ofFile: "gaps", "a time in which messages may be missing", rows: 200,
        example: "SELECT account, room, from_at, to_at, seconds, reason FROM gaps ORDER BY seconds DESC LIMIT 10",
        integers: ["seconds", "room_id", "from_us", "to_us"], keys: ["room_id", "from_us"],
        filters: ["room_id": .equal])

    private static let files = SQLView(
        ofFile: "files", "a file that came with a message", rows: 5000,
        example: "SELECT account, path, state, bytes FROM files ORDER BY bytes DESC LIMIT 10",
        integers: ["id", "message_id", "bytes"], keys: ["id"], filters: ["message_id": .range])

    private static let reactions = SQLView(
        "reactions", "a person's reaction to a message", rows: 5000,
        source: """
            (SELECT m.id AS message_id, x.text AS reaction,
              (SELECT name FROM user_name WHERE user_id = x.user_id ORDER BY first_seen_us DESC LIMIT 1) AS person,
              \(text(of: "x.at_us")) AS at,
              \(text(of: "x.removed_at_us")) AS removed_at,
              x.room_id, x.user_id AS person_id, x.remote_id
            FROM reaction AS x LEFT JOIN message AS m ON m.room_id = x.room_id AND m.remote_id = x.remote_id)
            """,
        example: "SELECT reaction, count(*) FROM reactions WHERE removed_at IS NULL GROUP BY reaction ORDER BY 2 DESC",
        [
            Column("message_id", .integer, "The id in messages; null if the message is not archived", filter: .range),
            Column("reaction", "The emoji or the text", isKey: true),
            Column("person", "The name today of the person who reacted"),
            Column("at", "The time of the reaction, in UTC"),
            Column("removed_at", "The time at which it was taken back; null while it stands"),
            Column("room_id", .integer, "The id in rooms", isKey: true),
            Column("person_id", .integer, "The id in people", isKey: true),
            Column("remote_id", "The network's id of the message", isKey: true),
        ])

    /// A conversation begins with a message that answers none, or whose answered message is not archived. A circle of
    /// answers has no beginning, and is left out.
    private static let threads = SQLView(
        "threads", "a conversation: a message with its answers, and theirs", rows: 20_000,
        source: """
            (WITH RECURSIVE
              reply AS (SELECT c.id, p.id AS parent FROM message AS c
                JOIN message AS p ON p.room_id = c.room_id AND p.remote_id = c.reply_to WHERE c.reply_to IS NOT NULL),
              tree (root, id) AS (
                SELECT parent, parent FROM reply WHERE parent NOT IN (SELECT id FROM reply)
                UNION
                SELECT root, reply.id FROM tree JOIN reply ON reply.parent = tree.id)
            SELECT root AS id, \(text(of: "root")) AS at,
              (SELECT name FROM room_name WHERE room_id = m.room_id ORDER BY first_seen_us DESC LIMIT 1) AS room,
              count(*) - 1 AS replies, count(DISTINCT m.sender_id) AS people, max(tree.id) AS last_id,
              \(text(of: "max(tree.id)")) AS last_at, m.room_id
            FROM tree JOIN message AS m ON m.id = tree.id GROUP BY root)
            """,
        example: "SELECT room, at, replies, people FROM threads ORDER BY replies DESC LIMIT 10",
        [
            Column("id", .integer, "The id in messages of the first message", isKey: true),
            Column("at", "Its time as text, in UTC"),
            Column("room", "The room's name today"),
            Column("replies", .integer, "The number of answers"),
            Column("people", .integer, "The number of people who wrote in it"),
            Column("last_id", .integer, "The id of the last message"),
            Column("last_at", "Its time as text, in UTC"),
            Column("room_id", .integer, "The id in rooms"),
        ])

    private static let hits = SQLView(
        "hits", "a message that the search index finds", rows: 100_000,
        // The SELECT of the view in views.sql. SQLite (3.40) lets no view of a file that it does not trust read
        // an index.
        source: """
            (SELECT m.id, words
            FROM (SELECT message_search AS words, rowid AS number,
                (SELECT first FROM search_slot WHERE slot = message_search.rowid) AS first,
                iif(rowid BETWEEN 0 AND (1 << 36) - 1, 18, 0) AS bits,
                iif(rowid < 1 << 36 OR (SELECT analyser FROM search_index WHERE name = 'message_search') < 3, 0, 1 << 36)
                  AS added
              FROM message_search) AS s
              JOIN message AS m ON m.id BETWEEN ifnull(first, (number - added) << bits)
                AND ifnull(first, ((number - added) << bits) + (1 << bits) - 1)
                AND m.noise = 0 AND m.id >> bits = number - added)
            """,
        example: """
            SELECT at, sender, body FROM hits JOIN messages USING (account, id) WHERE words MATCH 'facets : hlink'
            """,
        [
            Column("id", .integer, "The id in messages", isKey: true),
            Column("words", .hidden, "For a condition: words MATCH 'text : coffee'", filter: .match),
        ])

    private static let words = SQLView(
        "words", "a word of the search index", rows: 50_000,
        // FTS5 gives this table's rows in the order of the words.
        source: "(SELECT term AS word, doc AS messages FROM temp.\(vocabulary) WHERE col = 'text')",
        example: "SELECT word, sum(messages) FROM words GROUP BY word ORDER BY 2 DESC LIMIT 10",
        [
            Column("word", "The word, as search.md explains", isKey: true, filter: .equal),
            Column("messages", .integer, "The number of messages that have it"),
        ])

    /// The temporary table by which a connection reads the index's words.
    static let vocabulary = "search_word"

    /// Returns the SQL of a time as text, as in the views of the file (views.sql).
    private static func text(of time: String) -> String {
        """
        strftime('%Y-%m-%dT%H:%M:%S.', (\(time) + 2000000000000000000) / 1000000 - 2000000000000, 'unixepoch') \
        || substr(\(time) + 2000000000000000000, 14) || 'Z'
        """
    }
}
