/// A unit with its content.
package struct ParsedUnit: Sendable, Hashable {
    package var unit: StreamUnit
    package var content: UnitContent
    package var flags: UnitFlags
}

/// The content of a unit. Names and texts have the received bytes, not normalised, with U+FFFD for invalid UTF-8. Each
/// may be empty, except the text of `system`.
package enum UnitContent: Sendable, Hashable {
    case message(name: String, text: String)
    case joined(String)
    case left(String)
    /// Any other line of the server.
    case system(String)
}

/// Facts about the receipt of a unit that readers should know.
package struct UnitFlags: OptionSet, Sendable, Hashable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Invalid UTF-8 was replaced by U+FFFD.
    package static let invalidUTF8 = UnitFlags(rawValue: 1)
    /// Cut at the limit; the rest follows as the next unit.
    package static let oversize = UnitFlags(rawValue: 2)
    /// Perhaps several units that arrived together, kept as one.
    package static let maybeCoalesced = UnitFlags(rawValue: 4)
}
