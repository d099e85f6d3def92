import Archive
import ChatModel
import Reading
import Rendering
import Settings

/// The retention rules of a configuration, by account.
struct AccountRules {
    private let configuration: Configuration?

    /// Reads the configuration that the options name.
    init(_ folder: FolderOptions) throws { configuration = try folder.configuration() }

    func of(_ account: AccountIdentity) -> RetentionRules {
        configuration?.retention(of: account.name).rules ?? RetentionRules()
    }

    /// Returns the patterns of rules that match no account or no room of a data folder, for people, as notes.
    func unmatched(in folder: String) -> String {
        guard let configuration else { return "" }
        return configuration.unmatchedRules(in: folder).map { "warning: \(Sanitizer.line($0))\n" }.joined()
    }

    /// Returns the accounts to which rules apply: the named ones, or all that have a rule.
    ///
    /// - Throws: ``CommandError`` if no account has a rule.
    func accounts(_ names: [String], in reading: ArchiveReading) throws -> [AccountIdentity] {
        let known = try reading.selected(names)
        let ruled = known.filter { !of($0).isEmpty }
        guard ruled.isEmpty, !known.isEmpty else { return ruled }
        let place = configuration.map { $0.path } ?? "a configuration file"
        throw CommandError(
            .noRules, "there are no retention rules for \(names.isEmpty ? "any account" : "these accounts")",
            hint: "write them into \(place), for example: [retention] and max_age = \"365d\"")
    }
}

extension Configuration {
    /// Returns the patterns of retention rules that match no account or no room of a data folder, for people; none if the
    /// folder can't be read. Compressed accounts stay compressed, and a pattern for one counts as matched.
    func unmatchedRules(in folder: String) -> [String] {
        guard hasRulesForRooms else { return [] }
        let reading = Archive(folder: folder).reading()
        guard let known = try? reading.accounts(), let rooms = try? reading.rooms() else { return [] }
        return unmatchedRules(
            known: known.map(\.name), rooms: rooms, unread: Set(reading.skipped.compactMap(\.account)))
    }
}
