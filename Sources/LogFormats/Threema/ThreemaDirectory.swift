import Bytes
import ChatModel

/// The people, rooms, polls and reactions of a backup, from the tables that are read before the messages.
struct ThreemaDirectory: Sendable {
    struct Room: Sendable {
        var name: String
        /// The contact's identity, or the group's id and creator; nil if the backup lacks them.
        var key: String?
        var kind: RoomReference.Kind
        var description: String?
        /// The other person in a chat of two; nil in other rooms.
        var contact: Person?
    }

    struct Person: Sendable {
        var name: String
        /// The person's identity; nil for the owner, and if only the number of a file is known.
        var key: String?
    }

    private struct Poll: Sendable {
        var name: String
        var choices: [String] = []
    }

    /// The names of contacts by identity.
    private var names: [String: String] = [:]
    /// The identities by the ids in names of files, which are random since version 19 of the backups.
    private var identities: [String: String] = [:]
    private var groups: [String: Room] = [:]
    private var lists: [String: Room] = [:]
    /// The polls by the number that messages have, and these numbers by the id that choices have.
    private var polls: [String: Poll] = [:]
    private var pollNumbers: [String: String] = [:]
    private var reactions: [String: [(text: String, identity: String, at: Timestamp?)]] = [:]
    /// The owner's identity, which only reactions have.
    private var owner: String?
    private var budget = NameBudget()
    private var reactionBudget = NameBudget()

    /// More choices than a poll can have.
    private static let maximumChoices = 100
    /// The people after whom a group without a name is called.
    private static let maximumNamed = 20

    var assumptions: [String] { budget.assumptions + reactionBudget.assumptions(leftOut: "reactions") }

    // MARK: - Tables

    /// Notes a row of a table without messages.
    mutating func note(_ row: ThreemaRow, of table: ThreemaTable) throws(UnreadablePiece) {
        switch table {
        case .contacts: noteContact(try Self.field("identity", row), row)
        case .groups: noteGroup(try Self.field("id", row), creator: try Self.field("creator", row), row)
        case .lists:
            let id = try Self.field("id", row)
            let name = ExportText.name(row["distribution_list_name"], id) ?? id
            if budget.reserve(id, name) { lists[id] = Room(name: name, key: "list:\(id)", kind: .group) }
        case .polls: notePoll(try Self.field("id", row), row)
        case .choices:
            guard let poll = pollNumbers[try Self.field("ballot", row)], let choice = ExportText.name(row["name"]),
                polls[poll]?.choices.count ?? 0 < Self.maximumChoices, budget.reserve(choice)
            else { return }
            polls[poll]?.choices.append(choice)
        case .contactReactions:
            let (room, sender) = (try Self.field("identity", row), try Self.field("sender_identity", row))
            // Only two people can react in a chat of two.
            if sender != room { owner = owner ?? sender }
            noteReaction(in: room, try Self.field("api_message_id", row), by: sender, row)
        case .groupReactions:
            let group = Self.key(try Self.field("api_group_id", row), try Self.field("group_creator_identity", row))
            noteReaction(
                in: group, try Self.field("api_message_id", row), by: try Self.field("sender_identity", row), row)
        case .chat, .group, .list: break
        }
    }

    private static func field(_ column: String, _ row: ThreemaRow) throws(UnreadablePiece) -> String {
        guard let text = ExportText.name(row[column]) else { throw UnreadablePiece("its \"\(column)\" is empty") }
        return text
    }

    private static func key(_ group: String, _ creator: String) -> String { "\(group.lowercased())-\(creator)" }

    private mutating func noteContact(_ identity: String, _ row: ThreemaRow) {
        let parts = [row["firstname"], row["lastname"]].compactMap { $0?.trimmedOfBlanks }.filter { !$0.isEmpty }
        let name =
            ExportText.name(parts.joined(separator: " "), row["nick_name"]?.trimmedOfBlanks, identity) ?? identity
        let file = ExportText.name(row["identity_id"], identity) ?? identity
        guard budget.reserve(identity, name, file, identity, entries: 2) else { return }
        (names[identity], identities[file]) = (name, identity)
    }

    private mutating func noteGroup(_ id: String, creator: String, _ row: ThreemaRow) {
        let key = Self.key(id, creator)
        let members =
            row["members"]?.split(separator: ";").prefix(Self.maximumNamed).compactMap { names[String($0)] } ?? []
        let name = ExportText.name(row["groupname"], members.joined(separator: ", "), id) ?? id
        let file = ExportText.name(row["group_uid"]) ?? "\(id)-\(creator)"
        let description = ExportText(lines: [row["groupDesc"]]).string
        guard budget.reserve(file, key, name, description) else { return }
        groups[file] = Room(name: name, key: key, kind: .group, description: description)
    }

