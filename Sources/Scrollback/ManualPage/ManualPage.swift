import Bytes
import ChatModel
import FoundationEssentials
import Glibc
import Options
import Settings

/// The manual, scrollback(1), in the macros of man(7), generated from the program's own help.
struct ManualPage {
    /// The argument that prints the manual, followed by its date. Not a command, because only packagers need it.
    static let request = "---man-page"

    private(set) var text = ""

    init(_ program: CommandPath, date: String) {
        // mandoc can't read a date with escaped hyphens.
        text =
            ".TH SCROLLBACK 1 \"\(date.filter { $0.isNumber || $0 == "-" })\" \"Scrollback \(ProgramVersion.current)\" \"User Commands\"\n"
        let commands = program.below.flatMap(\.all)
        section("NAME")
        line("scrollback - \(Self.sentence(program.command.configuration.abstract))")
        section("SYNOPSIS")
        for (index, command) in commands.filter(\.isSynopsis).enumerated() {
            if index > 0 { macro("br") }
            synopsis(command)
        }
        section("DESCRIPTION")
        paragraphs(program.command.configuration.discussion)
        section("COMMANDS")
        for command in commands { describe(command) }
        section("EXAMPLES")
        for command in commands { examples(command.command.configuration) }
        for (title, entries) in Self.appendix {
            section(title)
            for entry in entries { item(entry.term, entry.text) }
        }
        section("SEE ALSO")
        line("sqlite3(1), systemd.service(5), journalctl(1)")
        macro("PP")
        line("README.md in PREFIX/share/doc/scrollback lists the pages by task: import.md, search.md, alerts.md")
        line("and others. PREFIX is /usr for a package.")
    }

    /// The date of the page: the one of the arguments, such as `---man-page 2026-11-21`, or else today (UTC).
    static func date(_ arguments: [String]) -> String {
        arguments.dropFirst().first ?? String("\(Timestamp.now())".prefix(10))
    }

    private mutating func synopsis(_ command: CommandPath) {
        let words = command.parameters.filter { $0.form == .argument && !$0.isHidden }.map { argument in
            let name = argument.valueName.uppercased() + (argument.isRepeated ? " ..." : "")
            return argument.isOptional ? "[\(name)]" : name
        }
        macro("B", command.name)
        line((words + ["[OPTION ...]"]).joined(separator: " "))
    }

    private mutating func describe(_ command: CommandPath) {
        let configuration = command.command.configuration
        macro("SS", command.words.trimmed)
        paragraphs(configuration.abstract)
        let rest = Self.lines(configuration.discussion).filter { !$0.hasPrefix(Self.example) }
        if rest.contains(where: { !$0.isEmpty }) { paragraphs(rest.joined(separator: "\n"), isFirst: false) }
        for parameter in command.parameters where !parameter.isHidden {
            item(Self.term(parameter), Self.explanation(parameter))
        }
    }

    private static func term(_ parameter: Parameter) -> String {
        let names = parameter.names.joined(separator: ", ")
        return parameter.takesValue
            ? [names, parameter.valueName.uppercased()].filter { !$0.isEmpty }.joined(separator: " ") : names
    }

