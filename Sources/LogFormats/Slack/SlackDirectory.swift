import Bytes
import ChatModel

/// The people and rooms of a Slack export, by their ids.
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
        /// The other person of a conversation of two, in Slack's own object.
        var user: String?
        var is_im, is_mpim: Bool?
        var purpose: Purpose?
        var creator: String?

        struct Purpose: Decodable { var value: String? }
    }

    struct Room: Sendable, Hashable {
        var key: String?
        var name: String
        var kind: RoomReference.Kind
        /// The purpose, as Slack calls it.
        var description: String?
        /// The id of the person who created it.
        var owner: String?
    }

    /// The workspace whose lists and rooms are being read, in an export of several; empty for none.
    var team = ""

    private var users: [String: String] = [:]
    private var pictures: [String: String] = [:]
    /// The rooms by their ids, and by their folders: `general`, or `sales/general` in a workspace.
    private var rooms: [String: Room] = [:]
    private var channels: [String: String] = [:]
    /// The memory that the names may still take.
    private(set) var budget = NameBudget()

    /// The limit of members in the name of a conversation that has none. Slack has such conversations for up to nine
    /// people.
    private static let maximumMembers = 10

    /// The lists, in the order of reading: people first, because a conversation is named after its people.
    static let files = [
        "org_users.json", "users.json", "channels.json", "groups.json", "mpims.json", "dms.json",
        "file_conversations.json",
    ]
    /// The lists of documents, of which an export has only the addresses, with the word for one. They are read after the
    /// rooms.
    static let documents = [
        "canvases.json": "canvas", "lists.json": "list", "huddle_transcripts.json": "transcript of a huddle",
    ]

    mutating func addUser(_ user: User) {
        let profile = user.profile
        let name = ExportText.name(
            profile?.display_name, profile?.real_name, user.real_name, user.name, user.id)
        guard users[user.id] != nil || budget.reserve(user.id, name) else { return }
        users[user.id] = name
        let picture = ExportText.name(profile?.image_192, profile?.image_72)
        if let picture, pictures[user.id] != nil || budget.reserve(user.id, picture) { pictures[user.id] = picture }
    }

    /// Returns the address of a person's picture; nil if it is unknown.
    func picture(_ user: String) -> String? { pictures[user] }

    /// - Parameter file: The name of the list that has the room.
    mutating func addRoom(_ room: Conversation, from file: String) {
        let isNamed = ["channels.json", "groups.json", "file_conversations.json"].contains(file)
        let members = (room.members ?? []).prefix(Self.maximumMembers).map { user($0) ?? $0 }.joined(separator: ", ")
        let title = file == "file_conversations.json" ? room.name.flatMap(Self.title) : nil
        let name = (isNamed ? nil : ExportText.name(members)) ?? ExportText.name(title, room.name, room.id) ?? ""
        // The room is stored by its id, by its folder, and in ``channels``.
        let purpose = ExportText(lines: [room.purpose?.value]).string
        guard budget.reserve(room.id, room.name, name, team, purpose, room.creator, entries: 3) else { return }
        var found = Room(key: room.id, name: name, kind: isNamed ? .channel : file == "dms.json" ? .direct : .group)
        (found.description, found.owner) = (purpose, isNamed ? ExportText.name(room.creator) : nil)
        rooms[room.id] = found
        if let folder = room.name { rooms[path(folder)] = found }
        if isNamed { channels[room.id] = name }
    }

    /// Returns `Links` for the comments on a canvas, `FC:F0123:Links`.
    private static func title(_ name: String) -> String? {
        let parts = name.split(separator: ":", maxSplits: 2)
        return parts.count == 3 && parts[0] == "FC" ? ExportText.name(String(parts[2])) : nil
    }

    /// Adds a room from Slack's own object, which gives its kind.
    mutating func addRoom(_ room: Conversation) {
        var room = room
        if let user = room.user, room.members == nil { room.members = [user] }
        guard rooms[room.id] == nil else { return }
        addRoom(room, from: room.is_im == true ? "dms.json" : room.is_mpim == true ? "mpims.json" : "channels.json")
    }

    /// Returns the room of an id. A room that no list has gets its id as its name.
    func room(withID id: String) -> Room {
        rooms[id] ?? Room(key: id.withoutNUL, name: id.withoutNUL, kind: .channel)
    }

    func user(_ id: String) -> String? { users[id] ?? (id == "USLACKBOT" ? "Slackbot" : nil) }
    func channel(_ id: String) -> String? { channels[id] }

    /// Returns the room of a folder. A room that no list has gets the folder's name.
    func room(inFolder name: String) -> Room {
        if let room = rooms[path(name)] { return room }
        if let room = rooms[name], room.key == name { return room }
        return Room(key: nil, name: name.withoutNUL, kind: .channel)
    }

    private func path(_ folder: String) -> String { team.isEmpty ? folder : "\(team)/\(folder)" }
}
