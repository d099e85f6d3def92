import Foundation

/// Small JSON values.
enum JSONText {
    /// Returns the text of a string with its quotes; nil for other bytes.
    static func string(_ bytes: [UInt8]) -> String? {
        try? JSONDecoder().decode(String.self, from: Data(bytes))
    }
}