    private mutating func notePoll(_ number: String, _ row: ThreemaRow) {
        let id = "\(row["aid"] ?? "")-\(row["creator"] ?? "")"
        guard let name = ExportText.name(row["name"]), budget.reserve(number, name, id, number, entries: 2) else {
            return
        }
        (polls[number], pollNumbers[id]) = (Poll(name: name), number)
    }

    private mutating func noteReaction(in room: String, _ message: String, by sender: String, _ row: ThreemaRow) {
        guard let text = ExportText.name(row["emoji_sequence"]), reactionBudget.reserve(room, message, sender, text)
        else {
            return
        }
        reactions[Self.place(message, in: room), default: []].append((text, sender, row.time("reacted_at")))
    }

    private static func place(_ message: String, in room: String) -> String { "\(room)/\(message)" }

    // MARK: - Facts of messages

    /// Returns the name of a person; the owner's is ``OwnWord/sender``.
    func person(_ identity: String) -> Person {
        identity == owner
            ? Person(name: OwnWord.sender, key: nil) : Person(name: names[identity] ?? identity, key: identity)
    }

    /// Returns the room of a table of messages; nil for another table.
    func room(of table: ThreemaTable) -> Room? {
        switch table {
        case .chat(let id):
            // Before version 19 of the backups, the file's name has the identity.
            let identity = identities[id] ?? (Self.isIdentity(id) ? id : nil)
            let person = identity.map(person) ?? Person(name: ExportText.name(id) ?? id, key: nil)
            return Room(name: person.name, key: person.key, kind: .direct, contact: person)
        case .group(let id):
            // Before version 19, the file's name has the group's id and creator.
            let hasKey = id.utf8.count > Self.identityLength && Self.isIdentity(String(id.suffix(Self.identityLength)))
            return groups[id] ?? Room(name: ExportText.name(id) ?? id, key: hasKey ? id : nil, kind: .group)
        case .list(let id): return lists[id] ?? Room(name: ExportText.name(id) ?? id, kind: .group)
        default: return nil
        }
    }

    private static let identityLength = 8

    /// Returns true for eight capital letters and digits, of which the first may be `*`.
    private static func isIdentity(_ text: String) -> Bool {
        text.utf8.count == identityLength
            && text.utf8.enumerated().allSatisfy { index, byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || index == 0 && byte == Byte.star
            }
    }

    func reactions(to message: String, in room: Room) -> [ImportedMessage.Reaction] {
        guard let key = room.key, let found = reactions[Self.place(message, in: key)] else { return [] }
        return found.map { reaction in
            let person = person(reaction.identity)
            return ImportedMessage.Reaction(
                text: reaction.text, user: person.name, userKey: person.key, at: reaction.at)
        }
    }

    /// Returns the question of a poll, and its choices; nil for one that the backup lacks.
    func poll(_ number: String) -> (name: String, choices: [String])? {
        polls[number].map { ($0.name, $0.choices) }
    }

    /// Returns a text with names in place of the identities in its mentions: `@[ABCD1234]`, and `@[@@@@@@@@]` for all.
    func withNames(_ text: String) -> String {
        guard text.utf8.contains(Byte.at) else { return text }
        var (named, rest) = ([UInt8](), Array(text.utf8)[...])
        // A longer text is cut at its limit.
        while named.count <= ExportText.maximumBody, let (before, after) = rest.parted(by: "@[") {
            named += before
            if let name = mentioned(in: after) {
                named += "@\(name)".utf8
                rest = after.dropFirst(Self.identityLength + 1)
            } else {
                named += "@[".utf8
                rest = after
            }
        }
        return String(decoding: named + rest, as: UTF8.self)
    }

    /// Returns the name of the person whose mention ends here (`ABCD1234]`); nil for another text.
    private func mentioned(in rest: ArraySlice<UInt8>) -> String? {
        guard rest.dropFirst(Self.identityLength).first == Byte.listEnd else { return nil }
        let identity = String(decoding: rest.prefix(Self.identityLength), as: UTF8.self)
        return identity == "@@@@@@@@" ? "all" : Self.isIdentity(identity) ? person(identity).name : nil
    }
}
