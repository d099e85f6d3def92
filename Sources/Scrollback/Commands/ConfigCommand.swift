import Archive
import ChatModel
import Files
import Moves
import Options
import Reading
import Rendering
import Settings

struct ConfigCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show, check or edit the configuration.",
        discussion: "EXAMPLE: scrollback config check",
        subcommands: [
            ConfigShowCommand.self, ConfigCheckCommand.self, ConfigPathCommand.self, ConfigEditCommand.self,
        ])
}

struct ConfigShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the configuration in force, with every default.",
        discussion: """
            EXAMPLE: scrollback config show

            The output is a valid configuration. Defaults are marked. Secrets are not shown: the configuration has the names of their \
            files or variables.
            """)

    @Option("format", help: "The output format; text: the configuration as TOML.")
    var format = OutputFormat.text

    @OptionGroup(title: "Where") var folder: FolderOptions

    func run() throws {
        let search = folder.search
        let effective = try EffectiveConfiguration(try search.requiredConfiguration(), search: search)
        let output =
            format == .text
            ? effective.text
            : EffectiveConfiguration.Setting.listing.render(effective.settings, format: format)
        try StandardStream.output.write(output)
    }
}

struct ConfigCheckCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the configuration; report every mistake with its line.",
        discussion: "EXAMPLE: scrollback config check --config scrollback.toml")

    @Flag("connect", help: "Log in to each server, too, without joining a room (XMPP, Matrix).")
    var connects = false

    @OptionGroup var answer: AnswerOptions
    @OptionGroup(title: "Where") var folder: FolderOptions

    func run() async throws {
        let work = try ServerProgram.work()
        let search = folder.search
        let path = try search.requiredConfiguration().path
        do {
            let configuration = try work.check(try ConfigurationFile.read(path), home: search.home)
            let trials = connects ? await tryConnecting(configuration, work) : []
            try report(configuration, work.warnings(of: configuration), trials, at: path, search)
        } catch let error as ConfigurationError {
            let mistakes = error.mistakes.map { ConfigurationRemark(isMistake: true, line: $0.line, text: $0.text) }
            try answer.write(mistakes, as: ConfigurationRemark.listing(on: path, of: nil, data: nil))
            throw error
        }
    }

    /// The findings of an account's connection.
    private typealias Trial = (account: String, findings: [ConnectionFinding])

    /// Tries the accounts one after the other.
    private func tryConnecting(_ configuration: Configuration, _ work: any ServerWork) async -> [Trial] {
        var trials: [Trial] = []
        for account in configuration.accounts {
            let name = account.identity.name
            let untried = ConnectionFinding(.fact, "not tried: the network is \(account.identity.network)")
            trials.append((name, await work.tryConnecting(account) ?? [untried]))
        }
        return trials
    }

    private func report(
        _ configuration: Configuration, _ warnings: [String], _ trials: [Trial], at path: String,
        _ search: FolderSearch
    ) throws {
        // Only age knows whether a public key is one.
        try configuration.hot.recipients?.check()
        let data = try search.dataFolder()
        let known = try? Archive(folder: data).reading().accounts().map(\.name)
        let warnings =
            warnings + (configuration.unmatchedRules(in: data))
            + (known.map { configuration.unmatchedBots(known: $0) } ?? [])
        let found = trials.flatMap { trial in
            trial.findings.map { (kind: $0.kind, text: "account \"\(trial.account)\": \($0.text)") }
        }
        let connectionWarnings = found.filter { $0.kind == .warning }.map(\.text)
        for warning in warnings + connectionWarnings { answer.note("warning: \(Sanitizer.line(warning))\n") }
        for fact in found where fact.kind == .fact { answer.note("\(Sanitizer.line(fact.text))\n") }
        answer.note(
            """
            configuration \(Sanitizer.line(path)) is valid: \(configuration.accounts.count.of("account")), data folder \
            \(Sanitizer.line(data))\n
            """)
        let failures = found.filter { $0.kind == .failure }.map(\.text)
        let remarks = (warnings + connectionWarnings + failures).map {
            ConfigurationRemark(isMistake: false, line: nil, text: $0)
        }
        try answer.write(
            remarks, as: ConfigurationRemark.listing(on: path, of: configuration.accounts.count, data: data))
        guard !failures.isEmpty else { return }
        throw CommandError(.connection, failures.map(Sanitizer.line).joined(separator: "; "), hint: nil)
    }
}

struct ConfigPathCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print the path of the configuration in use, and on stderr why it is used.",
        discussion: "EXAMPLE: scrollback config path")

    @Option("format", help: "The output format; text: the path, and the reason on stderr.")
    var format = OutputFormat.text

    @OptionGroup(title: "Where") var folder: FolderOptions

    func run() throws {
        let found = try folder.search.requiredConfiguration()
        guard format == .text else {
            return try StandardStream.output.write(FoundConfiguration.listing.render([found], format: format))
        }
        try StandardStream.output.write(Sanitizer.line(found.absolutePath) + "\n")
        StandardStream.note("\(found.source.reason)\n")
    }
}
