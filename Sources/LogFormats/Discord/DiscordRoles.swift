import Bytes

/// The roles of a Discord server that an export's messages have named so far.
struct DiscordRoles {
    private var names: [String: String] = [:]
    private var budget = NameBudget()

    var assumptions: [String] { budget.assumptions }

    /// Notes the roles of a message's author and of those whom it mentions.
    mutating func note(_ message: JSONValue) throws(UnreadablePiece) {
        if let author = try message.object("author") { try note(rolesOf: author) }
        for user in try message.objects("mentions") { try note(rolesOf: user) }
    }

    private mutating func note(rolesOf user: JSONValue) throws(UnreadablePiece) {
        for role in try user.objects("roles") {
            guard let id = try role.scalar("id")?.id, names[id] == nil,
                let name = ExportText.name(try role.text("name")), budget.reserve(id, name)
            else { continue }
            names[id] = name
        }
    }

    /// Returns a line with `@name` in the place of each mention of a known role. Mentions are `<@&7>` in an export with
    /// `--markdown false`; in others they have their names already.
    func naming(_ line: String) -> String {
        guard !names.isEmpty, line.contains("<@&") else { return line }
        return line.replacing(#/<@&([0-9]+)>/#) { match in
            names[String(match.1)].map { "@\($0)" } ?? String(match.0)
        }
    }
}
