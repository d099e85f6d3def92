import ArgumentParser

@main
struct ScrollbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "scrollback")
}
