import FoundationEssentials
import LogFormats

extension KnownDatabase {
    /// The tables that distinguish the databases, in lower case.
    static let tableNames = Set(all.flatMap(\.tables.keys) + ["channel", "deliveryreceipt", "workspace"])

    /// Finds the program whose tables a file has; nil if no known one has such tables.
    ///
    /// - Throws: ``UnreadableBytes`` if a table lacks the key by which rows are looked up.
    static func find(_ tables: [String: SQLiteTable]) throws(UnreadableBytes) -> KnownDatabase? {
        let found = all.first { known in
            known.tables.allSatisfy { name, columns in tables[name]?.columns.isSuperset(of: columns) ?? false }
        }
        for (table, key) in found?.keys ?? [:] where tables[table]?.key != key {
            throw UnreadableBytes(
                reason: "\"\(key)\" is not the key of its table \"\(table)\"",
                hint: "open it once with the program that wrote it")
        }
        return found
    }

    /// Returns true for a database of soju that keeps its messages in files.
    static func isSojuWithoutMessages(_ tables: [String: SQLiteTable]) -> Bool {
        tables["message"] == nil && tables["deliveryreceipt"] != nil && tables["channel"] != nil
    }

    /// Returns the first line of the database's rows.
    func header(of file: SQLiteFile, _ tables: [String: SQLiteTable]) throws -> DatabaseHeader {
        switch format.name {
        case TheLoungeFormat.name:
            return DatabaseHeader(database: format.name, networks: try Self.loungeNetworks(of: file))
        case QuasselFormat.name:
            return DatabaseHeader(
                database: format.name,
                networks: try Self.networks(
                    of: file,
                    """
                    SELECT n.networkid, n.networkname, u.username FROM network n
                    LEFT JOIN quasseluser u ON u.userid = n.userid
                    WHERE EXISTS (
                        SELECT 1 FROM buffer b JOIN backlog m ON m.bufferid = b.bufferid WHERE b.networkid = n.networkid)
                    ORDER BY n.networkid LIMIT \(DatabaseHeader.maximumNetworks)
                    """))
        case SojuFormat.name:
            return DatabaseHeader(
                database: format.name,
                networks: try Self.networks(
                    of: file,
                    """
                    SELECT n.id, coalesce(nullif(n.name, ''), n.addr), u.username FROM Network n
                    LEFT JOIN User u ON u.id = n.user
                    WHERE EXISTS (
                        SELECT 1 FROM MessageTarget t JOIN Message m ON m.target = t.id WHERE t.network = n.id)
                    ORDER BY n.id LIMIT \(DatabaseHeader.maximumNetworks)
                    """))
        default:
            let workspace = tables["workspace"].flatMap { $0.columns.contains("team") ? $0.number : nil }
            let sql = workspace.map { "SELECT TEAM FROM WORKSPACE ORDER BY \($0) DESC LIMIT 1" }
            let rows = try sql.map { try file.texts($0) } ?? []
            return DatabaseHeader(database: format.name, workspace: rows.first?.first ?? nil)
        }
    }

    // MARK: - Networks

    /// - Parameter sql: Selects the key, the name and the user of each network.
    private static func networks(
        of file: SQLiteFile, _ sql: String
    ) throws -> [DatabaseHeader.Network] {
        let rows = try file.texts(sql)
        let hasUsers = Set(rows.map { $0[2] }).count > 1
        return rows.compactMap { row in
            guard let key = row[0] else { return nil }
            let name = shown(row[1]) ?? key
            return DatabaseHeader.Network(key: key, name: hasUsers ? "\(row[2] ?? "?")/\(name)" : name)
        }
    }

    /// Returns a network's name; for an address such as `ircs://irc.example.net:6697`, its host.
    private static func shown(_ name: String?) -> String? {
        guard let name, !name.isEmpty else { return nil }
        guard name.contains("://"), let host = URL(string: name)?.host(), !host.isEmpty else { return name }
        return host
    }

    /// Returns The Lounge's networks, whose names are only in the user's own file beside the folder of logs.
    private static func loungeNetworks(of file: SQLiteFile) throws -> [DatabaseHeader.Network] {
        let names = LoungeUser.networkNames(of: file.path)
        var networks: [DatabaseHeader.Network] = []
        var next = try file.texts("SELECT min(network) FROM messages").first?[0]
        // The index of networks makes each step short, however many messages there are.
        while let key = next, key != networks.last?.key, networks.count < DatabaseHeader.maximumNetworks {
            let name = names[key].flatMap { $0.isEmpty ? nil : $0 }
            let channel =
                name == nil
                ? try file.texts("SELECT min(channel) FROM messages WHERE network = ? AND channel >= '#'", [key])
                    .first?[0]
                : nil
            networks.append(DatabaseHeader.Network(key: key, name: name ?? key, channel: channel ?? nil))
            next = try file.texts("SELECT min(network) FROM messages WHERE network > ?", [key]).first?[0]
        }
        return networks
    }
}

/// The configuration of a user of The Lounge: `users/alice.json`, beside `logs/alice.sqlite3`.
private struct LoungeUser: Decodable {
    struct Network: Decodable {
        var uuid, name: String?
    }

    var networks: [Network]?

    /// The limit of the file's bytes. It has a few hundred bytes for a channel.
    private static let maximumSize = 4 * 1024 * 1024

    /// Returns the names of networks by their UUIDs; none if the file is missing.
    static func networkNames(of database: String) -> [String: String] {
        let file = URL(filePath: database)
        let user = file.deletingPathExtension().lastPathComponent + ".json"
        let path = file.deletingLastPathComponent().deletingLastPathComponent().appending(path: "users/\(user)").path
        guard let bytes = try? SQLiteFile.bytes(of: path, count: maximumSize),
            let networks = try? JSONDecoder().decode(LoungeUser.self, from: Data(bytes)).networks
        else { return [:] }
        return networks.reduce(into: [:]) { names, network in
            if let uuid = network.uuid, let name = network.name { names[uuid] = name }
        }
    }
}
