import Accounts
package import ChatModel
import Files
import Records
import Schema

extension ArchiveReading {
    /// Returns the bridges of an account, in the order in which they were made.
    package func bridges(of account: String) throws -> [Bridge] {
        try collect(of: [account], into: []) { bridges, reader in
            guard reader.file != nil else { throw ArchiveError.needsFiles }
            bridges += try reader.read { db in
                try db.all("SELECT bot_id, bot, pattern, at_us, is_active, is_done FROM bridge ORDER BY id") {
                    row -> Bridge? in
                    let (bot, name, at) = try (row.integer(0), row.text(1), row.time(3))
                    let state: Bridge.State = try !row.bool(4) ? .undoing : row.bool(5) ? .done : .unfinished
                    return try? Bridge(bot: bot, name: name, pattern: BridgePattern(row.text(2)), at: at, state: state)
                }.compactMap(\.self)
            }
        }.result
    }

    /// Returns what a bridge would change. Looks through every message of the account.
    package func preview(of pattern: BridgePattern, bot: Int64, account: String) throws -> BridgePreview {
        try collect(of: [account], into: BridgePreview()) { preview, reader in
            let kinds = BridgeBook.kinds.map { "\($0.code)" }.sorted().joined(separator: ", ")
            preview = try reader.read { db in
                var preview = BridgePreview()
                try db.forEach(
                    """
                    SELECT body FROM message \(.notIndexed) WHERE sender_id = ?1 AND kind IN (\(kinds)) AND body IS NOT NULL
                    ORDER BY id DESC
                    """, [.integer(bot)]
                ) { row in preview.add(try row.text(0), pattern) }
                return preview
            }
        }.result
    }
}

extension BridgePreview {
    /// The number of examples of each kind.
    private static let mostExamples = 5
    /// The limit of people that are counted one by one.
    private static let mostPeople = 10_000

    fileprivate mutating func add(_ body: String, _ pattern: BridgePattern) {
        guard let found = pattern.match(body) else {
            others += 1
            if otherExamples.count < Self.mostExamples { otherExamples.append(body) }
            return
        }
        matching += 1
        if examples.count < Self.mostExamples { examples.append(found) }
        if people.count < Self.mostPeople || people[found.nick] != nil { people[found.nick, default: 0] += 1 }
    }
}
