import ChatModel
import FoundationEssentials
import Glibc
import Rendering

/// A key's value that is in force.
struct EffectiveValue: Sendable, Hashable {
    var key: String
    /// The value as TOML.
    var text: String
    var isDefault: Bool
}

/// Reads a table's keys one by one, and collects the keys that were read and the problems.
package struct TableReader: Sendable {
    private let table: TOMLValue
    /// The path of the table in ``TOMLValue/line(of:)``, such as `["account", "2"]`; empty for the whole file.
    private let path: [String]
    /// The table for people, such as `account "libera"`; nil for the whole file.
    private let label: String?
    /// The keys that were read, in order. Every other key in the table is unknown.
    private(set) var keys: [String] = []
    /// The value of each key that was read, as in the file or the default; without keys that have neither.
    private(set) var values: [EffectiveValue] = []
    private(set) var problems: [ConfigurationError.Problem] = []
    /// Returns the resolved path of a path in the file.
    let resolve: @Sendable (String) -> String
    let environment: [String: String]

    init(
        _ table: TOMLValue, path: [String] = [], label: String? = nil,
        resolve: @escaping @Sendable (String) -> String = { $0 }, environment: [String: String] = [:]
    ) {
        (self.table, self.path, self.label) = (table, path, label)
        (self.resolve, self.environment) = (resolve, environment)
    }

    /// - Parameter fallback: The default, for ``values`` only; nil if there is none.
    mutating func string(_ key: String, shownDefault fallback: String? = nil) -> String? {
        guard let value = value(key, default: fallback.map(Self.literal)) else { return nil }
        guard let text = value.string else {
            report(key, expected: "a string", found: Self.name(value))
            return nil
        }
        return text
    }

    /// Returns a string; reports a missing key.
    mutating func requiredString(_ key: String, expected: String) -> String? {
        guard table[key] != nil else {
            reportMissing(key, expected: expected)
            return nil
        }
        return string(key)
    }

    /// Returns a list of strings; empty if the key is missing.
    mutating func strings(_ key: String) -> [String] {
        guard let value = value(key, default: "[]") else { return [] }
        guard let array = value.array, array.allSatisfy({ $0.string != nil }) else {
            report(key, expected: "a list of strings such as [\"a\", \"b\"]", found: Self.name(value))
            return []
        }
        return array.compactMap(\.string)
    }

    /// Returns a boolean; false when the key is missing.
    mutating func boolean(_ key: String) -> Bool {
        guard let value = value(key, default: "false") else { return false }
        guard let boolean = value.boolean else {
            report(key, expected: "true or false", found: Self.name(value))
            return false
        }
        return boolean
    }

    mutating func integer(_ key: String, in range: ClosedRange<Int>, default fallback: Int) -> Int {
        optionalInteger(key, in: range, shownDefault: fallback == .max ? nil : fallback) ?? fallback
    }

    /// - Parameter fallback: The default, for ``values`` only; nil if there is none.
    mutating func optionalInteger(_ key: String, in range: ClosedRange<Int>, shownDefault fallback: Int? = nil) -> Int?
    {
        guard let value = value(key, default: fallback.map(String.init)) else { return nil }
        guard let number = value.integer else {
            report(key, expected: "an integer", found: Self.name(value))
            return nil
        }
        guard range.contains(number) else {
            report(key, expected: "\(range.lowerBound) to \(range.upperBound)", found: String(number))
            return nil
        }
        return number
    }

    /// Returns a duration such as `"12h"`, `"90d"` or `"4w"` with at most six digits; nil for `"forever"` and for a
    /// missing key.
    mutating func duration(_ key: String, atLeast minimum: Duration, shownDefault fallback: String? = "forever")
        -> Duration?
    {
        guard let text = string(key, shownDefault: fallback), text != "forever" else { return nil }
        let units: [Substring: Int64] = ["h": 3600, "d": 86_400, "w": 604_800]
        guard let match = text.wholeMatch(of: /([0-9]{1,6})([hdw])/), let count = Int64(match.1),
            let unit = units[match.2], .seconds(count * unit) >= minimum
        else {
            report(
                key,
                expected: """
                    "forever", or a time in hours, days or weeks such as "12h", "90d" or "4w" \
                    (at least \(minimum.components.seconds / 3600)h, at most six digits)
                    """, found: Self.quote(text))
            return nil
        }
        return .seconds(count * unit)
    }

    /// Returns an age as ``duration(_:atLeast:)`` reads it; nil for a missing key.
    mutating func age(_ key: String) -> RetentionAge? {
        guard let text = table[key]?.string else {
            _ = string(key)
            return nil
        }
        let duration = duration(key, atLeast: .seconds(3600), shownDefault: nil)
        return hasProblem(with: key) ? nil : RetentionAge(text: text, duration: duration)
    }

    /// Returns a number of bytes such as `"500MB"` or `"20GB"`, in powers of 1000; nil for a missing key.
    ///
    /// - Parameter fallback: The default, for ``values`` only; nil if there is none.
    mutating func byteCount(_ key: String, shownDefault fallback: String? = nil) -> Int64? {
        guard let text = string(key, shownDefault: fallback) else { return nil }
        guard let size = ByteCount(written: text) else {
            report(key, expected: "a number with kB, MB, GB or TB such as \"500MB\"", found: Self.quote(text))
            return nil
        }
        return size.bytes
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, default fallback: Choice
    ) -> Choice {
        guard let text = string(key, shownDefault: fallback.rawValue) else { return fallback }
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            report(key, expected: "one of \(all)", found: Self.quote(text))
            return fallback
        }
        return choice
    }

    /// Returns the table of `[key]`; nil if there is none.
    mutating func table(_ key: String) -> TableReader? {
        guard let value = value(key) else { return nil }
        guard value.table != nil else {
            report(key, expected: "a table that begins with [\(key)]", found: Self.name(value))
            return nil
        }
        return TableReader(
            value, path: path + [key], label: key, resolve: resolve, environment: environment)
    }

    /// Returns the tables of `[[key]]`, each with its path.
    mutating func tables(_ key: String) -> [TableReader] {
        guard let value = value(key) else { return [] }
        guard let array = value.array, array.allSatisfy({ $0.table != nil }) else {
            report(key, expected: "tables that begin with [[\(key)]]", found: Self.name(value))
            return []
        }
        return array.enumerated().map { index, table in
            let name = table["name"]?.string.flatMap { $0.isEmpty ? nil : Self.quote($0) }
            let label = "\(label.map { $0 + ", " } ?? "")\(key) \(name ?? String(index + 1))"
            return TableReader(
                table, path: path + [key, String(index + 1)], label: label, resolve: resolve, environment: environment)
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

    /// The tables in this one that were read, for people.
    private(set) var inner: [(name: String, table: TableReader)] = []

    /// Takes the problems and the values of a table in this one, after it was read.
    mutating func take(_ table: TableReader, name: String) {
        problems += table.problems
        inner.append((name, table))
    }

    /// Returns true if the file has the key.
    func has(_ key: String) -> Bool { table[key] != nil }

    /// Returns true if a problem with one of the keys was reported.
    func hasProblem(with keys: String...) -> Bool {
        problems.contains { problem in problem.kind.key.map(keys.contains) ?? false }
    }

    package mutating func report(_ key: String, expected: String, found: String) {
        report(.key(key, expected: expected, found: found))
    }

    mutating func reportMissing(_ key: String, expected: String) {
        keys.append(key)
        report(.missingKey(key, expected: expected))
    }

    /// Reports the keys that weren't read.
    mutating func reportUnknownKeys() {
        for key in (table.table ?? [:]).keys.sorted() where !keys.contains(key) {
            report(.unknownKey(key, suggestion: Nearest.to(key, among: keys)))
        }
    }

    private mutating func report(_ kind: ConfigurationError.Problem.Kind) {
        problems.append(ConfigurationError.Problem(kind: kind, table: path, label: label))
    }

    static func quote(_ text: String) -> String {
        "\"\(text)\""
    }

    /// Returns the key's value, and notes it, or else the default, in ``values``.
    ///
    /// - Parameter fallback: The default as TOML; nil if there is none.
    private mutating func value(_ key: String, default fallback: String? = nil) -> TOMLValue? {
        keys.append(key)
        let value = table[key]
        if let text = value.flatMap(Self.literal) ?? fallback {
            values.append(EffectiveValue(key: key, text: text, isDefault: value == nil))
        }
        return value
    }

    /// Returns the reason why a file can't be read, to follow its path.
    static func unreadable(_ path: String) -> String {
        var status = stat()
        return stat(path, &status) != 0 && errno == ENOENT ? ", which does not exist" : ", which is not readable"
    }

    /// Returns a string as TOML that a terminal shows as it is: characters that it acts upon or hides are escaped.
    static func literal(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where Sanitizer.line(String(scalar)) == String(scalar): String(scalar)
            default: escape(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let (sign, width) = scalar.value > 0xFFFF ? ("U", 8) : ("u", 4)
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\\(sign)" + String(repeating: "0", count: width - digits.utf8.count) + digits
    }

    /// Returns a value as TOML; nil for a table, and for a type that no key accepts.
    private static func literal(_ value: TOMLValue) -> String? {
        switch value.content {
        case .string(let text): literal(text)
        case .integer(let number): String(number)
        case .boolean(let boolean): String(boolean)
        case .array(let array) where array.allSatisfy { $0.string != nil }:
            "[" + array.compactMap(\.string).map(literal).joined(separator: ", ") + "]"
        default: nil
        }
    }

    /// Returns the type and the value for people: `an integer (5080)`.
    private static func name(_ value: TOMLValue) -> String {
        switch value.content {
        case .table: "a table"
        case .array: "an array"
        case .string(let text): "a string (\(quote(text)))"
        case .integer(let number): "an integer (\(number))"
        case .number(let number): "a number (\(number))"
        case .boolean(let boolean): "a boolean (\(boolean))"
        case .date: "a date"
        case .time: "a time"
        case .dateTime: "a date and time"
        }
    }
}
