import Foundation

@testable import Settings

extension FuzzTarget {
    /// Configuration files.
    static let toml = FuzzTarget("toml") { input in
        do throws(ConfigurationError) {
            let file = try ConfigurationFile.parse(input.text, path: "fuzz.toml")
            _ = try? file.dataFolder(home: "/home/alice")
            let configuration = try Configuration(file, home: "/home/alice")
            _ = configuration.warnings
            _ = file.table.line(of: ["account", "1", "nick"])
        } catch {
            try requireSafe(error.description, besides: "\n")
        }
    }

    /// The requests of a command to a listener, and the answers.
    static let control = FuzzTarget("control") { input in
        try checkCoding(ControlRequest.self, input)
        try checkCoding(ControlReply.self, input)
    }

    /// A value that is written and read again is the same.
    private static func checkCoding<Value: Codable & Equatable>(_ type: Value.Type, _ input: [UInt8]) throws {
        guard let value = try? JSONDecoder().decode(type, from: Data(input)) else { return }
        let text: Data
        do { text = try JSONEncoder().encode(value) } catch { throw BrokenRule(description: "\(value): \(error)") }
        try require(!text.contains(0x0A), "a line feed in \(value)")
        try requireEqual(try? JSONDecoder().decode(type, from: text), value, "a value read again")
    }
}
