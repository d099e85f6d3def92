import Rendering

/// All problems of a configuration.
package struct ConfigurationError: Error, Hashable {
    /// One mistake and its place.
    struct Problem: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case file(String)
            case syntax(column: Int, String)
            /// A wrong value.
            case key(String, expected: String, found: String)
            case unknownKey(String, suggestion: String?)
            case missingKey(String, expected: String)

            /// The key; nil for a problem of the file.
            var key: String? {
                switch self {
                case .key(let key, _, _), .unknownKey(let key, _), .missingKey(let key, _): key
                case .file, .syntax: nil
                }
            }
        }

        var kind: Kind
        /// The path of the table for ``TOMLValue/line(of:)``; empty for the whole file.
        var table: [String] = []
        /// The table for people, such as `account "libera"`; nil for the whole file.
        var label: String?
        /// The line; nil for a problem of the whole file.
        var line: Int?

        /// The key's path for ``TOMLValue/line(of:)``; the table's for a missing key.
        fileprivate var path: [String] {
            switch kind {
            case .key(let key, _, _), .unknownKey(let key, _): table + [key]
            case .file, .syntax, .missingKey: table
            }
        }
    }

    let path: String
    let problems: [Problem]

    init(path: String, problems: [Problem]) {
        (self.path, self.problems) = (path, problems)
    }

    /// Finds the problems' lines in the file, and puts them in the order of their lines.
    init(path: String, table: TOMLValue, problems: [Problem]) {
        let found = problems.map { problem in
            var problem = problem
            problem.line = table.line(of: problem.path)
            return problem
        }
        // The sort is stable: problems of one line keep their order.
        self.init(path: path, problems: found.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
    }
}

extension ConfigurationError: CodedError {
    package var codeName: String { "configuration" }

    package var description: String {
        (problems.count == 1 ? "" : "\(problems.count) mistakes:\n") + lines
    }

    /// Each problem with its line; nil for a problem of the whole file.
    package var mistakes: [(line: Int?, text: String)] {
        problems.map { ($0.line, Sanitizer.line(sentence($0))) }
    }

    /// One problem a line.
    package var lines: String {
        problems.map { Sanitizer.line(sentence($0)) }.joined(separator: "\n")
    }

    private func sentence(_ problem: Problem) -> String {
        let place = path + (problem.line.map { ":\($0)" } ?? "")
        let label = problem.label.map { "\($0): " } ?? ""
        return switch problem.kind {
        case .file(let text): "\(place): \(text)"
        case .syntax(let column, let text): "\(place):\(column): \(text)"
        case .key(let key, let expected, let found): "\(place): \(label)\(key): expected \(expected), found \(found)"
        case .missingKey(let key, let expected): "\(place): \(label)missing key \"\(key)\"; expected \(expected)"
        case .unknownKey(let key, let suggestion):
            "\(place): \(label)unknown key \"\(key)\"" + (suggestion.map { "; did you mean \"\($0)\"?" } ?? "")
        }
    }
}
