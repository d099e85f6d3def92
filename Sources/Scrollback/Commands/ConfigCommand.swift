import Archive
import ArgumentParser
import Foundation
import Rendering
import Service

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show, check or edit the configuration.",
        discussion: "EXAMPLE: scrollback config check",
        subcommands: [
            ConfigShowCommand.self, ConfigCheckCommand.self, ConfigPathCommand.self, ConfigEditCommand.self,
        ])
}

struct ConfigShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the configuration in force, with every default.",
        discussion: """
            EXAMPLE: scrollback config show

            The output is a valid configuration. Defaults are marked. Secrets are not shown: the configuration has the names of their \
            files or variables.
            """)

    @OptionGroup(title: "Where") var folder: FolderOptions

    func run() throws {
        let search = folder.search
        let found = try search.requiredConfiguration()
        try StandardStream.output.write(EffectiveConfiguration(found, search: search).text)
    }
}

struct ConfigCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the configuration without connecting; report every mistake with its line.",
        discussion: "EXAMPLE: scrollback config check --config scrollback.toml")

    @OptionGroup(title: "Where") var folder: FolderOptions

    func run() throws {
        let search = folder.search
        let path = try search.requiredConfiguration().path
        let configuration = try Configuration(try ConfigurationFile.read(path), home: search.home)
        // Only age knows whether a public key is one.
        try configuration.hot.recipients?.check()
        for warning in configuration.warnings { StandardStream.note("warning: \(Sanitizer.line(warning))\n") }
        let count = configuration.accounts.count == 1 ? "1 account" : "\(configuration.accounts.count) accounts"
        StandardStream.note(
            """
            configuration \(Sanitizer.line(path)) is valid: \(count), data folder \(Sanitizer.line(try search.dataFolder()))\n
            """)
    }
}

struct ConfigPathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print the path of the configuration in use, and on stderr why it is used.",
        discussion: "EXAMPLE: scrollback config path")

    @OptionGroup(title: "Where") var folder: FolderOptions

    func run() throws {
        let found = try folder.search.requiredConfiguration()
        try StandardStream.output.write(Sanitizer.line(found.absolutePath) + "\n")
        StandardStream.note("\(found.source.reason)\n")
    }
}
