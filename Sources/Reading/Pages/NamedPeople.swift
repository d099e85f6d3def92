import ChatModel
import Networks
import Schema

/// The senders of a page with the network's ids, on networks whose ids people see, and those whose name another person of the
/// room has as well. Everybody can take any name there, so that only ids tell people apart.
struct NamedPeople {
    /// A sender under a name in a room.
    private struct Sender: Hashable {
        var user: Int64
        var name: String
        var room: Int64
    }

    /// The time in which another person has a name, in microseconds since 1970.
    private struct Use {
        var since: Int64
        /// Nil for today's name.
        var until: Int64?
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
        var senders: [String: Set<Sender>] = [:]
        for message in messages {
            guard let sender = Self.sender(of: message), keys[sender.user] != nil else { continue }
            senders["\(sender.room) \(Self.fold(sender.name))", default: []].insert(sender)
        }
        for alike in senders.values {
            for sender in alike {
                let isOnPage = alike.contains { $0.user != sender.user }
                let found = isOnPage ? [Use(since: .min, until: nil)] : try Self.others(with: sender, db)
                if !found.isEmpty { uses[sender] = found }
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

    /// The limit of other people who are looked up for one name.
    private static let limit = 100

    /// Returns the times in which other people of the room have a name like the sender's. An index finds them.
    private static func others(with sender: Sender, _ db: ReadTransaction) throws -> [Use] {
        // The index folds the letters of ASCII alone.
        let ascii = String(
            decoding: sender.name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        return try db.all(
            """
            SELECT first_seen_us, last_seen_us FROM user_name
            WHERE \(.folded("name")) IN (?1, ?2) AND user_id <> ?3
              AND (EXISTS (SELECT 1 FROM sender_count AS c WHERE c.room_id = ?4 AND c.sender_id = user_name.user_id)
                OR EXISTS (SELECT 1 FROM membership AS p WHERE p.room_id = ?4 AND p.user_id = user_name.user_id))
            LIMIT \(limit)
            """, [.text(ascii), .text(fold(sender.name)), .integer(sender.user), .integer(sender.room)]
        ) { Use(since: try $0.integer(0), until: try $0.optionalInteger(1)) }
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
