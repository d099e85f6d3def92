import FoundationEssentials

/// The first line of a database that is read as JSON lines: the program that wrote the database, and its networks.
///
/// Formats open no file. An import reads an SQLite file row by row, and a format receives each row as a JSON object on
/// its own line. All values are texts or null, except a column of JSON, which is an object.
package struct DatabaseHeader: Codable, Sendable, Hashable {
    /// A network of the database, with its key in the rows.
    package struct Network: Codable, Sendable, Hashable {
        package var key: String
        package var name: String
        /// One of its channels, for a network whose name is not known; nil for others.
        package var channel: String?

        package init(key: String, name: String, channel: String? = nil) {
            (self.key, self.name, self.channel) = (key, name, channel)
        }

        /// The name for people.
        var shown: String { channel.map { "\(name) with \($0)" } ?? name }
    }

    /// The name of the format.
    package var database: String
    /// The networks that have messages, at most ``maximumNetworks``.
    package var networks: [Network]
    /// The name of the workspace; nil for IRC.
    package var workspace: String?

    /// The limit of networks that are listed, more than a person has.
    package static let maximumNetworks = 100

    package init(database: String, networks: [Network] = [], workspace: String? = nil) {
        (self.database, self.networks, self.workspace) = (database, networks, workspace)
    }

    /// The line with its line feed. The key `database` comes first.
    package var line: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array((try? encoder.encode(self)) ?? Data()) + [0x0A]
    }

    /// Reads the first line of a source; nil for any other source.
    init?(_ source: LogSource) {
        guard Self.begins(source), let line = source.beginning.split(separator: 0x0A, maxSplits: 1).first,
            let header = try? JSONDecoder().decode(DatabaseHeader.self, from: Data(line))
        else { return nil }
        self = header
    }

    /// Returns true if the source begins like a database.
    static func begins(_ source: LogSource) -> Bool { source.beginning.starts(with: Self.beginning.utf8) }

    private static let beginning = #"{"database":""#

    /// Returns the network that the user named, or the only one.
    ///
    /// - Throws: ``LogSourceError`` if the network does not exist, or the user named none of several.
    func network(_ name: String?) throws(LogSourceError) -> Network? {
        let names = networks.map(\.shown).joined(separator: ", ")
        if let name {
            let found =
                networks.first { $0.name == name } ?? networks.first { $0.name.lowercased() == name.lowercased() }
                ?? networks.first { $0.key == name }
            guard let found else {
                throw .unusable(
                    reason: "it has no network \"\(name)\"", hint: names.isEmpty ? nil : "its networks: \(names)")
            }
            return found
        }
        guard let first = networks.first, networks.count > 1 else { return networks.first }
        throw .unusable(
            reason: "it has \(networks.count) networks (\(names)), of which --network chooses one",
            hint: "for example: --network \(first.name) -a \(first.name)")
    }

    /// Returns true if the source is a database of the format's program.
    static func names(_ format: any LogFormat.Type, in source: LogSource) -> Bool {
        source.beginning.starts(with: (beginning + format.name + "\"").utf8)
    }
}

/// A database with the messages of several networks or accounts, of which the user chooses one.
package protocol NetworkDatabaseFormat: DatabaseFormat {}

extension NetworkDatabaseFormat {
    package static var hasNetworks: Bool { true }
    package static func networks(in source: LogSource) -> [String] {
        let networks = DatabaseHeader(source)?.networks ?? []
        // Of networks of one name, the name means the first.
        return networks.map { network in
            networks.count { $0.name == network.name } > 1 ? network.key : network.name
        }
    }

    /// Returns the network that the user named, or the only one.
    package static func accountName(in source: LogSource) -> String? {
        DatabaseHeader(source).flatMap { try? $0.network(source.choices.network) }?.name
    }
}

/// The database of a program for IRC, with the messages of several networks.
package protocol IRCDatabaseFormat: NetworkDatabaseFormat {}

extension IRCDatabaseFormat {
    package static var isOfIRC: Bool { true }
}

extension DatabaseHeader.Network {
    /// Returns the networks of a database.
    ///
    /// - Parameter sql: Selects the key, the name and the user of each network.
    static func all(of file: some DatabaseFile, _ sql: String) throws -> [Self] {
        let rows = try file.texts(sql)
        let hasUsers = Set(rows.map { $0[2] }).count > 1
        return rows.compactMap { row in
            guard let key = row[0] else { return nil }
            let name = shown(row[1]) ?? key
            return Self(key: key, name: hasUsers ? "\(row[2] ?? "?")/\(name)" : name)
        }
    }

    /// Returns a network's name; for an address such as `ircs://irc.example.net:6697`, its host.
    private static func shown(_ name: String?) -> String? {
        guard let name, !name.isEmpty else { return nil }
        guard name.contains("://"), let host = URL(string: name)?.host(), !host.isEmpty else { return name }
        return host
    }
}

/// Cuts the rows of a database. A row is not a line of a log, so messages are counted instead of lines.
struct DatabaseRowCutter: SourceCutter {
    private var lines: LineCutter

    init(maximumRow: Int) {
        lines = LineCutter(maximumLine: maximumRow)
    }

    mutating func cutLines(_ bytes: ArraySlice<UInt8>, _ body: (LogLine) throws -> Void) rethrows {
        try lines.cutLines(bytes, body)
    }

    mutating func finish(_ body: (LogLine) throws -> Void) rethrows {
        try lines.finish(body)
    }
}
