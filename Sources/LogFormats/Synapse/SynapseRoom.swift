/// The facts about a room that its events give, before they are read as messages.
struct SynapseRoom {
    /// The version of the room; nil if its creation is unknown.
    private(set) var version: MatrixRoomVersion?
    /// The room's id.
    private(set) var id: String?
    private var name: String?
    private var alias: String?
    /// The present members' names by their ids.
    private var members: [String: String] = [:]
    private var budget = NameBudget()

    /// The members that name a room without a name, as many as homeservers list.
    private static let mostNaming = 5

    /// Learns what an event says about the room. Of several, the last one counts.
    mutating func learn(_ event: JSONValue) {
        let content = event["content"]
        id = id ?? event["room_id"]?.text
        switch event["type"]?.text {
        case "m.room.create":
            let version = MatrixRoomVersion(name: content?["room_version"]?.text)
            self.version = version
            if id == nil { id = (try? version.id(of: event)).map { "!" + $0.dropFirst() } }
        case "m.room.name": name = ExportText.name(content?["name"]?.text)
        case "m.room.canonical_alias": alias = ExportText.name(content?["alias"]?.text)
        case "m.room.member":
            guard let member = event["state_key"]?.text else { return }
            guard content?["membership"]?.text == "join" else {
                members[member] = nil
                return
            }
            let shown = ExportText.name(content?["displayname"]?.text) ?? member
            if members[member] != nil || budget.reserve(member, shown) { members[member] = shown }
        default: break
        }
    }

    /// Returns the room's name: its own, its address, or the names of some members. Nil for a room without any.
    ///
    /// - Parameter me: The account's id, whose name is left out; nil if it is unknown.
    func shownName(besides me: String?) -> String? {
        let others = members.filter { $0.key != me }.sorted { $0.key < $1.key }.prefix(Self.mostNaming).map(\.value)
        return name ?? alias ?? (others.isEmpty ? nil : others.joined(separator: ", "))
    }
}
