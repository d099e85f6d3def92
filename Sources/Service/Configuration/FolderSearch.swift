import Foundation
import Rendering

/// Finds the configuration and the data folder: every command by the same rules.
package struct FolderSearch: Sendable {
    package var data: String?
    package var config: String?
    package var environment: [String: String]
    /// For tests; paths that are not absolute are relative to it.
    var isFile: @Sendable (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }

    package init(
        data: String? = nil, config: String? = nil, environment: [String: String],
        isFile: @escaping @Sendable (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
    ) {
        self.data = data
        self.config = config
        self.environment = environment
        self.isFile = isFile
    }

    /// Whether the data folder is named elsewhere, so that the configuration's makes no difference.
    package var isDataGiven: Bool { data ?? variable("SCROLLBACK_DATA") != nil }

    /// `--data`, `SCROLLBACK_DATA`, `data` of the configuration, `$XDG_DATA_HOME/scrollback`.
    package func dataFolder() throws -> String {
        if let given = data ?? variable("SCROLLBACK_DATA") { return given }
        let configured = try configurationFile().flatMap { try ConfigurationFile.read($0).dataFolder(home: home) }
        return configured ?? xdg("XDG_DATA_HOME", ".local/share") + "/scrollback"
    }

    /// `--config`, `SCROLLBACK_CONFIG`, `./scrollback.toml`, `$XDG_CONFIG_HOME/scrollback/scrollback.toml`: the first
    /// that was named or is there; nil when there is none.
    package func configurationFile() throws(ServiceError) -> String? {
        if let named = config ?? variable("SCROLLBACK_CONFIG") {
            guard isFile(named) else {
                throw ServiceError(
                    .noConfiguration, "no configuration at \(Sanitizer.line(named))",
                    hint: "\"scrollback init streamchat > FILE\" begins one")
            }
            return named
        }
        return defaultFiles.first(where: isFile)
    }

    package var defaultFiles: [String] {
        ["scrollback.toml", xdg("XDG_CONFIG_HOME", ".config") + "/scrollback/scrollback.toml"]
    }

    package var home: String {
        variable("HOME") ?? NSHomeDirectory()
    }

    /// The XDG specification has a relative path be ignored.
    private func xdg(_ name: String, _ fallback: String) -> String {
        guard let path = variable(name), path.hasPrefix("/") else { return "\(home)/\(fallback)" }
        return path
    }

    /// An empty variable counts as none.
    private func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
