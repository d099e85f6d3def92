import Bytes
package import ChatModel
import Files
package import SQLite
package import Schema

/// The bridges of an account, by which messages of a bot get the people who wrote them as senders.
///
/// Such a person's key names the bridge: ``BridgeKey``. The text stays as the bot wrote it, so readers show it without the
/// prefix, and nothing else of a message differs.
package struct BridgeBook {
    private struct Rule {
        let bot: Int64
        let name: String
        let pattern: BridgePattern
    }

    private let rules: [Rule]

    /// The kinds of a bot's messages that people may have written.
    package static let kinds: Set<MessageKind> = [.message, .action, .notice]

    package init(_ db: Database) throws {
        // A row that a damage changed makes no bridge.
        rules = try db.all(sql: "SELECT bot_id, bot, pattern FROM bridge WHERE is_active = 1 ORDER BY id") {
            row -> Rule? in
            let (bot, name, pattern): (Int64, String, String) = try (row.value(0), row.value(1), row.value(2))
            return (try? BridgePattern(pattern)).map { Rule(bot: bot, name: name, pattern: $0) }
        }.compactMap(\.self)
    }

    package var isEmpty: Bool { rules.isEmpty }

    /// Returns the person who wrote a message, if a bridge brought it; nil for every other message.
    ///
    /// - Parameter sender: Finds the number of the message's sender. Called only if the text has the form of a bridge.
    package func author(
        of kind: MessageKind, _ body: String?, _ folding: NameFolding, sender: () throws -> Int64?
    ) throws -> UserReference? {
        guard let body, Self.kinds.contains(kind) else { return nil }
        let fitting = rules.compactMap { rule in rule.pattern.match(body).map { (rule: rule, nick: $0.nick) } }
        guard !fitting.isEmpty, let bot = try sender(), let first = fitting.first(where: { $0.rule.bot == bot }) else {
            return nil
        }
        return Self.person(first.nick, of: first.rule.name, first.rule.pattern, folding)
    }

    /// Returns true for the key of a person who writes by a bridge of this bot.
    package func isKey(_ key: String, ofBot bot: Int64) -> Bool {
        guard let bridge = BridgeKey(key) else { return false }
        return rules.contains { $0.bot == bot && $0.name.isExactly(bridge.bot) && $0.pattern == bridge.pattern }
    }

    package static func person(
        _ nick: String, of bot: String, _ pattern: BridgePattern, _ folding: NameFolding
    ) -> UserReference {
        UserReference(key: BridgeKey(bot: bot, pattern: pattern, nick: folding.fold(nick)).text, name: nick)
    }

    // MARK: Rows

    /// Adds a bridge, or continues one.
    package static func add(_ request: Bridging, at time: Timestamp, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO bridge (bot_id, bot, pattern, at_us) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET is_active = 1, is_done = 0
                """,
            arguments: [request.bot, name(forPeopleOf: request, db), request.pattern.text, time.microseconds])
    }

    /// Returns the bot's name for the keys of a bridge's people: with its number if another bot of that name has such a
    /// bridge, because only the keys show to which bot messages go back. Without the separator of keys.
    private static func name(forPeopleOf request: Bridging, _ db: Database) throws -> String {
        let name = request.name.split(separator: BridgeKey.separator, omittingEmptySubsequences: false)
            .joined(separator: "\u{FFFD}")
        let isTaken = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM bridge WHERE bot = ? AND pattern = ? AND bot_id <> ?)",
            arguments: [name, request.pattern.text, request.bot])
        return isTaken == true ? "\(name) (\(request.bot))" : name
    }

    package static func setDone(_ request: Bridging, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE bridge SET is_done = 1 WHERE bot_id = ? AND pattern = ?",
            arguments: [request.bot, request.pattern.text])
    }

    /// Returns the bot's name in the keys of a bridge's people, which stays when the bot gets another name, and false while
    /// the bridge is being undone; nil if there is no such bridge.
    package static func find(_ request: Bridging, _ db: Database) throws -> (bot: String, isActive: Bool)? {
        try db.first(
            sql: "SELECT bot, is_active FROM bridge WHERE bot_id = ? AND pattern = ?",
            arguments: [request.bot, request.pattern.text]
        ) { row in try (row.value(0), row.value(1) as Int64 == 1) }
    }

    /// - Throws: ``ArchiveError`` with `merge` while messages are being moved: an import would find some of them with
    /// neither sender.
    package static func requireFinished(_ db: Database) throws {
        let isUnfinished = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM bridge WHERE is_done = 0)"))
        guard isUnfinished == true else { return }
        throw ArchiveError(
            code: .merge, detail: "a bridge of the account is being made or undone",
            hint: "wait for \"scrollback archive bridge\", or repeat it if it was interrupted")
    }

    /// - Throws: ``ArchiveError`` with `merge` for the bot of a bridge, whose people's keys have its name.
    package static func requireNone(ofBot user: Int64, _ db: ReadTransaction) throws {
        guard let bot = try db.text("SELECT bot FROM bridge WHERE bot_id = ?1", [.integer(user)]) else { return }
        throw ArchiveError(
            code: .merge, detail: "\"\(bot)\" is the bot of a bridge, which keeps the name",
            hint: "undo its bridges first; \"scrollback archive bridge ACCOUNT\" lists them")
    }

    /// Ends a bridge, whose messages are given back from now on.
    package static func end(_ request: Bridging, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE bridge SET is_active = 0, is_done = 0 WHERE bot_id = ? AND pattern = ?",
            arguments: [request.bot, request.pattern.text])
    }

    package static func remove(_ request: Bridging, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM bridge WHERE bot_id = ? AND pattern = ?", arguments: [request.bot, request.pattern.text])
    }

    /// Returns the numbers of the people of a bridge.
    package static func people(of request: Bridging, _ db: Database) throws -> [Int64] {
        let start = BridgeKey(bot: request.name, pattern: request.pattern).text
        // The character after the separator ends the range.
        return try Int64.fetchAll(
            db, sql: "SELECT id FROM user WHERE key >= ? AND key < ? ORDER BY id",
            arguments: [start, start.dropLast() + " "])
    }

    /// SQL that is true for the key of a person who is not of a bridge.
    ///
    /// - Parameter key: SQL for the key.
    package static func isOwn(key: String) -> String { "(\(key) IS NULL OR \(key) < char(31) OR \(key) >= char(32))" }
}
