import Foundation

/// The name of a room as people type it: `NAME`, `ACCOUNT/NAME`, or the room's number instead of its name.
package struct RoomArgument: Sendable, Hashable {
    /// The ways to read an argument, the strictest first. The first one that fits any room counts.
    package enum Reading: Sendable, CaseIterable {
        /// Equal to the name.
        case exact
        /// Equal without regard to case.
        case folded
        /// Equal without regard to case, and to the `#` at the beginning of the room's name.
        case withoutSign
        /// Equal to the room's number.
        case number
    }

    /// The argument as it was given.
    package let text: String
    private let folded: String

    package init(_ text: String) {
        self.text = text
        folded = Self.fold(text)
    }

    /// Returns true if the argument names the room. Swift compares strings by canonical equivalence, so composed and
    /// decomposed names are equal.
    package func fits(account: String, name: String, id: Int64, as reading: Reading) -> Bool {
        switch reading {
        case .exact: text == name || text == "\(account)/\(name)"
        case .folded: isFolded(account, name)
        case .withoutSign: name.hasPrefix("#") && isFolded(account, String(name.dropFirst()))
        case .number: isFolded(account, String(id))
        }
    }

    private func isFolded(_ account: String, _ name: String) -> Bool {
        folded == Self.fold(name) || folded == Self.fold("\(account)/\(name)")
    }

    /// Returns equal texts for texts that differ only in case.
    package static func fold(_ text: String) -> String {
        // Takes a tenth of the time for most names.
        text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : text.folding(options: .caseInsensitive, locale: nil)
    }
}
