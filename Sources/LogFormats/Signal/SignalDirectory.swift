import ChatModel
import FoundationEssentials

/// The people, groups and chats of a Signal export, by the numbers that they have in it.
struct SignalDirectory: Sendable {
    struct Recipient: Sendable {
        var name: String
        /// The account's UUID, or else its phone number; for a group, a hash of its key; nil if the export has none.
        var key: String?
        var isDirect = false

        var kind: RoomReference.Kind { isDirect ? .direct : .group }
    }

    private var recipients: [String: Recipient] = [:]
    /// The numbers of people by their UUID.
    private var accounts: [String: String] = [:]
    /// The numbers of recipients by those of chats.
    private var chats: [String: String] = [:]
    private var budget = NameBudget()
    /// The name of the account that was exported.
    private var ownName = "You"

    /// The key of the account that was exported, whose UUID the export does not have.
    static let ownKey = "self"

    var assumptions: [String] { budget.assumptions }

    mutating func noteAccount(_ json: JSONValue) throws(UnreadablePiece) {
        let names = [try json.text("givenName"), try json.text("familyName")]
        ownName = ExportText.name(Self.joined(names), try json.text("username")) ?? ownName
    }

    mutating func addRecipient(_ json: JSONValue) throws(UnreadablePiece) {
        let id = try json.required("id").scalar().text
        let recipient: Recipient
        if let contact = try json.object("contact") {
            recipient = try Self.contact(contact, id: id)
        } else if let group = try json.object("group") {
            recipient = try Self.group(group, id: id)
        } else if json["self"] != nil {
            recipient = Recipient(name: ownName, key: Self.ownKey)
        } else if json["releaseNotes"] != nil {
            recipient = Recipient(name: "Signal", key: "releaseNotes", isDirect: true)
        } else {
            // Skips a list of people who see stories and the link of a call, which have no chat.
            return
        }
        guard budget.reserve(id, recipient.name, recipient.key, recipient.isDirect ? recipient.key : nil) else {
            return
        }
        recipients[id] = recipient
        if recipient.isDirect, let key = recipient.key { accounts[key] = id }
    }

    private static func contact(_ json: JSONValue, id: String) throws(UnreadablePiece) -> Recipient {
        let nickname = try json.object("nickname")
        let given = [try nickname?.text("given"), try nickname?.text("family")]
        let system = [try json.text("systemGivenName"), try json.text("systemFamilyName")]
        let profile = [try json.text("profileGivenName"), try json.text("profileFamilyName")]
        let names = [joined(given), joined(system), joined(profile), try json.text("username")]
        let number = try json.scalar("e164")?.id.map { $0.hasPrefix("+") ? $0 : "+\($0)" }
        let (account, ofNumber) = (uuid(try json.text("aci")), uuid(try json.text("pni")))
        let key = account ?? number ?? ofNumber.map { "PNI:\($0)" }
        let name = names.lazy.compactMap { ExportText.name($0) }.first ?? number ?? "Unknown"
        return Recipient(name: name, key: key, isDirect: true)
    }

    private static func group(_ json: JSONValue, id: String) throws(UnreadablePiece) -> Recipient {
        let title = try json.object("snapshot")?.object("title")?.text("title")
        // Stores a hash, because anyone who has the key itself can read the group's state from Signal's servers.
        let key = try json.text("masterKey").flatMap { Data(base64Encoded: $0) }.map { SHA256.hexadecimal(Array($0)) }
        return Recipient(name: ExportText.name(title) ?? "Group \(id)", key: key.map { "group:\($0)" })
    }

    private static func joined(_ names: [String?]) -> String {
        names.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns `11111111-1111-4111-8111-111111111111` for that text or for the Base64 of its bytes; nil for anything
    /// else.
    static func uuid(_ text: String?) -> String? {
        guard let text else { return nil }
        if let uuid = UUID(uuidString: text) { return uuid.uuidString.lowercased() }
        guard let bytes = Data(base64Encoded: text), bytes.count == 16 else { return nil }
        var digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        for place in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place)) }
        return digits
    }

    mutating func addChat(_ json: JSONValue) throws(UnreadablePiece) {
        let (id, recipient) = (try json.required("id").scalar().text, try json.required("recipientId").scalar().text)
        if budget.reserve(id, recipient) { chats[id] = recipient }
    }

    /// Returns the person with a number; nil if the export has none.
    func person(_ id: String?) -> Recipient? { id.flatMap { recipients[$0] } }

    /// Returns the person whose account has this UUID, in Base64; nil if the export has none, as for the account that
    /// was exported.
    func person(account uuid: String?) -> Recipient? {
        Self.uuid(uuid).flatMap { accounts[$0] }.flatMap { recipients[$0] }
    }

    func name(ofAccount uuid: String?) -> String { person(account: uuid)?.name ?? "unknown" }

    /// Returns the chat with a number; nil if the export has none.
    func room(_ chat: String) -> Recipient? {
        guard let room = chats[chat].flatMap({ recipients[$0] }) else { return nil }
        return room.key == Self.ownKey ? Recipient(name: "Note to Self", key: Self.ownKey, isDirect: true) : room
    }
}
