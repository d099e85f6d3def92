import Foundation

/// Something that nobody else may see: named in the configuration by the file or the environment variable that has it.
struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    let value: String

    private static let maximumBytes = 4096

    var description: String { "secret" }
    var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Reads `NAME_file` or `NAME_env`; nil where there is neither, or it is no use: then `table` has the problem.
    static func read(_ name: String, _ table: inout TableReader) -> Secret? {
        let (fileKey, variableKey) = (name + "_file", name + "_env")
        let (file, variable) = (table.string(fileKey), table.string(variableKey))
        if let file, variable == nil {
            return read(file: table.resolve(file), key: fileKey, &table)
        } else if let variable, file == nil {
            guard let value = table.environment[variable], !value.isEmpty else {
                table.report(variableKey, expected: "a variable of the environment", found: "no \(variable)")
                return nil
            }
            return Secret(value: value)
        }
        if file != nil { table.report(variableKey, expected: "\(fileKey) or \(variableKey)", found: "both") }
        return nil
    }

    /// The file's first line.
    private static func read(file: String, key: String, _ table: inout TableReader) -> Secret? {
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let bytes = FileManager.default.contents(atPath: file)
        else {
            table.report(key, expected: "a file that can be read", found: "\(TableReader.quote(file)), which can't be")
            return nil
        }
        guard status.st_mode & 0o077 == 0 else {
            table.report(
                key, expected: "a file that only its owner can read (chmod 600)",
                found: "\(TableReader.quote(file)), which is open to others")
            return nil
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, line.count <= maximumBytes, let value = String(validating: line, as: UTF8.self) else {
            table.report(
                key, expected: "a file with the secret as its first line",
                found: "\(TableReader.quote(file)) without one")
            return nil
        }
        return Secret(value: value)
    }
}
