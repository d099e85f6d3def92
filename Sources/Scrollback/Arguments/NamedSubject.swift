import Bytes
import ChatModel
import Operations
import Reading
import Rendering

/// A person or a room that an argument names.
struct NamedSubject {
    var id: Int64
    /// All names, the latest last.
    var names: [String]
    var messages: Int64

    var name: String { names.last ?? "" }
    /// The name and the id, as people can give them back.
    var text: String { "\(Sanitizer.line(name)) (id:\(id))" }

    init(id: Int64, names: [String], messages: Int64) { (self.id, self.names, self.messages) = (id, names, messages) }

    init(_ room: Room) { self.init(id: room.id, names: [room.name], messages: room.messages) }

    /// Returns the people of an account, with their counts of messages.
    static func people(of account: String, _ reading: ArchiveReading) throws -> [Self] {
        let counted = UsersOperation(selection: RoomSelection(room: nil, accounts: [account]), order: .name)
        return try (counted.users(in: reading) ?? []).map { user in
            let names = user.names.sorted { $0.firstSeen < $1.firstSeen }.map(\.name)
            return NamedSubject(id: user.id, names: names, messages: user.messages ?? 0)
        }
    }

    /// Finds the person that a name of today or before means, or an id such as `id:12`. A name of today wins.
    ///
    /// - Throws: ``OperationError`` if none or several have the name.
    static func person(_ name: String, among all: [Self], of account: String) throws -> Self {
        if let found = try exactly(name, among: all) { return found }
        let nearest = NearNames.question(for: name, among: all.flatMap(\.names)).map { "\($0) " } ?? ""
        throw OperationError(
            .unknownUser, "account \(Sanitizer.line(account)) has no person \"\(Sanitizer.line(name))\"",
            hint: nearest + "\"scrollback users\" lists them")
    }

    /// Finds the room of an account by an id such as `id:12`, by its exact name, or as the commands that read take it.
    /// Of rooms whose names differ only in case, it takes none, because what follows may not be undone.
    ///
    /// - Throws: ``OperationError`` if it means none or several.
    static func room(_ name: String, of account: String, _ reading: ArchiveReading) throws -> Self {
        let all = try reading.rooms(account: account).map(Self.init)
        if let found = try exactly(name, among: all) { return found }
        let rooms = try reading.namedRooms(accounts: [account])
        let meant = Set(RoomArgument(name).rooms(among: rooms).map(\.id))
        if meant.count > 1 { throw ambiguous(name, all.filter { meant.contains($0.id) }) }
        let room = try RoomResolver(rooms: rooms, folder: reading.folder, account: account).resolve(name)
        return all.first { $0.id == room.id } ?? Self(id: room.id, names: [room.name], messages: 0)
    }

    /// Returns the only one with that id or that exact name; nil if there is none.
    private static func exactly(_ name: String, among all: [Self]) throws -> Self? {
        let byID = all.filter { name == "id:\($0.id)" }
        let named = all.filter { subject in subject.names.contains { $0.isExactly(name) } }
        let today = named.filter { $0.name.isExactly(name) }
        let found = byID.isEmpty ? (today.isEmpty ? named : today) : byID
        guard found.count < 2 else { throw ambiguous(name, found) }
        return found.first
    }

    private static func ambiguous(_ name: String, _ found: [Self]) -> OperationError {
        OperationError(
            .ambiguous, "\(found.count) have the name \"\(Sanitizer.line(name))\"",
            hint: "name one by id: " + found.map(\.text).joined(separator: ", "))
    }
}
