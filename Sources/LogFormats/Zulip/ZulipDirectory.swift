import ChatModel

/// The people, channels and conversations of a Zulip organisation, from `realm.json`.
///
/// The tables may be in any order, so the file is read twice: the second time for the tables that need the first ones.
struct ZulipDirectory: Sendable {
    struct Person: Sendable {
        var name: String
        var isBot: Bool
    }

    /// The receiver of a message: `Recipient` of Zulip's sources.
    private struct Recipient {
        /// 1 for one person, 2 for a channel, 3 for a group of people.
        var type: Int64
        /// The id of the person, the channel or the group.
        var id: String
    }

    private var people: [String: Person] = [:]
    private var streams: [String: (name: String, description: String?)] = [:]
    private var recipients: [String: Recipient] = [:]
    /// The people of groups, by recipient.
    private var members: [String: [String]] = [:]
    /// The reactions by message.
    private var reactions: [String: [(user: String, name: String)]] = [:]
    private var budget = NameBudget()
    private var reactionBudget = NameBudget()
    /// The votes in polls and the changes of to-do lists.
    private var submessages = 0

    var assumptions: [String] {
        budget.assumptions
            + (reactionBudget.forgotten > 0
                ? ["reactions skipped, because they take more than 24 MiB: \(reactionBudget.forgotten)"] : [])
            + (submessages > 0 ? ["votes in polls and changes of to-do lists skipped: \(submessages)"] : [])
    }

    static let tables = [
        "zerver_userprofile[]", "zerver_userprofile_crossrealm[]", "zerver_userprofile_mirrordummy[]",
        "zerver_stream[]", "zerver_recipient[]", "zerver_subscription[]", "zerver_reaction[]", "zerver_submessage[]",
    ]

    /// Notes a row of a table.
    ///
    /// - Parameter isSecond: True when the file is read for the second time.
    mutating func note(_ row: JSONValue, of table: String, isSecond: Bool) throws(UnreadablePiece) {
        switch (table, isSecond) {
        case ("zerver_stream[]", false):
            let id = try row.required("id").scalar().text
            let name = ExportText.name(try row.text("name"), id) ?? id
            let description = ExportText(lines: [try row.text("description")]).string
            if budget.reserve(id, name, description) { streams[id] = (name, description) }
        case ("zerver_recipient[]", false):
            let id = try row.required("id").scalar().text
            let recipient = Recipient(
                type: try row.required("type").scalar().integer ?? 0, id: try row.required("type_id").scalar().text)
            if budget.reserve(id, recipient.id) { recipients[id] = recipient }
        case ("zerver_subscription[]", true):
            let recipient = try row.required("recipient").scalar().text
            guard recipients[recipient]?.type == 3 else { return }
            let user = try row.required("user_profile").scalar().text
            if budget.reserve(recipient, user) { members[recipient, default: []].append(user) }
        case ("zerver_reaction[]", true):
            let message = try row.required("message").scalar().text
            let name = ExportText.name(try row.text("emoji_name")) ?? "?"
            let user = try row.required("user_profile").scalar().text
            if reactionBudget.reserve(message, user, name) { reactions[message, default: []].append((user, name)) }
        case ("zerver_submessage[]", true): submessages += 1
        case (_, false) where table.hasPrefix("zerver_userprofile"):
            let id = try row.required("id").scalar().text
            let name = ExportText.name(try row.text("full_name"), try row.text("email"), id) ?? id
            if budget.reserve(id, name) { people[id] = Person(name: name, isBot: try row.isTrue("is_bot")) }
        default: break
        }
    }

    func person(_ id: String) -> Person { people[id] ?? Person(name: id, isBot: false) }

    func reactions(to message: String) -> [ImportedMessage.Reaction] {
        (reactions[message] ?? []).map {
            ImportedMessage.Reaction(text: ":\($0.name):", user: person($0.user).name, userKey: $0.user)
        }
    }

    /// Returns the room of a recipient.
    ///
    /// - Parameter sender: The author of the message, who is one of the two people if the recipient is a person.
    func room(
        _ recipient: String, sender: String
    ) -> (name: String, key: String, kind: RoomReference.Kind, description: String?) {
        let known = recipients[recipient]
        let people: [String]
        switch known?.type {
        case 2:
            let id = known?.id ?? recipient
            return (streams[id]?.name ?? id, "stream:\(id)", .channel, streams[id]?.description)
        case 1: people = [sender, known?.id ?? sender]
        case 3: people = members[recipient] ?? []
        default: people = []
        }
        guard !people.isEmpty else { return (recipient, "recipient:\(recipient)", .group, nil) }
        // The number of digits first, so that ids are in their order.
        let sorted = Set(people).sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        let name = ExportText.name(sorted.map { person($0).name }.joined(separator: ", ")) ?? recipient
        return (name, "people:" + sorted.joined(separator: "-"), sorted.count > 2 ? .group : .direct, nil)
    }
}
