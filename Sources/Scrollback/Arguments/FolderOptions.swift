import Archive
import Options
import Settings

/// The options for the place of the archive.
struct FolderOptions: ParsableArguments {
    @Option(
        "data", help: "The data folder.",
        discussion: """
            Default: SCROLLBACK_DATA, else "data" of the configuration, else ~/.local/share/scrollback (XDG_DATA_HOME).
            """, valueName: "folder", completion: .directory)
    var data: String?

    @Option(
        "config", help: "The configuration file.",
        discussion: """
            Default: SCROLLBACK_CONFIG, else ./scrollback.toml, else ~/.config/scrollback/scrollback.toml \
            (XDG_CONFIG_HOME).
            """, valueName: "file", completion: .file(extensions: ["toml"]))
    var config: String?

    func validate() throws {
        if data == "" { throw ValidationError("--data needs the name of a folder") }
        if config == "" { throw ValidationError("--config needs the name of a file") }
    }

    var search: FolderSearch {
        FolderSearch(data: data, config: config)
    }

    /// Returns the data folder.
    ///
    /// - Parameter creating: True for a command that creates the folder. Otherwise it must exist, unless it is the
    ///   default folder.
    func resolve(creating: Bool = false) throws -> String {
        try creating ? search.dataFolder() : search.existingDataFolder()
    }

    /// Returns the configuration; nil if there is no configuration file.
    func configuration() throws -> Configuration? {
        let search = search
        guard let path = try search.configurationFile() else { return nil }
        return try Configuration(try ConfigurationFile.read(path), home: search.home)
    }

    /// Sets the limits on space that the configuration has. Its mistakes are for the commands that need more of it.
    func limit(_ archive: Archive) {
        guard let path = try? search.configurationFile(), let file = try? ConfigurationFile.read(path) else { return }
        Configuration.limit(archive, by: file)
    }

    var given: [String] {
        (data.map { ["--data", $0] } ?? []) + (config.map { ["--config", $0] } ?? [])
    }
}
