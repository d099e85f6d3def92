import Bytes
import ChatModel

struct ViberRow: DatabaseRow {
    var network: String? { nil }
    var error, table, chat, chatName, chatKey, chatType, time, own, event, person, key, type, subject, text: String?
    var info, path, id: String?

    private enum CodingKeys: String, CodingKey {
        case error, table, chat, time, own, event, person, key, type, subject, text, info, path, id
        case chatName = "chat_name"
        case chatKey = "chat_key"
        case chatType = "chat_type"
    }

    /// The sender's name and number; nil for an event of the program.
    var sender: (name: String?, key: String?) {
        own == "1" ? (OwnWord.sender, nil) : (ExportText.name(person), ExportText.name(key))
    }

    /// The time, from milliseconds since 1970.
    var instant: Timestamp {
        get throws(UnreadablePiece) {
            guard let number = time.flatMap({ Int64($0) }), number > 0 else {
                throw UnreadablePiece("its time is not a number")
            }
            return Timestamp(milliseconds: number)
        }
    }
}

/// The people of chats and the reactions to messages.
struct ViberFacts: DatabaseFacts {
    /// The people of each chat, except the account's owner.
    private var people: [String: [(name: String, key: String?)]] = [:]
    private var reactions: [String: [ImportedMessage.Reaction]] = [:]
    private var budget = NameBudget()

    /// The limit of people or reactions for one chat or message.
    private static let maximumEntries = 1000
    /// The limit of people in the name of a group without one.
    private static let maximumNames = 10

    var assumptions: [String] { budget.assumptions(leftOut: "reactions and people of groups") }

    mutating func add(_ row: ViberRow) throws(UnreadablePiece) {
        switch row.table {
        case "participant":
            guard row.own != "1", let chat = row.chat, let name = ExportText.name(row.person),
                people[chat]?.count ?? 0 < Self.maximumEntries, budget.reserve(chat, name, row.key)
            else { return }
            people[chat, default: []].append((name, ExportText.name(row.key)))
        case "reaction": try addReaction(row)
        default: throw UnreadablePiece("it has no known table")
        }
    }

    /// Adds a person's reaction in place of the former one. The number 0 takes it back.
    private mutating func addReaction(_ row: ViberRow) throws(UnreadablePiece) {
        guard let id = ExportText.name(row.id), let user = row.sender.name else { return }
        var list = reactions[id] ?? []
        list.removeAll { $0.user == user && $0.userKey == row.sender.key }
        if let text = Self.emoji(row.text), list.count < Self.maximumEntries, budget.reserve(id, user, text) {
            list.append(ImportedMessage.Reaction(text: text, user: user, userKey: row.sender.key, at: try? row.instant))
        }
        reactions[id] = list
    }

    /// Returns an emoji, or `:1:` for a reaction of Viber's bar, which has only its number: public readers say different
    /// emoji for it. Nil for a reaction that was taken back.
    private static func emoji(_ text: String?) -> String? {
        guard let text = ExportText.name(text), text != "0" else { return nil }
        return text.utf8.allSatisfy(Byte.isDigit) ? ":\(text):" : text
    }

    func reactions(to id: String) -> [ImportedMessage.Reaction] { reactions[id] ?? [] }

    /// Returns the room of a message's chat: a group by its id, a conversation by the other person's number.
    func room(of row: ViberRow) -> (name: String, key: String?, kind: RoomReference.Kind) {
        let people = (row.chat.flatMap { self.people[$0] } ?? []).sorted { $0.name < $1.name }
        let title = ExportText.name(row.chatName)
        let isDirect = title == nil && people.count < 2
        let names = people.prefix(Self.maximumNames).map(\.name).joined(separator: ", ")
        let name = ExportText.name(title, names, isDirect ? "My Notes" : nil, row.chat) ?? "chat"
        // `PGType` of channels.
        let kind: RoomReference.Kind = row.chatType == "3" ? .channel : isDirect ? .direct : .group
        return (name, isDirect ? people.first?.key : ExportText.name(row.chatKey), kind)
    }
}

/// The content of a message, by the type of `Messages` and the JSON of `Info`.
struct ViberContent {
    private(set) var kind = MessageKind.message
    private(set) var lines: [String?] = []
    private(set) var file: String?
    /// The id of the answered message.
    private(set) var replyTo: String?
    /// The id of the message of which this is a newer text.
    private(set) var edited: String?
    private(set) var isDeleted = false

    /// The limit of lines of a quoted text.
    private static let maximumQuote = 100

    init(_ row: ViberRow) throws(UnreadablePiece) {
        // Details that are not JSON say nothing.
        let info = row.info.flatMap { text in
            try? JSONValue(
                object: LogLine(number: 1, bytes: Array(text.utf8)[...]), limit: ViberFormat.maximumLine)
        }
        edited = try info?.object("edit")?.scalar("token")?.id
        let texts = [row.subject, row.text]
        if let quote = try info?.object("quote") {
            replyTo = try quote.scalar("token")?.id
            let text = try quote.text("text") ?? ""
            lines = text.split(separator: "\n").prefix(Self.maximumQuote).map { "> \($0)" }
        }
        guard row.event != "3" else {
            (kind, lines) = (.action, ["reacted"])
            return
        }
        switch row.type {
        case "72": isDeleted = true
        case "15": (kind, lines) = (.action, texts)
        case "4": lines += ["[sticker]"]
        case "5": lines += texts + ["[location]"]
        case "9":
            let address = try info?.text("URL")
            let title = try info?.text("Title")
            lines += [row.subject, ExportText.name(row.text) ?? address, title == row.text ? nil : title]
        default:
            lines += texts
            let name = try info?.object("fileInfo")?.text("FileName")
            guard ["2", "3", "6", "7", "11"].contains(row.type) || !(row.path ?? "").isEmpty else { return }
            file = ExportText.name(name, row.path.map(Self.name)) ?? "file"
        }
    }

    /// Returns the last part of a path of any system.
    private static func name(_ path: String) -> String {
        path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
    }
}
