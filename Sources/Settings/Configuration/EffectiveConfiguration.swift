import FoundationEssentials
package import Rendering

/// The configuration in force, with every default.
package struct EffectiveConfiguration: Sendable {
    /// One key of a table.
    package struct Setting: Sendable {
        /// The table: `serve`, `account` or `account.retention`; nil for the keys before all tables.
        package var table: String?
        /// The name of the account whose table it is; nil for other tables.
        package var account: String?
        package var key: String
        package var value: JSONValue
        package var isDefault: Bool
    }

    /// A table with its keys, in order.
    private struct Part {
        var table: String?
        /// True for a table that may be repeated.
        var isArray = false
        var account: String?
        var values: [EffectiveValue]
    }

    private let heading: String
    private let parts: [Part]

    /// - Throws: ``ConfigurationError`` with all problems.
    package init(_ found: FoundConfiguration, search: FolderSearch) throws {
        let file = try ConfigurationFile.read(found.path)
        let (_, root, tables, accounts) = try Configuration.parse(file, home: search.home)
        let (folder, source) = try search.dataFolderAndSource()
        let data = TableReader.literal(URL(fileURLWithPath: folder).path)
        heading =
            "# \(TableReader.literal(found.absolutePath)): \(found.source.reason)\n"
            + "data = \(data)  # \(source ?? "default")"
        let others = ["data", "account", "serve", "shared", "mcp", "retention"]
        var parts = [Part(values: root.values.filter { !others.contains($0.key) })]
        parts[0].values.insert(EffectiveValue(key: "data", text: data, isDefault: source == nil), at: 0)
        for (name, table) in tables {
            parts.append(Part(table: name, values: table.values))
            parts += Self.inner(table, of: name)
        }
        for account in accounts {
            let name = account.values.first { $0.key == "name" }.flatMap { Self.value($0.text).string }
            let values = account.values.filter { $0.key != "retention" }
            parts.append(Part(table: "account", isArray: true, account: name, values: values))
            parts += Self.inner(account, of: "account", named: name)
        }
        self.parts = parts
    }

    /// The configuration as TOML.
    package var text: String {
        let root = parts.first?.values.dropFirst().map(Self.line) ?? []
        let tables = parts.dropFirst().flatMap { part in
            let name = part.table ?? ""
            return ["", part.isArray ? "[[\(name)]]" : "[\(name)]"] + part.values.map(Self.line)
        }
        return ([heading] + root + tables).joined(separator: "\n") + "\n"
    }

    package var settings: [Setting] {
        parts.flatMap { part in
            part.values.map {
                Setting(
                    table: part.table, account: part.account, key: $0.key, value: Self.value($0.text),
                    isDefault: $0.isDefault)
            }
        }
    }

    /// Returns the tables in a table.
    private static func inner(_ table: TableReader, of name: String, named account: String? = nil) -> [Part] {
        table.inner.map {
            Part(table: "\(name).\($0.name)", isArray: true, account: account, values: $0.table.values)
        }
    }

    private static func line(_ value: EffectiveValue) -> String {
        "\(value.key) = \(value.text)" + (value.isDefault ? "  # default" : "")
    }

    /// Returns a value that is written as TOML.
    private static func value(_ text: String) -> JSONValue {
        switch (try? TOMLValue(reading: "value = \(text)"))?["value"]?.content {
        case .string(let word): .string(word)
        case .integer(let number): .number(Int64(number))
        case .boolean(let flag): .bool(flag)
        case .array(let words): .array(words.map { JSONValue($0.string) })
        default: .string(text)
        }
    }
}

extension JSONValue {
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
}
