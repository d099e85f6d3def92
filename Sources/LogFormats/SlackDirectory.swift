/// Who and what rooms a Slack export has, by their ids.
struct SlackDirectory: Sendable {
    struct User: Decodable {
        var id: String
        var name, real_name: String?
        var profile: SlackMessage.Profile?
    }

    struct Conversation: Decodable {
        var id: String
        var name: String?
        var members: [String]?
    }

    struct Room: Sendable, Hashable {
        var key: String?
        var name: String
        var isDirect: Bool
    }

    private var users: [String: String] = [:]
    private var rooms: [String: Room] = [:]
    private var channels: [String: String] = [:]
    /// Of users and rooms that are not remembered.
    private(set) var forgotten = 0

    /// The largest workspaces that Slack allows have 500,000 members; of so many, at 100 bytes, 20 MB are kept.
    static let maximumEntries = 200_000
    /// Of a conversation without a name of its own; Slack has them for up to nine people.
    private static let maximumMembers = 10

    /// In the order that they are read in: a conversation is named after its people.
    static let files = ["org_users.json", "users.json", "channels.json", "groups.json", "mpims.json", "dms.json"]

    mutating func add(_ user: User) {
        let profile = user.profile
        let name = ExportText.name(
            profile?.display_name, profile?.real_name, user.real_name, user.name, user.id)
        guard users.count < Self.maximumEntries else { return forgotten += 1 }
        users[user.id] = name
    }

    /// - Parameter file: That tells of it.
    mutating func add(_ room: Conversation, from file: String) {
        guard rooms.count < Self.maximumEntries else { return forgotten += 1 }
        let isNamed = file == "channels.json" || file == "groups.json"
        let members = (room.members ?? []).prefix(Self.maximumMembers).map { user($0) ?? $0 }.joined(separator: ", ")
        let name = (isNamed ? nil : ExportText.name(members)) ?? ExportText.name(room.name, room.id) ?? ""
        let found = Room(key: room.id, name: name, isDirect: file == "dms.json")
        rooms[room.id] = found
        if let folder = room.name { rooms[folder] = found }
        if isNamed { channels[room.id] = name }
    }

    func user(_ id: String) -> String? { users[id] ?? (id == "USLACKBOT" ? "Slackbot" : nil) }
    func channel(_ id: String) -> String? { channels[id] }

    /// Of a folder; one that no list tells of is called as that.
    func room(inFolder name: String) -> Room {
        rooms[name] ?? Room(key: nil, name: name.withoutNUL, isDirect: false)
    }
}
