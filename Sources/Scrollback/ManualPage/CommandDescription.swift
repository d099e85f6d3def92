import Foundation
import Options

/// The argument parser's description of a command and its options (`--experimental-dump-help`), as far as the manual
/// uses it.
struct CommandDescription: Decodable, Sendable {
    struct Name: Decodable, Sendable {
        /// `long`, `short` or `longWithSingleDash`.
        var kind: String
        var name: String

        var text: String { (kind == "long" ? "--" : "-") + name }
    }

    struct Argument: Decodable, Sendable {
        /// `positional`, `option` or `flag`.
        var kind: String
        var shouldDisplay: Bool
        var isOptional: Bool
        var isRepeating: Bool
        var names: [Name]?
        var valueName: String?
        var abstract: String?
        var discussion: String?
        var defaultValue: String?
        var allValueStrings: [String]?
    }

    var commandName: String
    var abstract: String?
    var discussion: String?
    var shouldDisplay: Bool
    var arguments: [Argument]?
    var subcommands: [CommandDescription]?

    /// Returns the description of the whole program.
    static func program() throws -> CommandDescription {
        struct Dump: Decodable {
            var command: CommandDescription
        }
        return try JSONDecoder().decode(Dump.self, from: Data(ScrollbackCommand._dumpHelp().utf8)).command
    }
}
