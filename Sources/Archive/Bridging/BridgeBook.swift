import ChatModel
import GRDB

/// The bridges of an account, by which messages of a bot get the people who wrote them as senders.
///
/// Such a person's key names the bridge: ``BridgeKey``. The text stays as the bot wrote it, so readers show it without the
/// prefix, and nothing else of a message differs.
struct BridgeBook {
    private struct Rule {
        let key: String
        let name: String
        let pattern: BridgePattern
    }

    private let rules: [Rule]

    /// The kinds of a bot's messages that people may have written.
    static let kinds: Set<MessageKind> = [.message, .action, .notice]

    init(_ db: Database) throws {
        guard try db.tableExists("bridge") else {
            rules = []
            return
        }
        // A row that a damage changed makes no bridge.
        rules = try Row.fetchAll(
            db,
            sql: """
                SELECT key, bot, pattern FROM bridge JOIN user ON user.id = bot_id
                WHERE key IS NOT NULL AND is_active = 1 ORDER BY bridge.id
                """
        ).compactMap { row in
            let (key, name, pattern): (String, String, String) = try (row.value(0), row.value(1), row.value(2))
            return (try? BridgePattern(pattern)).map { Rule(key: key, name: name, pattern: $0) }
        }
    }

    var isEmpty: Bool { rules.isEmpty }

    /// Returns true for a message that ``apply(to:_:)`` may change.
    func mayApply(to message: IncomingMessage) -> Bool {
        guard let key = message.sender?.key else { return false }
        return BridgeKey.isBridged(key) || rules.contains { $0.key.isExactly(key) }
    }

    /// Changes the sender to the person who wrote the message, if a bridge brought it.
    ///
    /// A key from the network that looks like a bridged person's is made another one.
    func apply(to message: inout IncomingMessage, _ folding: NameFolding) {
        guard let sender = message.sender else { return }
        if BridgeKey.isBridged(sender.key) { message.sender?.key = "\u{FFFD}" + sender.key.dropFirst() }
        guard let found = person(sender.key, message.kind, message.body, folding) else { return }
        message.sender = found
    }

    /// Returns a message of an import with the person who wrote it as its sender, if a bridge brought it.
    func applied(to original: ImportedMessage, _ folding: NameFolding) -> ImportedMessage {
        guard let name = original.sender else { return original }
        var message = original
        let key: String? =
            switch message.exact?.sender {
            case .key(let key)?: key
            case .former?: nil
            case nil: message.senderKey ?? folding.fold(name)
            }
        guard let key, let found = person(key, message.kind, message.body, folding) else { return original }
        message.sender = found.name
        if message.exact == nil {
            message.senderKey = found.key
        } else {
            message.exact?.sender = .key(found.key)
        }
        return message
    }

    private func person(
        _ key: String, _ kind: MessageKind, _ body: String?, _ folding: NameFolding
    ) -> UserReference? {
        guard let body, Self.kinds.contains(kind) else { return nil }
        for rule in rules where rule.key.isExactly(key) {
            if let found = rule.pattern.match(body) {
                return Self.person(found.nick, of: rule.name, rule.pattern, folding)
            }
        }
        return nil
    }

    static func person(
        _ nick: String, of bot: String, _ pattern: BridgePattern, _ folding: NameFolding
    ) -> UserReference {
        UserReference(key: BridgeKey(bot: bot, pattern: pattern, nick: folding.fold(nick)).text, name: nick)
    }

    // MARK: Rows

    static func add(_ request: Bridging, at time: Timestamp, _ db: Database) throws {
        try db.execute(
            sql:
                "INSERT INTO bridge (bot_id, bot, pattern, at_us) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET is_active = 1, is_done = 0",
            arguments: [request.bot, request.name, request.pattern.text, time.microseconds])
    }

    static func setDone(_ request: Bridging, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE bridge SET is_done = 1 WHERE bot_id = ? AND pattern = ?",
            arguments: [request.bot, request.pattern.text])
    }

    /// Returns the bot's name in the keys of a bridge's people, which stays when the bot gets another name; nil if there is
    /// no such bridge.
    static func name(of request: Bridging, _ db: Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT bot FROM bridge WHERE bot_id = ? AND pattern = ?",
            arguments: [request.bot, request.pattern.text])
    }

    /// - Throws: ``ArchiveError`` with `merge` while messages are being moved: an import would find some of them with
    ///   neither sender.
    static func requireFinished(_ db: Database) throws {
        let isUnfinished = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM bridge WHERE is_done = 0)"))
        guard isUnfinished == true else { return }
        throw ArchiveError(
            code: .merge,
            detail: "a bridge of the account is being made or undone; try again when \"archive bridge\" is finished")
    }

    /// Ends a bridge, whose messages are given back from now on.
    static func end(_ request: Bridging, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE bridge SET is_active = 0, is_done = 0 WHERE bot_id = ? AND pattern = ?",
            arguments: [request.bot, request.pattern.text])
    }

    static func remove(_ request: Bridging, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM bridge WHERE bot_id = ? AND pattern = ?", arguments: [request.bot, request.pattern.text])
    }

    /// Returns the numbers of the people of a bridge.
    static func people(of request: Bridging, _ db: Database) throws -> [Int64] {
        let start = BridgeKey(bot: request.name, pattern: request.pattern).text
        // The character after the separator ends the range.
        return try Int64.fetchAll(
            db, sql: "SELECT id FROM user WHERE key >= ? AND key < ? ORDER BY id",
            arguments: [start, start.dropLast() + " "])
    }

    /// SQL that is true for the key of a person who is not of a bridge.
    ///
    /// - Parameter key: SQL for the key.
    static func isOwn(key: String) -> String { "(\(key) IS NULL OR \(key) < char(31) OR \(key) >= char(32))" }
}
