import ChatModel
import Records
import Schema

/// The names of people and rooms at the times of a run of messages, read once for each person and room.
///
/// For runs of a thousand messages, such as those of an export. For a page, the subqueries of
/// ``PageReader/name(_:_:at:)`` give the same names.
struct NamesThen {
    /// A row of `user_name` or `room_name`: the name is used from this id until the next row's.
    private struct Span {
        var since: Int64
        var name: String
    }

    private let people: [Int64: [Span]]
    private let rooms: [Int64: [Span]]
    /// The account's own people.
    private let own: Set<Int64>

    init(of messages: [Message], _ db: ReadTransaction) throws {
        let senders = SQLArgument.list(Set(messages.compactMap(\.sender?.id)).sorted())
        people = try Self.spans("user_name", "user_id", of: senders, db)
        rooms = try Self.spans("room_name", "room_id", of: .list(Set(messages.map(\.roomID)).sorted()), db)
        var own: Set<Int64> = []
        try db.forEach(
            "SELECT u.id FROM \(.each(1)) \(.crossJoin) \"user\" AS u ON u.id = value WHERE u.is_self = 1", [senders]
        ) { own.insert(try $0.integer(0)) }
        self.own = own
    }

    private static func spans(
        _ table: String, _ key: String, of ids: SQLArgument, _ db: ReadTransaction
    ) throws -> [Int64: [Span]] {
        var spans: [Int64: [Span]] = [:]
        try db.forEach(
            "SELECT \(key), first_seen_us, name FROM \(.each(1)) \(.crossJoin) \(table) ON \(key) = value", [ids]
        ) { row in
            spans[try row.integer(0), default: []].append(Span(since: try row.limit(1), name: try row.text(2)))
        }
        // SQL leaves the order open. SQLite reads each person's in order, so there is nothing to move.
        for id in spans.keys { spans[id]?.sort { $0.since < $1.since } }
        return spans
    }

    /// Completes a message that has no names.
    func add(to message: inout Message) {
        let id = message.id.microseconds
        message.room = Self.name(at: id, in: rooms[message.roomID])
        guard let sender = message.sender else { return }
        message.sender?.name = Self.name(at: id, in: people[sender.id])
        message.sender?.isSelf = own.contains(sender.id)
    }

    /// Returns the name at a time; before the first sighting, the earliest one.
    private static func name(at id: Int64, in spans: [Span]?) -> String {
        guard let spans, let first = spans.first else { return "" }
        guard spans.count > 1 else { return first.name }
        return spans[max(0, spans.partitioningIndex { $0.since > id } - 1)].name
    }
}
