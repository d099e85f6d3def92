package import Archive
import ChatModel
import Foundation

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
    package var accounts: [AccountConfiguration]

    /// The network of accounts that an import created. No listener has it.
    package static let logNetwork = "log"

    /// Checks a configuration file.
    ///
    /// - Parameter home: The home folder, for paths that begin with `~/`.
    /// - Throws: ``ConfigurationError`` with all problems.
    package init(_ file: ConfigurationFile, home: String) throws(ConfigurationError) {
        var root = TableReader(
            file.table, path: "",
            resolve: { [path = file.path] in ConfigurationFile.resolve($0, beside: path, home: home) },
            environment: ProcessInfo.processInfo.environment)
        path = file.path
        dataFolder = root.string("data").map { file.resolve($0, home: home) }
        openConnections = root.integer("open_connections", in: 8...10_000, default: Archive.openConnections)
        hot = HotLimits(&root)
        if dataFolder == "" { root.report("data", expected: "a folder", found: "nothing") }
        var tables = root.tables("account")
        root.reportUnknownKeys()
        var problems = root.problems
        if tables.isEmpty, problems.isEmpty {
            problems.append(.missingKey("account", expected: "at least one table that begins with [[account]]"))
        }
        accounts = []
        var names: Set<String> = []
        for index in tables.indices {
            let account = AccountConfiguration(&tables[index], names: &names)
            problems += tables[index].problems
            if let account { accounts.append(account) }
        }
        guard problems.isEmpty else { throw ConfigurationError(path: file.path, problems: problems) }
    }
}
