import Foundation
import TOMLKit

/// A configuration file that was read and is TOML; what it says is told by ``Configuration``.
package struct ConfigurationFile {
    /// As given.
    package let path: String
    let table: TOMLTable

    /// A configuration is some lines; whatever is larger is another file.
    static let maximumSize = 1024 * 1024

    package static func read(_ path: String) throws(ConfigurationError) -> ConfigurationFile {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw ConfigurationError(path: path, problems: [.file("can't be read: \(error.localizedDescription)")])
        }
        guard bytes.count <= maximumSize else {
            throw ConfigurationError(path: path, problems: [.file("is \(bytes.count) bytes long: no configuration")])
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(path: path, problems: [.file("is not UTF-8")])
        }
        return try parse(text, path: path)
    }

    package static func parse(_ text: String, path: String) throws(ConfigurationError) -> ConfigurationFile {
        // The parser behind TOMLKit 0.6 takes a C string: the rest of the file would be ignored in silence.
        if let nul = text.utf8.firstIndex(of: 0) {
            let line = text.utf8[..<nul].count { $0 == UInt8(ascii: "\n") } + 1
            throw ConfigurationError(path: path, problems: [.syntax(line: line, column: 1, "a NUL byte")])
        }
        do {
            return ConfigurationFile(path: path, table: try TOMLTable(string: text))
        } catch let error as TOMLParseError {
            let place = error.source.begin
            throw ConfigurationError(
                path: path, problems: [.syntax(line: place.line, column: place.column, error.description)])
        } catch {
            throw ConfigurationError(path: path, problems: [.file("can't be parsed: \(error)")])
        }
    }

    /// Only `data`, for commands that read: other mistakes are `listen`'s to tell.
    package func dataFolder(home: String) throws(ConfigurationError) -> String? {
        var root = TableReader(table, path: "")
        let folder = root.string("data").map { resolve($0, home: home) }
        guard root.problems.isEmpty else { throw ConfigurationError(path: path, problems: root.problems) }
        return folder
    }

    /// Relative to the file; `~/` is the home folder.
    package func resolve(_ folder: String, home: String) -> String {
        Self.resolve(folder, beside: path, home: home)
    }

    package static func resolve(_ folder: String, beside path: String, home: String) -> String {
        if folder == "~" || folder.hasPrefix("~/") { return home + folder.dropFirst() }
        guard !folder.hasPrefix("/") else { return folder }
        let parent = (path as NSString).deletingLastPathComponent
        return parent.isEmpty ? folder : parent + "/" + folder
    }
}
