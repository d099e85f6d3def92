/// A question about one key of a new account.
package struct SetupQuestion: Sendable {
    package enum Kind: Sendable {
        case text, list
        /// A secret, of which the configuration names the file or the variable. It is optional unless `isRequired`.
        case secret(isRequired: Bool)
        /// A question for yes or no. Yes sets ``SetupQuestion/also``.
        case confirmation
    }

    /// The key; for a secret without `_file` and `_env`.
    package let key: String
    package let words: String
    package let kind: Kind
    /// Another key that an answer sets, such as `sasl` for a password. An answer to a list sets it only with `*`.
    package let also: (key: String, value: String)?
    /// Returns a text for people, shown after an answer that sets ``also``.
    package let note: (@Sendable (ConfigurationSetup) -> String)?
    /// Returns false if the earlier answers make the question needless.
    package let isAsked: @Sendable (ConfigurationSetup) -> Bool
    /// Returns the word that a word of the answer probably means, such as `#example` for `example`; nil for a plausible
    /// word.
    package let meant: @Sendable (String) -> String?

    package init(
        key: String, words: String, kind: Kind = .text, also: (key: String, value: String)? = nil,
        note: (@Sendable (ConfigurationSetup) -> String)? = nil,
        isAsked: @escaping @Sendable (ConfigurationSetup) -> Bool = { _ in true },
        meant: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        (self.key, self.words, self.kind, self.also, self.note) = (key, words, kind, also, note)
        (self.isAsked, self.meant) = (isAsked, meant)
    }
}

/// A network's configuration to start with, whose blanks are filled one by one.
package struct ConfigurationSetup: Sendable {
    package private(set) var text: String
    package let questions: [SetupQuestion]

    /// Nil for an unknown network.
    package init?(network: String) {
        guard let settings = KnownNetworks.named(network) else { return nil }
        (text, questions) = (settings.template, settings.questions)
    }

    /// The name of the account.
    package var name: String { string("name") ?? "" }

    /// Returns the account's value of a key; nil if it has none.
    package func string(_ key: String) -> String? {
        guard let file = try? ConfigurationFile.parse(text, path: "") else { return nil }
        var root = TableReader(file.table)
        var accounts = root.tables("account")
        return accounts.isEmpty ? nil : accounts[0].string(key)
    }

    package mutating func set(_ key: String, to value: String) {
        replace(key, with: "\(key) = \(TableReader.literal(value))")
    }

    package mutating func set(_ key: String, to values: [String]) {
        replace(key, with: "\(key) = [\(values.map(TableReader.literal).joined(separator: ", "))]")
    }

    /// Sets a secret's file or its variable; neither for no secret.
    package mutating func set(secret key: String, file: String? = nil, variable: String? = nil) {
        let line =
            file.map { "\(key)_file = \(TableReader.literal($0))" }
            ?? variable.map { "\(key)_env = \(TableReader.literal($0))" } ?? "# \(key)_file = \"\""
        replace(key + "_file", with: line)
    }

    /// Returns the problem with a key's present value; nil if the value is valid.
    package func problem(with key: String, home: String) -> String? {
        do {
            _ = try Configuration(ConfigurationFile.parse(text, path: ""), home: home)
        } catch {
            for case .key(key, let expected, let found) in error.problems.map(\.kind) {
                return "expected \(expected), found \(found)"
            }
            if error.problems.contains(where: { $0.kind.isMissing(key) }) { return "a value is required" }
        }
        return nil
    }

    /// Replaces the key's first line, also one that is a comment.
    private mutating func replace(_ key: String, with line: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let index = lines.firstIndex(where: { $0.hasPrefix("\(key) = ") || $0.hasPrefix("# \(key) = ") }) {
            lines[index] = line
        }
        text = lines.joined(separator: "\n")
    }
}

extension ConfigurationError.Problem.Kind {
    fileprivate func isMissing(_ key: String) -> Bool {
        if case .missingKey(key, _) = self { true } else { false }
    }
}
