import Files
import FoundationEssentials
import Glibc
import Rendering

/// Finds the configuration and the data folder, by the same rules for every command.
package struct FolderSearch: Sendable {
    /// The value of `--data`.
    package var data: String?
    /// The value of `--config`.
    package var config: String?
    /// The environment variables; nil for the process's own.
    var environment: [String: String]?
    /// Returns true if a file exists; tests replace it.
    var isFile: @Sendable (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }

    package init(
        data: String? = nil, config: String? = nil, environment: [String: String]? = nil,
        isFile: @escaping @Sendable (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
    ) {
        (self.data, self.config, self.environment, self.isFile) = (data, config, environment, isFile)
    }

    /// True if an option or a variable gives the data folder, so that the configuration's is ignored.
    package var isDataGiven: Bool { data ?? variable("SCROLLBACK_DATA") != nil }

    /// Returns the first of `--data`, `SCROLLBACK_DATA`, `data` of the configuration and `$XDG_DATA_HOME/scrollback`.
    ///
    /// - Throws: ``ServiceError`` if the named configuration does not exist, ``ConfigurationError`` if it can't be
    ///   read.
    package func dataFolder() throws -> String {
        try namedDataFolder()?.path ?? defaultDataFolder
    }

    /// Returns the data folder, and the option, variable or key that gives it; nil for the default folder.
    func dataFolderAndSource() throws -> (path: String, source: String?) {
        try namedDataFolder() ?? (defaultDataFolder, nil)
    }

    /// Returns the data folder. It must exist unless it is the default one, which can't be mistyped.
    ///
    /// - Throws: ``ArchiveError`` if a named folder does not exist; otherwise as ``dataFolder()``.
    package func existingDataFolder() throws -> String {
        guard let named = try namedDataFolder() else { return defaultDataFolder }
        guard access(named.path, F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno) else {
            throw ArchiveError(code: .noArchive, detail: "\(named.source): no folder \"\(named.path)\"")
        }
        return named.path
    }

    /// Returns the data folder that is not the default one, and the option, variable or key that gives it; nil if none
    /// does.
    private func namedDataFolder() throws -> (path: String, source: String)? {
        // The data folder makes a configuration superfluous, but a mistyped name of one remains a mistake.
        if isDataGiven { _ = try namedConfiguration() }
        if let data { return (data, "--data") }
        if let folder = variable("SCROLLBACK_DATA") { return (folder, "SCROLLBACK_DATA") }
        guard let file = try configurationFile() else { return nil }
        return try ConfigurationFile.read(file).dataFolder(home: home).map { ($0, "\(file): data") }
    }

    private var defaultDataFolder: String { xdg("XDG_DATA_HOME", ".local/share") + "/scrollback" }

    /// Returns the first of `--config`, `SCROLLBACK_CONFIG`, `./scrollback.toml` and
    /// `$XDG_CONFIG_HOME/scrollback/scrollback.toml` that is named or exists; nil if there is none.
    ///
    /// - Throws: ``ServiceError`` if the named one doesn't exist.
    private func foundConfiguration() throws(ServiceError) -> FoundConfiguration? {
        if let named = try namedConfiguration() { return named }
        return zip(defaultFiles, [FoundConfiguration.Source.workingFolder, .standardFolder])
            .map { FoundConfiguration(path: $0, source: $1) }.first { isFile($0.path) }
    }

    /// Returns the configuration that `--config` or `SCROLLBACK_CONFIG` names; nil if neither does. Does not read it.
    ///
    /// - Throws: ``ServiceError`` if it doesn't exist.
    package func namedConfiguration() throws(ServiceError) -> FoundConfiguration? {
        let named =
            config.map { FoundConfiguration(path: $0, source: .option) }
            ?? variable("SCROLLBACK_CONFIG").map { FoundConfiguration(path: $0, source: .variable) }
        guard let named else { return nil }
        guard isFile(named.path) else {
            throw ServiceError(
                .noConfiguration, "no configuration at \(Sanitizer.line(named.path))",
                hint: "to create one: scrollback init")
        }
        return named
    }

    /// Returns the path of ``foundConfiguration()``.
    package func configurationFile() throws(ServiceError) -> String? {
        try foundConfiguration()?.path
    }

    /// Returns the configuration; it is an error if there is none.
    package func requiredConfiguration() throws(ServiceError) -> FoundConfiguration {
        if let found = try foundConfiguration() { return found }
        throw ServiceError(
            .noConfiguration,
            "no configuration: neither \(defaultFiles.map(Sanitizer.line).joined(separator: " nor "))",
            hint: "\"scrollback init\" creates one; or choose a file with --config")
    }

    /// The default places of a configuration, in the order of the search.
    private var defaultFiles: [String] {
        ["scrollback.toml", xdg("XDG_CONFIG_HOME", ".config") + "/scrollback/scrollback.toml"]
    }

    /// The home folder: `HOME`, or the account's if that is empty.
    package var home: String {
        variable("HOME") ?? getpwuid(getuid())?.pointee.pw_dir.map { String(cString: $0) } ?? "/"
    }

    /// Returns a folder of the XDG specification, which requires that relative paths are ignored.
    private func xdg(_ name: String, _ fallback: String) -> String {
        guard let path = variable(name), path.hasPrefix("/") else { return "\(home)/\(fallback)" }
        return path
    }

    /// Returns a variable's value; nil for an empty one.
    ///
    /// Reads the process's variables one by one: `ProcessInfo` copies all of them, which takes 2% of the instructions of a
    /// search *(measured)*.
    private func variable(_ name: String) -> String? {
        let value = if let environment { environment[name] } else { getenv(name).map { String(cString: $0) } }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }
}
