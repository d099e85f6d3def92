import Foundation

/// The configuration in force as TOML, with every default.
package struct EffectiveConfiguration: Sendable {
    package let text: String

    /// - Throws: ``ConfigurationError`` with all problems.
    package init(_ found: FoundConfiguration, search: FolderSearch) throws {
        let file = try ConfigurationFile.read(found.path)
        let (_, root, parts, accounts) = try Configuration.read(file, home: search.home)
        let (folder, source) = try search.dataFolderAndSource()
        var lines = ["# \(TableReader.literal(found.absolutePath)): \(found.source.reason)"]
        let absolute = URL(fileURLWithPath: folder).path
        lines.append("data = \(TableReader.literal(absolute))" + (source.map { "  # \($0)" } ?? "  # default"))
        lines += root.values.filter { !["data", "account", "serve", "shared", "mcp", "retention"].contains($0.key) }
            .map(
                Self.line)
        for part in parts {
            lines += ["", "[\(part.name)]"] + part.table.values.map(Self.line) + Self.inner(part.table, of: part.name)
        }
        for account in accounts {
            lines += ["", "[[account]]"] + account.values.filter { $0.key != "retention" }.map(Self.line)
            lines += Self.inner(account, of: "account")
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    /// Returns the tables in a table.
    private static func inner(_ table: TableReader, of name: String) -> [String] {
        table.inner.flatMap { ["", "[[\(name).\($0.name)]]"] + $0.table.values.map(line) }
    }

    private static func line(_ value: EffectiveValue) -> String {
        "\(value.key) = \(value.text)" + (value.isDefault ? "  # default" : "")
    }
}
