import Foundation
import Rendering
import TOMLKit

/// Reads a table's keys one by one, and collects the keys that were read and the problems.
package struct TableReader {
    private let table: TOMLTable
    /// The path of the table, such as `account[2]`; empty for the whole file.
    private let path: String
    /// The keys that were read, in order. Every other key in the table is unknown.
    private(set) var keys: [String] = []
    private(set) var problems: [ConfigurationError.Problem] = []
    /// Returns the resolved path of a path in the file.
    let resolve: @Sendable (String) -> String
    let environment: [String: String]

    init(
        _ table: TOMLTable, path: String, resolve: @escaping @Sendable (String) -> String = { $0 },
        environment: [String: String] = [:]
    ) {
        (self.table, self.path, self.resolve, self.environment) = (table, path, resolve, environment)
    }

    mutating func string(_ key: String) -> String? {
        guard let value = value(key) else { return nil }
        guard value.type == .string, let text = value.string else {
            report(key, expected: "a string", found: Self.name(value))
            return nil
        }
        return text
    }

    /// Returns a string; reports a missing key.
    mutating func requiredString(_ key: String, expected: String) -> String? {
        guard table.contains(key: key) else {
            reportMissing(key, expected: expected)
            return nil
        }
        return string(key)
    }

    /// Returns a list of strings; empty if the key is missing.
    mutating func strings(_ key: String) -> [String] {
        guard let value = value(key) else { return [] }
        guard value.type == .array, let array = value.array, array.allSatisfy({ $0.type == .string }) else {
            report(key, expected: "a list of strings such as [\"a\", \"b\"]", found: Self.name(value))
            return []
        }
        return array.compactMap(\.string)
    }

    /// Returns a boolean; false when the key is missing.
    mutating func boolean(_ key: String) -> Bool {
        guard let value = value(key) else { return false }
        guard value.type == .bool, let boolean = value.bool else {
            report(key, expected: "true or false", found: Self.name(value))
            return false
        }
        return boolean
    }

    mutating func integer(_ key: String, in range: ClosedRange<Int>, default fallback: Int) -> Int {
        optionalInteger(key, in: range) ?? fallback
    }

    mutating func optionalInteger(_ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = value(key) else { return nil }
        guard value.type == .int, let number = value.int else {
            report(key, expected: "an integer", found: Self.name(value))
            return nil
        }
        guard range.contains(number) else {
            report(key, expected: "\(range.lowerBound) to \(range.upperBound)", found: String(number))
            return nil
        }
        return number
    }

    /// Returns a duration such as `"12h"`, `"90d"` or `"4w"`; nil for `"forever"` and for a missing key.
    mutating func duration(_ key: String, atLeast minimum: Duration) -> Duration? {
        guard let text = string(key), text != "forever" else { return nil }
        let units: [Substring: Int64] = ["h": 3600, "d": 86_400, "w": 604_800]
        guard let match = text.wholeMatch(of: /([0-9]{1,6})([hdw])/), let count = Int64(match.1),
            let unit = units[match.2], .seconds(count * unit) >= minimum
        else {
            report(
                key, expected: "\"forever\", or a time in hours, days or weeks such as \"12h\", \"90d\" or \"4w\"",
                found: Self.quote(text))
            return nil
        }
        return .seconds(count * unit)
    }

    /// Returns a number of bytes such as `"500MB"` or `"20GB"`, in powers of 1000; nil for a missing key.
    mutating func byteCount(_ key: String) -> Int64? {
        guard let text = string(key) else { return nil }
        let units: [Substring: Int64] = ["kB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000]
        guard let match = text.wholeMatch(of: /([0-9]{1,6})(kB|MB|GB|TB)/), let count = Int64(match.1),
            let unit = units[match.2]
        else {
            report(key, expected: "a number with kB, MB, GB or TB such as \"500MB\"", found: Self.quote(text))
            return nil
        }
        return count * unit
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, default fallback: Choice
    ) -> Choice {
        guard let text = string(key) else { return fallback }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            report(key, expected: "one of \(all)", found: Self.quote(text))
            return fallback
        }
        return choice
    }

    /// Returns the tables of `[[key]]`, each with its path.
    mutating func tables(_ key: String) -> [TableReader] {
        guard let value = value(key) else { return [] }
        guard value.type == .array, let array = value.array, array.allSatisfy({ $0.type == .table }) else {
            report(key, expected: "tables that begin with [[\(key)]]", found: Self.name(value))
            return []
        }
        return array.enumerated().compactMap { index, element in
            element.table.map {
                TableReader($0, path: full("\(key)[\(index + 1)]"), resolve: resolve, environment: environment)
            }
        }
    }

    /// Reads the server's address. Secrets are sent there, so it must use TLS or not leave this machine, unless
    /// `allow_plaintext` is true.
    mutating func server<Address>(
        expected: String, _ parse: (String) -> Address?, isSafe: (Address) -> Bool
    ) -> Address? {
        let allowsPlaintext = boolean("allow_plaintext")
        guard let text = requiredString("server", expected: expected) else { return nil }
        guard let address = parse(text) else {
            report("server", expected: expected, found: text.isEmpty ? "nothing" : Self.quote(text))
            return nil
        }
        guard isSafe(address) || allowsPlaintext else {
            report("server", expected: "\(expected), or allow_plaintext = true", found: Self.quote(text))
            return nil
        }
        return address
    }

    mutating func report(_ key: String, expected: String, found: String) {
        problems.append(.key(full(key), expected: expected, found: found))
    }

    mutating func reportMissing(_ key: String, expected: String) {
        keys.append(key)
        problems.append(.missingKey(full(key), expected: expected))
    }

    /// Reports the keys that weren't read.
    mutating func reportUnknownKeys() {
        for key in table.keys.sorted() where !keys.contains(key) {
            problems.append(.unknownKey(full(key), suggestion: Nearest.to(key, among: keys)))
        }
    }

    static func quote(_ text: String) -> String {
        "\"\(text)\""
    }

    private mutating func value(_ key: String) -> (any TOMLValueConvertible)? {
        keys.append(key)
        return table[key]
    }

    private func full(_ key: String) -> String {
        path.isEmpty ? key : "\(path).\(key)"
    }

    /// Returns the type and the value for people: `an integer (5080)`.
    private static func name(_ value: any TOMLValueConvertible) -> String {
        switch value.type {
        case .table: "a table"
        case .array: "an array"
        case .string: "a string (\(quote(value.string ?? "")))"
        case .int: "an integer (\(value.int.map(String.init) ?? ""))"
        case .double: "a number (\(value.double.map { String($0) } ?? ""))"
        case .bool: "a boolean (\(value.bool.map { String($0) } ?? ""))"
        case .date: "a date"
        case .time: "a time"
        case .dateTime: "a date and time"
        }
    }
}
