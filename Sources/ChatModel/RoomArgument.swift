import Foundation

/// What people write for a room: `NAME`, `ACCOUNT/NAME`, or the room's number in place of its name.
package struct RoomArgument: Sendable, Hashable {
    /// The ways to read an argument, the closest first. The first that fits a room counts.
    package enum Reading: Sendable, CaseIterable {
        case exact
        /// Case does not matter.
        case folded
        /// The same without the `#` at the beginning of the room's name.
        case withoutSign
        case number
    }

    package let text: String
    private let folded: String

    package init(_ text: String) {
        self.text = text
        folded = Self.fold(text)
    }

    /// Equality of Swift's strings is canonical equivalence, so composed and decomposed names are equal.
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

    /// Makes texts equal that differ in case alone.
    package static func fold(_ text: String) -> String {
        // A tenth of the time for most names.
        text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : text.folding(options: .caseInsensitive, locale: nil)
    }
}
