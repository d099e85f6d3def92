import TestSupport

/// A parser of bytes that others wrote, with the rules that hold for any bytes.
struct FuzzTarget: Sendable {
    let name: String
    /// The longest input in bytes.
    let limit: Int
    /// Parses an input.
    ///
    /// - Throws: ``BrokenRule``
    let check: @Sendable (_ input: [UInt8]) throws -> Void

    init(_ name: String, limit: Int = 4096, _ check: @escaping @Sendable (_ input: [UInt8]) throws -> Void) {
        (self.name, self.limit, self.check) = (name, limit, check)
    }

    /// All targets, in the order in which `make fuzz` runs them.
    static let all: [FuzzTarget] = [
        irc, streamChat, socketIO, slp, matrix, megolm, keyBackup, xmpp, logs, imports, zip, gzip, database, json,
        encoding, query, regex, time,
        toml, control, http, mcp, postgreSQL, terminal, html,
    ]
}

/// A rule that an input breaks.
struct BrokenRule: Error, CustomStringConvertible {
    let description: String
}

func require(_ isTrue: Bool, _ rule: @autoclosure () -> String) throws {
    if !isTrue { throw BrokenRule(description: rule()) }
}

func requireEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ rule: String) throws {
    try require(found == expected, "\(rule): \(found) and \(expected)")
}

/// An input in parts of random lengths. Equal inputs have equal parts.
struct Parts {
    let parts: [[UInt8]]

    init(_ bytes: [UInt8], longest: Int = 30) {
        // FNV-1a.
        let seed = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var (random, rest, parts) = (SeededGenerator(seed: seed), bytes[...], [[UInt8]]())
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...longest, using: &random))
            parts.append(Array(part))
            rest = rest.dropFirst(part.count)
        }
        self.parts = parts
    }
}

extension [UInt8] {
    /// The bytes up to the first LF, and the bytes after it.
    var firstLine: (line: [UInt8], rest: [UInt8]) {
        let end = firstIndex(of: 0x0A) ?? endIndex
        return (Array(self[..<end]), Array(self[end...].dropFirst()))
    }

    /// The bytes as a text, with U+FFFD for invalid ones.
    var text: String { String(decoding: self, as: UTF8.self) }
}
