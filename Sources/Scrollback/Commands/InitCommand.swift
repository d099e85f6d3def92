import Options
import Rendering
import Settings

struct InitCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a configuration to start with: ask on a terminal, else print a template.",
        discussion: """
            EXAMPLE: scrollback init streamchat > scrollback.toml

            Networks: \(KnownNetworks.names.joined(separator: ", ")). On a terminal, the answers are checked, and the files are written \
            for you only. Passwords are not shown.
            """)

    @Argument("network", help: "The network's kind (asked for on a terminal).", completion: .list(KnownNetworks.names))
    var network: String?

    func run() throws {
        if let network, KnownNetworks.template(network: network) == nil { throw Self.unknown(network) }
        if TerminalPrompt.isPossible, StandardStream.output.isTerminal {
            var dialogue = InitDialogue(home: FolderSearch().home)
            return try dialogue.run(network: network)
        }
        guard let network, let template = KnownNetworks.template(network: network) else {
            throw ValidationError("name a network: \(KnownNetworks.names.joined(separator: ", "))")
        }
        try StandardStream.output.write(template)
    }

    static func unknown(_ network: String) -> CommandError {
        CommandError(
            .unknownNetwork, "no network \"\(Sanitizer.line(network))\"",
            hint: "networks: \(KnownNetworks.names.joined(separator: ", "))")
    }
}
