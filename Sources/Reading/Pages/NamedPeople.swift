import ChatModel
import Networks
import Schema

/// The senders of a page with the network's ids, on networks whose ids people see, and those whose name another person of the
/// room has as well. Everybody can take any name there, so that only ids tell people apart.
///
/// The room's known names decide, and never the page: a name is ambiguous in all pages and exports, or in none.
struct NamedPeople {
    /// A sender under a name in a room.
    private struct Sender: Hashable {
        var user: Int64
        var name: String
        var room: Int64
    }

    /// The time in which a person has a name, in microseconds since 1970.
    private struct Use {
        var user: Int64
        var since: Int64
        /// Nil for today's name.
        var until: Int64?

        /// Reads the columns `user_id, first_seen_us, last_seen_us`.
        init(_ row: borrowing Columns) throws {
            (user, since, until) = (try row.integer(0), try row.integer(1), try row.optionalInteger(2))
        }
    }

    /// The ids by the user's number.
    private var keys: [Int64: String] = [:]
    /// The times in which others have the sender's name.
    private var uses: [Sender: [Use]] = [:]
    private let names: MessageQuery.Names

    /// Reads the people of messages of one account.
    init(of messages: ArraySlice<Message>, names: MessageQuery.Names, _ db: ReadTransaction) throws {
        self.names = names
        guard let network = messages.first?.network, NetworkTraits.of(network).hasPersonIDs else { return }
        let people = Set(messages.compactMap(\.sender?.id)).sorted()
        try db.forEach(
            "SELECT u.id, u.key FROM \(.each(1, as: "wanted")) \(.crossJoin) \"user\" AS u ON u.id = wanted.value",
            [.list(people)]
        ) { row in
            guard let key = try row.optionalText(1), !BridgeKey.isBridged(key) else { return }
            keys[try row.integer(0)] = key
        }
        let senders = Set(messages.compactMap(Self.sender)).filter { keys[$0.user] != nil }
        for (room, senders) in Dictionary(grouping: senders, by: \.room) {
            let all = try Self.names(in: room, db)
            for sender in senders {
                let found = try all.map { $0[Self.fold(sender.name)] ?? [] } ?? Self.names(like: sender, db)
                let others = found.filter { $0.user != sender.user }
                if !others.isEmpty { uses[sender] = others }
            }
        }
    }

    private static func sender(of message: Message) -> Sender? {
        message.sender.map { Sender(user: $0.id, name: $0.name, room: message.roomID) }
    }

    /// Returns a name as people see it: without invisible characters, and without regard to upper and lower case and to the
    /// amount of white space.
    static func fold(_ name: String) -> String {
        let visible = name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        return String(String.UnicodeScalarView(visible)).lowercased().split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }

    /// The limit of names of a room that are all read. It is the room's, so that a name is ambiguous on each page or on none.
    private static let mostNames = 500

    /// Returns all names that the people of a room have or had, by the folded name; nil for a room with too many.
    private static func names(in room: Int64, _ db: ReadTransaction) throws -> [String: [Use]]? {
        let found = try db.all(
            """
            SELECT n.user_id, n.first_seen_us, n.last_seen_us, n.name
            FROM (
                SELECT * FROM (SELECT sender_id AS user_id FROM sender_count WHERE room_id = ?1
                  LIMIT \(mostNames + 1)) AS s
                UNION SELECT * FROM (SELECT user_id FROM membership WHERE room_id = ?1 LIMIT \(mostNames + 1)) AS m
              ) AS p
              \(.crossJoin) user_name AS n ON n.user_id = p.user_id
            LIMIT \(mostNames + 1)
            """, [.integer(room)]
        ) { (use: try Use($0), name: try $0.text(3)) }
        guard found.count <= mostNames else { return nil }
        return Dictionary(grouping: found) { fold($0.name) }.mapValues { $0.map(\.use) }
    }

    /// The limit of people who are looked up for one name.
    private static let mostAlike = 100

    /// Returns the names of people of a large room that are like the sender's. An index finds them.
    private static func names(like sender: Sender, _ db: ReadTransaction) throws -> [Use] {
        // The index folds the letters of ASCII alone.
        let ascii = String(
            decoding: sender.name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        return try db.all(
            """
            SELECT user_id, first_seen_us, last_seen_us FROM user_name
            WHERE \(.folded("name")) IN (?1, ?2) AND user_id <> ?3
              AND (EXISTS (SELECT 1 FROM sender_count AS c WHERE c.room_id = ?4 AND c.sender_id = user_name.user_id)
                OR EXISTS (SELECT 1 FROM membership AS p WHERE p.room_id = ?4 AND p.user_id = user_name.user_id))
            LIMIT \(mostAlike)
            """, [.text(ascii), .text(fold(sender.name)), .integer(sender.user), .integer(sender.room)]
        ) { try Use($0) }
    }

    /// Gives a message's sender the id, and says if another person has the name. Call this before the name changes.
    func add(to message: inout Message) {
        guard let sender = Self.sender(of: message), let key = keys[sender.user] else { return }
        message.sender?.key = key
        let id = message.id.microseconds
        message.sender?.isAmbiguous =
            uses[sender]?.contains { use in
                use.until == nil && names == .now || use.since <= id && use.until ?? .max > id
            } ?? false
    }
}
