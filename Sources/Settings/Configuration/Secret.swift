import FoundationEssentials
import Glibc

/// A secret value. The configuration names the file or the environment variable that has it.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package let value: String
    /// The path of its file; nil for a variable.
    package let file: String?
    /// True if the secret is the whole file, false if it is the first line.
    private let isList: Bool

    private static let maximumBytes = 4096
    /// The largest list, in bytes: ten thousand channels with their keys.
    private static let maximumListBytes = 1024 * 1024

    package var description: String { "secret" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    private init(value: String, file: String? = nil, isList: Bool = false) {
        (self.value, self.file, self.isList) = (value, file, isList)
    }

    /// The secret with the present content of its file; nil if the file is unusable.
    package var current: Secret? {
        guard let file else { return self }
        return try? Self.load(file: file, isList: isList)
    }

    /// Reads `NAME_file` or `NAME_env`; nil if there is neither, or if it is unusable, which is reported to `table`.
    ///
    /// - Parameter isList: True to read all lines of the file, of which there may be none.
    package static func read(_ name: String, _ table: inout TableReader, isList: Bool = false) -> Secret? {
        let (fileKey, variableKey) = (name + "_file", name + "_env")
        let (file, variable) = (table.string(fileKey), table.string(variableKey))
        if let file, variable == nil {
            do throws(Trouble) {
                return try load(file: table.resolve(file), isList: isList)
            } catch {
                table.report(
                    fileKey, expected: error.expected, found: "\(TableReader.quote(table.resolve(file)))\(error.found)")
                return nil
            }
        } else if let variable, file == nil {
            guard let value = table.environment[variable], !value.isEmpty else {
                table.report(
                    variableKey, expected: "a set environment variable", found: "\(variable), which is not set")
                return nil
            }
            return Secret(value: value)
        }
        if file != nil { table.report(variableKey, expected: "\(fileKey) or \(variableKey)", found: "both") }
        return nil
    }

    /// The problem with a file; `found` follows its name.
    private struct Trouble: Error {
        var expected: String
        var found: String
    }

    private static func load(file: String, isList: Bool) throws(Trouble) -> Secret {
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let bytes = FileManager.default.contents(atPath: file)
        else { throw Trouble(expected: "a readable file", found: TableReader.unreadable(file)) }
        guard status.st_mode & 0o077 == 0 else {
            throw Trouble(
                expected: "a file that only its owner can read (chmod 600)", found: ", which other users may access")
        }
        if isList {
            guard bytes.count <= maximumListBytes, let value = String(validating: bytes, as: UTF8.self) else {
                throw Trouble(expected: "a text file of up to \(maximumListBytes) bytes", found: ", which is not")
            }
            return Secret(value: value, file: file, isList: true)
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, line.count <= maximumBytes, let value = String(validating: line, as: UTF8.self) else {
            throw Trouble(expected: "a file with the secret in its first line", found: ", which has none")
        }
        return Secret(value: value, file: file)
    }
}
