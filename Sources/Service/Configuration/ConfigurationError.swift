import Rendering

/// All problems of a configuration.
package struct ConfigurationError: Error, Hashable {
    enum Problem: Sendable, Hashable {
        case file(String)
        case syntax(line: Int, column: Int, String)
        /// A wrong value; the first string is a path such as `account[2].nick`, counted from 1.
        case key(String, expected: String, found: String)
        case unknownKey(String, suggestion: String?)
        case missingKey(String, expected: String)
    }

    let path: String
    let problems: [Problem]
}

extension ConfigurationError: CodedError {
    package var codeName: String { "configuration" }

    package var description: String {
        (problems.count == 1 ? "" : "\(problems.count) mistakes:\n") + lines
    }

    /// One problem a line.
    package var lines: String {
        problems.map { Sanitizer.line(sentence($0)) }.joined(separator: "\n")
    }

    private func sentence(_ problem: Problem) -> String {
        switch problem {
        case .file(let text): "\(path): \(text)"
        case .syntax(let line, let column, let text): "\(path):\(line):\(column): \(text)"
        case .key(let key, let expected, let found): "\(path): \(key): expected \(expected), found \(found)"
        case .missingKey(let key, let expected): "\(path): \(key) is missing: expected \(expected)"
        case .unknownKey(let key, let suggestion):
            "\(path): \(key): no such key" + (suggestion.map { "; did you mean \"\($0)\"?" } ?? "")
        }
    }
}
