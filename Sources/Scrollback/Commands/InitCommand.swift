import ArgumentParser
import Rendering
import Service

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Print a configuration to start with.",
        discussion: """
            EXAMPLE: scrollback init streamchat > scrollback.toml

            Networks: \(KnownNetworks.names.joined(separator: ", "))
            """)

    @Argument(help: "The network's kind.", completion: .list(KnownNetworks.names))
    var network: String

    func run() throws {
        guard let text = KnownNetworks.template(network: network) else {
            throw CommandError(
                .unknownNetwork, "no network \"\(Sanitizer.line(network))\"",
                hint: "networks: \(KnownNetworks.names.joined(separator: ", "))")
        }
        try StandardStream.output.write(text)
    }
}