    private static func explanation(_ parameter: Parameter) -> String {
        let values = parameter.values.joined(separator: ", ")
        return [
            parameter.help, parameter.discussion, values.isEmpty ? "" : "One of: \(values).",
            parameter.defaultText.isEmpty ? "" : "Default: \(parameter.defaultText).",
        ].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static let example = "EXAMPLE: "

    private mutating func examples(_ command: CommandConfiguration) {
        for line in Self.lines(command.discussion) where line.hasPrefix(Self.example) {
            item(String(line.dropFirst(Self.example.count)), Self.sentence(command.abstract))
        }
    }

    private typealias Entry = (term: String, text: String)

    private static let appendix: [(title: String, entries: [Entry])] = [
        (
            "ENVIRONMENT",
            [
                ("SCROLLBACK_DATA", "The data folder, unless --data is given."),
                ("SCROLLBACK_CONFIG", "The configuration file, unless --config is given."),
                ("SCROLLBACK_IDENTITY_FILE", "The secret key for encrypted accounts, unless --identity is given."),
                (
                    "XDG_DATA_HOME, XDG_CONFIG_HOME",
                    "The parents of the default data folder and the default configuration."
                ),
                ("TZ", "The zone of times, unless --utc is given."),
                ("NO_COLOR", "No colours, unless --color always is given."),
                ("SCROLLBACK_PAGER, PAGER", "The program that shows long answers on a terminal."),
                ("COLUMNS", "The width of help."),
                (
                    "NOTIFY_SOCKET, WATCHDOG_USEC",
                    "The address and interval of the listener's signs of life to systemd."
                ),
            ]
        ),
        (
            "FILES",
            [
                (
                    "./scrollback.toml, ~/.config/scrollback/scrollback.toml",
                    "The configuration: the first of these files that exists."
                ),
                ("~/.local/share/scrollback", "The default data folder."),
                (
                    "accounts/NAME-XXXXXX/1.sqlite",
                    "An account's archive in the data folder, with SQLite's -wal and -shm files beside it."
                ),
                ("control.sock", "The socket in the data folder at which a running listener answers its owner."),
                (
                    "/etc/scrollback/scrollback.toml, /var/lib/scrollback",
                    "The configuration and the data folder of the system service."
                ),
            ]
        ),
        (
            "EXIT STATUS",
            [
                ("0", "Success. history and search: something was found."),
                ("1", "Failure; stderr has the reason and what to try. history and search: nothing was found."),
                (
                    "2",
                    """
                    archive check and backup verify: something is wrong. history and search: failure, wrong usage, or \
                    nothing was found and an account could not be read.
                    """
                ),
                ("64", "Wrong usage."),
            ]
        ),
    ]
}

extension ManualPage {
    private mutating func section(_ title: String) {
        macro("SH", title)
    }

    private mutating func item(_ term: String, _ explanation: String) {
        macro("TP")
        macro("B", term)
        line(explanation)
    }

    /// Writes help as paragraphs, which empty lines separate.
    private mutating func paragraphs(_ text: String, isFirst: Bool = true) {
        var isBegun = isFirst
        for text in Self.lines(text) {
            if text.isEmpty {
                isBegun = false
            } else {
                if !isBegun { macro("PP") }
                isBegun = true
                line(text)
            }
        }
    }

    private mutating func macro(_ name: String, _ arguments: String...) {
        let words = arguments.map { " \"" + Self.escaped($0).replacing("\"", with: "\\(dq") + "\"" }
        text += "." + name + words.joined() + "\n"
    }

    /// Writes words in source lines of at most 80 bytes, which other tools accept.
    private mutating func line(_ words: String) {
        var line = ""
        for word in Self.escaped(words).split(separator: " ") {
            if Self.size(line) + Self.size(word) > 78 { end(&line) }
            line += (line.isEmpty ? "" : " ") + word
        }
        end(&line)
    }

    /// The number of bytes that mandoc reads: it replaces a character outside ASCII by 8 bytes, such as `\[uB098]`.
    private static func size(_ text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 8) }
    }

    private mutating func end(_ line: inout String) {
        guard !line.isEmpty else { return }
        text += (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
        line = ""
    }

    /// Escapes the characters that would become typographic ones, such as hyphens, which can't be pasted into a shell.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("~", with: "\\(ti").replacing("^", with: "\\(ha")
            .replacing("`", with: "\\(ga")
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.trimmed
        }
    }

    private static func sentence(_ text: String) -> String {
        var text = text
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}

extension CommandPath {
    /// True for a command that does something by itself: one without commands below it, or `serve`, which has options.
    fileprivate var isSynopsis: Bool { below.isEmpty || parameters.contains { !$0.isHidden } }
}
