/// The help of a command.
struct CommandHelp {
    private let path: CommandPath
    private let configuration: CommandConfiguration
    private let parameters: [Parameter]

    init(_ path: CommandPath) {
        self.path = path
        configuration = path.command.configuration
        parameters = path.parameters.filter { !$0.isHidden }
    }

    /// The most parameters that a line of usage shows. A longer line shows the arguments and what must be given.
    private static let shown = 12

    /// The usage, in one line or several.
    var usage: String {
        if let usage = configuration.usage { return usage }
        var words = parameters.flatMap(\.usage)
        if words.count > Self.shown {
            let needed = parameters.filter { $0.form == .argument || !$0.isOptional }.flatMap(\.usage)
            words = needed.isEmpty || needed.count > Self.shown ? ["<options>"] : ["[<options>]"] + needed
        }
        return ([path.name] + words + (configuration.subcommands.isEmpty ? [] : ["<subcommand>"]))
            .joined(separator: " ")
    }

    func text(columns: Int) -> String {
        let overview = [configuration.abstract, configuration.discussion].filter { !$0.isEmpty }
            .joined(separator: "\n\n")
        let head = overview.isEmpty ? "" : Self.wrapped("OVERVIEW: \(overview)", columns) + "\n\n"
        let body = sections(columns).joined(separator: "\n")
        let foot =
            configuration.subcommands.isEmpty
            ? "" : "\n  See '\(path.commands[0].name) help\(below) <subcommand>' for detailed help."
        return "\(head)USAGE: \(Self.indented(usage))\n\n\(body)\(foot)"
    }

    /// The words of the command after the program's.
    private var below: String { path.commands.dropFirst().map { " \($0.name)" }.joined() }

    private func sections(_ columns: Int) -> [String] {
        var groups: [(title: String, parameters: [Parameter])] = [("ARGUMENTS", [])]
        var options: [Parameter] = []
        for parameter in parameters {
            if parameter.group.isEmpty, parameter.form != .argument {
                options.append(parameter)
                continue
            }
            let title = parameter.group.isEmpty ? "ARGUMENTS" : parameter.group.uppercased()
            if let index = groups.firstIndex(where: { $0.title == title }) {
                groups[index].parameters.append(parameter)
            } else {
                groups.append((title, [parameter]))
            }
        }
        groups.append(("OPTIONS", options + [.helpFlag]))
        let commands =
            [("SUBCOMMANDS", configuration.ungroupedSubcommands)]
            + configuration.groupedSubcommands.map { ("\($0.name.uppercased()) SUBCOMMANDS", $0.subcommands) }
        return groups.compactMap { title, parameters in
            Self.section(title, parameters.map { ($0.synopsis, $0.explanation, $0.discussion) }, columns)
        }
            + commands.compactMap { title, commands in
                Self.section(title, commands.map { label($0) }, columns)
            }
    }

    private func label(_ command: any Command.Type) -> (String, String, String) {
        let isUsual = configuration.defaultSubcommand.map { $0 == command } ?? false
        return (command.name + (isUsual ? " (default)" : ""), command.configuration.abstract, "")
    }

    /// The column at which explanations begin.
    private static let left = 26

    private static func section(
        _ title: String, _ rows: [(label: String, text: String, discussion: String)], _ columns: Int
    ) -> String? {
        guard !rows.isEmpty else { return nil }
        return "\(title):\n"
            + rows.map { row in
                let (label, text) = ("  \(row.label)", wrapped(row.text, columns, indent: left))
                let beside = label.count < left ? String(text.dropFirst(label.count)) : "\n\(text)"
                return label + (row.text.isEmpty ? "" : beside) + "\n"
                    + (row.discussion.isEmpty ? "" : wrapped(row.discussion, columns, indent: 8) + "\n")
            }.joined()
    }

    /// Indents the lines of a usage after the first.
    static func indented(_ usage: String) -> String {
        usage.split(separator: "\n").joined(separator: "\n       ")
    }

    /// Returns the text in lines of at most that many characters, except for longer words.
    private static func wrapped(_ text: String, _ columns: Int, indent: Int = 0) -> String {
        let width = columns - indent
        var lines: [Substring] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = paragraph
            // A line break takes a column.
            let room = paragraph.endIndex == text.endIndex ? width : width - 1
            while rest.count > room, let space = rest.prefix(width).lastIndex(of: " ") ?? rest.firstIndex(of: " ") {
                lines.append(rest[..<space])
                rest = rest[rest.index(after: space)...]
            }
            lines.append(rest)
        }
        return lines.map { $0.isEmpty ? "" : String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
    }
}
