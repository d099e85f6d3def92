import Accounts
package import Archive
package import ChatModel
import FoundationEssentials
package import Moves
package import Replication

/// A valid configuration.
package struct Configuration: Sendable, Equatable {
    /// The path of the file, as given.
    package var path: String
    /// The resolved folder of `data`; nil if it is not given.
    package var dataFolder: String?
    /// The limit of account files that may be open at once.
    package var openConnections: Int
    /// The limits on uncompressed accounts.
    package var hot: HotLimits
    /// The bytes to leave free on the disks; nil for none.
    package var keepFree: Int64?
    /// The settings of the HTTP server that the listener runs; nil if it runs none.
    package var serve: ServeSettings?
    /// The shared archive to which the listener replicates; nil if there is none.
    package var shared: ReplicationSettings?
    /// The names of bots in every account, also those that are only imported: `NAME` or `ACCOUNT/NAME`.
    var bots: [String] = []
    /// The rooms that assistants do not see: `NAME` or `ACCOUNT/NAME`.
    package var excluded: [RoomPattern] = []
    /// The rules for what is kept of accounts that the configuration does not have.
    var retention = RetentionSettings()
    package var accounts: [AccountConfiguration]

    /// Returns the rules for an account, also for one that an import made.
    package func retention(of account: String) -> RetentionSettings {
        accounts.first { $0.identity.name == account }?.retention ?? retention.of(account)
    }

    /// Sets the limits on space that this configuration has.
    package func limit(_ archive: Archive) {
        let sizes = accounts.compactMap { account in account.largestSize.map { (account.identity.name, $0) } }
        archive.limits.set(accounts: Dictionary(sizes) { $1 }, keepFree: keepFree)
    }

    /// Sets the limits on space of a file that may have mistakes elsewhere. A limit that can't be read is none.
    package static func limit(_ archive: Archive, by file: ConfigurationFile) {
        var root = TableReader(file.table)
        var sizes: [String: Int64] = [:]
        for var account in root.tables("account") {
            if let name = account.string("name"), let size = account.byteCount("max_size") { sizes[name] = size }
        }
        archive.limits.set(accounts: sizes, keepFree: root.byteCount("keep_free"))
    }

    /// The keys of a configuration that needs no account, beside its tables.
    private static let keysWithoutAccounts = [
        "data", "open_connections", "hot_accounts", "hot_bytes", "cold_level", "cold_recipients", "keep_free", "bots",
    ]

    /// The network of accounts that an import created. No listener has it.
    package static let logNetwork = AccountIdentity.importedNetwork

    /// Checks a configuration file.
    ///
    /// - Parameters:
    ///   - home: The home folder, for paths that begin with `~/`.
    ///   - check: Checks an account's settings further, and reports problems to the account's table.
    /// - Throws: ``ConfigurationError`` with all problems.
    package init(
        _ file: ConfigurationFile, home: String, check: NetworkCheck = { _, _ in }
    ) throws(ConfigurationError) {
        self = try Self.parse(file, home: home, check: check).configuration
    }

    package typealias NetworkCheck = (any NetworkSettings, inout TableReader) -> Void

    /// Checks a configuration file. Returns also the tables, with the value of each key.
    static func parse(
        _ file: ConfigurationFile, home: String, check: NetworkCheck = { _, _ in }
    ) throws(ConfigurationError) -> (
        configuration: Configuration, root: TableReader, parts: [(name: String, table: TableReader)],
        accounts: [TableReader]
    ) {
        var root = TableReader(
            file.table,
            resolve: { [path = file.path] in ConfigurationFile.resolve($0, beside: path, home: home) },
            environment: ProcessInfo.processInfo.environment)
        var configuration = Configuration(
            path: file.path, dataFolder: root.string("data").map { file.resolve($0, home: home) },
            openConnections: root.integer("open_connections", in: 8...10_000, default: Archive.openConnections),
            hot: HotLimits(&root), accounts: [])
        configuration.keepFree = root.byteCount("keep_free")
        configuration.bots = root.strings("bots")
        if configuration.dataFolder == "" { root.report("data", expected: "a folder", found: "nothing") }
        let parts = configuration.readParts(&root)
        var tables = root.tables("account")
        root.reportUnknownKeys()
        // Limits, rules and a data folder alone are for accounts that are only imported.
        if tables.isEmpty, root.problems.isEmpty, parts.isEmpty, !Self.keysWithoutAccounts.contains(where: root.has) {
            root.reportMissing("account", expected: "at least one table that begins with [[account]]")
        }
        configuration.readAccounts(&tables, check)
        let problems = root.problems + parts.flatMap(\.table.problems) + tables.flatMap(\.problems)
        guard problems.isEmpty else { throw file.error(problems) }
        return (configuration, root, parts, tables)
    }

    /// Reads the tables other than those of accounts, and returns them with their names.
    private mutating func readParts(_ root: inout TableReader) -> [(name: String, table: TableReader)] {
        var parts: [(name: String, table: TableReader)] = []
        if var table = root.table("serve") {
            serve = ServeSettings(&table)
            parts.append(("serve", table))
        }
        if var table = root.table("shared") {
            shared = ReplicationSettings(&table)
            parts.append(("shared", table))
        }
        if var table = root.table("mcp") {
            excluded = table.strings("exclude").map(RoomPattern.init)
            table.reportUnknownKeys()
            parts.append(("mcp", table))
        }
        if var table = root.table("retention") {
            retention = RetentionSettings(&table)
            parts.append(("retention", table))
        }
        return parts
    }

    private mutating func readAccounts(_ tables: inout [TableReader], _ check: NetworkCheck) {
        var names: Set<String> = []
        for index in tables.indices {
            if var account = AccountConfiguration(&tables[index], names: &names, check: check) {
                account.retention.add(retention.of(account.identity.name))
                accounts.append(account)
            }
        }
    }

    /// Valid settings that are probably mistakes, for people.
    package var warnings: [String] { warnings(of: \.warnings) }

    /// Returns the warnings about each account, with its name.
    package func warnings(of network: (any NetworkSettings) -> [String]) -> [String] {
        accounts.flatMap { account in
            network(account.network).map { "account \(TableReader.quote(account.identity.name)): \($0)" }
        }
    }

    private init(
        path: String, dataFolder: String?, openConnections: Int, hot: HotLimits, accounts: [AccountConfiguration]
    ) {
        (self.path, self.dataFolder, self.openConnections) = (path, dataFolder, openConnections)
        (self.hot, self.accounts) = (hot, accounts)
    }
}
