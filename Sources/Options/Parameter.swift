/// The one description of a parameter: of a command's option, flag or argument, and of the same parameter in HTTP requests
/// and in calls of assistants.
///
/// Help, usage, errors, suggestions, completions and the manual page come from it, and so do the API's description
/// (OpenAPI) and assistants' tools. The scripts of shells ask the program for every candidate (`---completion`).
package struct Parameter: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case text
        /// A cursor, a date or a phrase that `TimePhrase` reads.
        case time
        /// In a request: true for `1`; false for `0` and for a missing parameter.
        case flag
        case number(ClosedRange<Int>)
        case choice([String])
        /// One of these, or several with commas between them.
        case choices([String])
    }

    /// The form on a command line.
    package enum Form: Sendable, Hashable {
        /// A word without a name.
        case argument
        /// A name and a value.
        case option
        /// A name alone.
        case flag
        /// A name alone, or `no-` and the name for the opposite.
        case invertedFlag
    }

    /// The candidates that a shell offers for the value.
    package enum Completion: Sendable, Hashable {
        case none
        case list([String])
        case file(extensions: [String] = [])
        case directory
        /// The archive's rooms.
        case rooms
        /// The archive's accounts.
        case accounts
    }

    /// The long name without `--`. One letter alone is a short name.
    package var name: String
    package var kind: Kind
    package var short: Character?
    /// Further long names.
    package var aliases: [String]
    /// True if the parameter may occur several times.
    package var isRepeated: Bool
    /// The most values after one name.
    package var upTo: Int
    /// The name of the value in help. An option that needs several values names them: `from to`.
    package var valueName: String
    /// A sentence for the command line.
    package var help: String
    /// More about it, in lines of its own below ``help``.
    package var discussion: String
    /// The sentence for requests, where it differs from ``help``.
    package var requestHelp: String
    package var completion: Completion
    package var isHidden: Bool

    /// These are given by the declaration of a command.
    package var form = Form.option
    package var isOptional = true
    /// True if an argument takes words with `-` at their beginning that are not options.
    package var takesUnknownOptions = false
    /// The title of its section in the help; empty for the usual section.
    package var group = ""
    /// The values, in the words of the command line; empty if there is no list of them.
    package var values: [String] = []
    /// The value without the parameter; empty for none.
    package var defaultText = ""

    package init(
        _ name: String, _ kind: Kind, short: Character? = nil, aliases: [String] = [], isRepeated: Bool = false,
        upTo: Int = 1, valueName: String? = nil, _ help: String, discussion: String = "", requestHelp: String? = nil,
        completion: Completion = .none, isHidden: Bool = false
    ) {
        (self.name, self.kind, self.short, self.aliases, self.upTo) = (name, kind, short, aliases, upTo)
        (self.isRepeated, self.valueName, self.isHidden) = (isRepeated, valueName ?? name, isHidden)
        (self.help, self.discussion, self.requestHelp) = (help, discussion, requestHelp ?? help)
        self.completion = completion
    }

    /// Makes a choice among the cases of a type.
    package static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, of type: Choice.Type, _ help: String, requestHelp: String? = nil
    ) -> Parameter {
        Parameter(name, .choice(type.allCases.map(\.rawValue)), help, requestHelp: requestHelp)
    }
}

extension Parameter {
    /// The parameter that every command has.
    static let helpFlag: Parameter = {
        var help = Parameter("help", .flag, short: "h", "Show help information.")
        help.form = .flag
        return help
    }()

    /// The names with their dashes, the short one first.
    package var names: [String] {
        guard form != .argument else { return [] }
        let long = ([name] + aliases).filter { $0.utf8.count > 1 }.map { "--\($0)" }
        let letter = short.map { "-\($0)" } ?? (name.utf8.count == 1 ? "-\(name)" : nil)
        return (letter.map { [$0] } ?? []) + long + (form == .invertedFlag ? ["--no-\(name)"] : [])
    }

    /// True if the form has a value.
    package var takesValue: Bool { form == .option || form == .argument }

    /// The parameter in the left column of help: `-a, --account <account>`.
    package var synopsis: String {
        switch form {
        case .argument: "<\(valueName)>"
        case .option: "\(names.joined(separator: ", ")) \(placeholder)"
        case .flag: names.joined(separator: ", ")
        case .invertedFlag: names.joined(separator: "/")
        }
    }

    /// The parameter with one of its names, as errors show it: `-a <account>`.
    func written(_ name: String) -> String {
        takesValue ? (name.isEmpty ? placeholder : "\(name) \(placeholder)") : name
    }

    /// The value, or each of the values that ``valueName`` names with a space between: `<from> <to>`.
    private var placeholder: String { valueName.split(separator: " ").map { "<\($0)>" }.joined(separator: " ") }

    /// The parameter with its first long name: `--account <account> ...`.
    var required: String {
        written(names.first { $0.utf8.count > 2 } ?? names.first ?? "")
            + (isRepeated && !valueName.contains(" ") ? " ..." : "")
    }

    /// The parameter in a line of usage: `[--account <account> ...]`.
    var usage: [String] {
        if form == .invertedFlag { return names.map { "[\($0)]" } }
        return [isOptional ? "[\(required)]" : required]
    }

    /// The help with the values and the default.
    var explanation: String {
        let list = values.isEmpty ? nil : "values: \(values.joined(separator: ", "))"
        let usual = defaultText.isEmpty ? nil : "default: \(defaultText)"
        let notes = [list, usual].compactMap(\.self).joined(separator: "; ")
        return [help, notes.isEmpty ? "" : "(\(notes))"].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
