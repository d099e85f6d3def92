/// A unit and what it says.
package struct ParsedUnit: Sendable, Hashable {
    package var unit: StreamUnit
    package var content: UnitContent
    package var flags: UnitFlags
}

/// What a unit says. Names and texts have the bytes received, not normalised, with U+FFFD for what is no UTF-8; each may
/// be empty but the text of `system`.
package enum UnitContent: Sendable, Hashable {
    case message(name: String, text: String)
    case joined(String)
    case left(String)
    /// A line of the server's that is neither.
    case system(String)
}

/// What a reader should know about how a unit was received.
package struct UnitFlags: OptionSet, Sendable, Hashable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// U+FFFD stands for bytes that are no UTF-8.
    package static let invalidUTF8 = UnitFlags(rawValue: 1)
    /// Cut at the cap; the rest follows as the next unit.
    package static let oversize = UnitFlags(rawValue: 2)
    /// Perhaps several units that arrived as one, kept whole.
    package static let maybeCoalesced = UnitFlags(rawValue: 4)
}
