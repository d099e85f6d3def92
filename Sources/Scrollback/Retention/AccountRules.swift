import Archive
import ChatModel
import Rendering
import Service

/// The retention rules of a configuration, by account.
struct AccountRules {
    private let configuration: Configuration?

    /// Reads the configuration that the options name.
    init(_ folder: FolderOptions) throws { configuration = try folder.configuration() }

    func of(_ account: AccountIdentity) -> RetentionRules {
        configuration?.retention(of: account.name).rules ?? RetentionRules()
    }

    /// Returns the accounts to which rules apply: the named ones, or all that have a rule.
    ///
    /// - Throws: ``CommandError`` if no account has a rule.
    func accounts(_ names: [String], in reading: ArchiveReading) async throws -> [AccountIdentity] {
        let known = try await reading.selected(names)
        let ruled = known.filter { !of($0).isEmpty }
        guard ruled.isEmpty, !known.isEmpty else { return ruled }
        let place = configuration.map { $0.path } ?? "a configuration file"
        throw CommandError(
            .noRules, "there are no retention rules for \(names.isEmpty ? "any account" : "these accounts")",
            hint: "write them into \(place), for example: [retention] and max_age = \"365d\"")
    }
}
