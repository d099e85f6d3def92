import Foundation

/// Something that nobody else may see: named in the configuration by the file or the environment variable that has it.
struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    let value: String
    /// Which file has it; nil where it is from elsewhere.
    let file: String?

    private static let maximumBytes = 4096

    var description: String { "secret" }
    var customMirror: Mirror { Mirror(self, children: [:]) }

    private init(value: String, file: String? = nil) {
        (self.value, self.file) = (value, file)
    }

    /// What its file has by now; nil where that is no use.
    var current: Secret? {
        guard let file else { return self }
        return try? Self.read(file: file)
    }

    /// Reads `NAME_file` or `NAME_env`; nil where there is neither, or it is no use: then `table` has the problem.
    static func read(_ name: String, _ table: inout TableReader) -> Secret? {
        let (fileKey, variableKey) = (name + "_file", name + "_env")
        let (file, variable) = (table.string(fileKey), table.string(variableKey))
        if let file, variable == nil {
            do throws(Trouble) {
                return try read(file: table.resolve(file))
            } catch {
                table.report(
                    fileKey, expected: error.expected, found: "\(TableReader.quote(table.resolve(file)))\(error.found)")
                return nil
            }
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

    /// What is wrong with a file; `found` follows its name.
    private struct Trouble: Error {
        var expected: String
        var found: String
    }

    /// The file's first line.
    private static func read(file: String) throws(Trouble) -> Secret {
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let bytes = FileManager.default.contents(atPath: file)
        else { throw Trouble(expected: "a file that can be read", found: ", which can't be") }
        guard status.st_mode & 0o077 == 0 else {
            throw Trouble(
                expected: "a file that only its owner can read (chmod 600)", found: ", which is open to others")
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, line.count <= maximumBytes, let value = String(validating: line, as: UTF8.self) else {
            throw Trouble(expected: "a file with the secret as its first line", found: " without one")
        }
        return Secret(value: value, file: file)
    }
}
