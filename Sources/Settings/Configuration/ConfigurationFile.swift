import Bytes
import Files
import FoundationEssentials

/// A configuration file that is valid TOML. ``Configuration`` checks its contents.
package struct ConfigurationFile {
    typealias Problem = ConfigurationError.Problem

    /// The path, as given.
    package let path: String
    let table: TOMLValue

    /// 1 MiB. A configuration has a few lines; a larger file is something else.
    static let maximumSize = 1024 * 1024

    /// Reads and parses a file of at most 1 MiB of UTF-8.
    ///
    /// - Parameter shown: The path for errors, and for paths relative to the file; nil for `path`.
    package static func read(_ path: String, shownAs shown: String? = nil) throws(ConfigurationError)
        -> ConfigurationFile
    {
        let (file, path) = (path, shown ?? path)
        let bytes: [UInt8]
        do {
            bytes = try FileBeginning.read(file, limit: maximumSize + 1)
        } catch {
            throw ConfigurationError(path: path, problems: [Problem(kind: .file("can't be read: \(error.reason)"))])
        }
        guard bytes.count <= maximumSize else {
            throw ConfigurationError(
                path: path,
                problems: [Problem(kind: .file("has more than the limit of \(maximumSize) bytes"))])
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(path: path, problems: [Problem(kind: .file("is not UTF-8"))])
        }
        return try parse(text, path: path)
    }

    /// Parses a text.
    ///
    /// - Parameter path: The path for errors.
    package static func parse(_ text: String, path: String) throws(ConfigurationError) -> ConfigurationFile {
        do {
            return ConfigurationFile(path: path, table: try TOMLValue(reading: text))
        } catch {
            let kind = Problem.Kind.syntax(column: error.place.column, error.detail)
            throw ConfigurationError(path: path, problems: [Problem(kind: kind, line: error.place.line)])
        }
    }

    /// Reads only `data`, for commands that read. The command `listen` reports other mistakes.
    ///
    /// - Throws: ``ConfigurationError`` if `data` is not a string.
    package func dataFolder(home: String) throws(ConfigurationError) -> String? {
        var root = TableReader(table)
        let folder = root.string("data").map { resolve($0, home: home) }
        guard root.problems.isEmpty else { throw error(root.problems) }
        return folder
    }

    /// Returns the error for problems of this file.
    func error(_ problems: [Problem]) -> ConfigurationError {
        ConfigurationError(path: path, table: table, problems: problems)
    }

    /// Returns a path relative to the file's folder; `~/` is the home folder, absolute paths are unchanged.
    package func resolve(_ folder: String, home: String) -> String {
        Self.resolve(folder, beside: path, home: home)
    }

    /// Returns a path relative to the folder of `path`; `~/` is the home folder, absolute paths are unchanged.
    package static func resolve(_ folder: String, beside path: String, home: String) -> String {
        if folder == "~" || folder.hasPrefix("~/") { return home + folder.dropFirst() }
        guard !folder.hasPrefix("/") else { return folder }
        let parent = path.parentFolder
        return parent.isEmpty ? folder : parent + "/" + folder
    }
}
