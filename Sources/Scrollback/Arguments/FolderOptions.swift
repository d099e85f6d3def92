import ArgumentParser
import Foundation
import Service

/// The options for the place of the archive.
struct FolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The data folder.",
            discussion: """
                Else SCROLLBACK_DATA, else "data" of the configuration, else scrollback in XDG_DATA_HOME (~/.local/share).
                """,
            valueName: "folder"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The configuration file.",
            discussion: """
                Else SCROLLBACK_CONFIG, else ./scrollback.toml, else scrollback/scrollback.toml in XDG_CONFIG_HOME \
                (~/.config).
                """,
            valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    var search: FolderSearch {
        FolderSearch(data: data, config: config, environment: ProcessInfo.processInfo.environment)
    }

    func resolve() throws -> String {
        try search.dataFolder()
    }

    /// Returns the configuration; nil if there is no configuration file.
    func configuration() throws -> Configuration? {
        let search = search
        guard let path = try search.configurationFile() else { return nil }
        return try Configuration(try ConfigurationFile.read(path), home: search.home)
    }

    var given: [String] {
        (data.map { ["--data", $0] } ?? []) + (config.map { ["--config", $0] } ?? [])
    }
}
