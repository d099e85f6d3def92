import Archive
import ChatModel
import Operations
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
    static func people(of account: String, _ reading: ArchiveReading) async throws -> [Self] {
        let counted = UsersOperation(selection: RoomSelection(room: nil, accounts: [account]), order: .name)
        return try await (counted.users(in: reading) ?? []).map { user in
            let names = user.names.sorted { $0.firstSeen < $1.firstSeen }.map(\.name)
            return NamedSubject(id: user.id, names: names, messages: user.messages ?? 0)
        }
    }

    /// Finds the one that a name of today or before means, or an id such as `id:12`. A name of today wins.
    ///
    /// - Throws: ``OperationError`` if none or several have the name.
    static func find(_ name: String, among all: [Self], _ kind: Merging.Kind, of account: String) throws -> Self {
        let byID = all.filter { name == "id:\($0.id)" }
        let named = all.filter { subject in subject.names.contains { $0.isExactly(name) } }
        let today = named.filter { $0.name.isExactly(name) }
        let found = byID.isEmpty ? (today.isEmpty ? named : today) : byID
        if let one = found.first, found.count == 1 { return one }
        let noun = kind == .people ? "person" : "room"
        guard found.isEmpty else {
            throw OperationError(
                .ambiguous, "\(found.count) have the name \"\(Sanitizer.line(name))\"",
                hint: "name one by id: " + found.map(\.text).joined(separator: ", "))
        }
        // Other commands take `ACCOUNT/ROOM`.
        let part = kind == .rooms && name.hasPrefix(account + "/") ? String(name.dropFirst(account.count + 1)) : name
        let nearest = NearNames.question(for: part, among: all.flatMap(\.names)).map { "\($0) " } ?? ""
        throw OperationError(
            kind == .people ? .unknownUser : .unknownRoom,
            "account \(Sanitizer.line(account)) has no \(noun) \"\(Sanitizer.line(name))\"",
            hint: nearest + "\"scrollback \(kind == .people ? "users" : "rooms")\" lists them")
    }
}
