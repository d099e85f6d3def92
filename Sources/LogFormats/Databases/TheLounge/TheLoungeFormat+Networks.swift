import FoundationEssentials

extension TheLoungeFormat {
    /// Returns the header with The Lounge's networks, whose names are only in the user's own file beside the folder of
    /// logs.
    package static func header(of file: some DatabaseFile) throws -> DatabaseHeader {
        let names = LoungeUser.networkNames(beside: file)
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
        return DatabaseHeader(database: name, networks: networks)
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
    static func networkNames(beside database: some DatabaseFile) -> [String: String] {
        guard let bytes = database.bytes(beside: { "../users/\($0).json" }, count: maximumSize),
            let networks = try? JSONDecoder().decode(LoungeUser.self, from: Data(bytes)).networks
        else { return [:] }
        return networks.reduce(into: [:]) { names, network in
            if let uuid = network.uuid, let name = network.name { names[uuid] = name }
        }
    }
}
