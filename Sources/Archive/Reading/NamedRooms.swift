import ChatModel
import GRDB
import SearchText

/// The rooms of one account that `in:` of a query names, by a current or earlier name.
struct NamedRooms {
    /// The rooms' numbers by the name in the query.
    private var meant: [String: Set<Int64>] = [:]
    /// Today's names by the room's number.
    private var names: [Int64: String] = [:]

    /// Finds the rooms of each name by the strictest reading that fits any room, as for the `ROOM` of a command.
    /// Several rooms may fit.
    init(_ query: SearchQuery, of account: AccountIdentity, _ db: Database) throws {
        let arguments = Set((query.all.joined() + query.none).compactMap(\.roomName)).map(RoomArgument.init)
        guard !arguments.isEmpty else { return }
        let rooms: [(id: Int64, name: String)] = try Row.fetchAll(
            db, sql: "SELECT room_id, name, last_seen_us IS NULL FROM room_name"
        ).map { row in
            let (id, name): (Int64, String) = try (row.value(0), row.value(1))
            if try row.value(2) { names[id] = name }
            return (id, name)
        }
        for argument in arguments {
            for reading in RoomArgument.Reading.allCases where meant[argument.text] == nil {
                let found = rooms.filter {
                    argument.fits(account: account.name, name: $0.name, id: $0.id, as: reading)
                }
                if !found.isEmpty { meant[argument.text] = Set(found.map(\.id)) }
            }
        }
    }

    /// Returns the facets of these rooms in the search index.
    func facets(of name: String) -> [String] {
        (meant[name] ?? []).sorted().map { "r\($0)" }
    }

    /// Returns true if the room fulfils the term; nil for a term that does not name a room.
    func isMeant(_ room: String, by term: Term) -> Bool? {
        term.roomName.map { name in (meant[name] ?? []).contains { names[$0] == room } }
    }
}

extension Term {
    var roomName: String? {
        if case .room(let name) = self { name } else { nil }
    }
}
