/// Parses the bytes of one connection: framing, classification, and the names learned on the way.
package struct StreamChatParser: Sendable {
    private var framer: UnitFramer
    /// The known names, for the parser of the next connection.
    package private(set) var known: KnownNames

    package init(_ framing: Framing, known: KnownNames, limits: UnitFramer.Limits = .init(), offset: Int = 0) {
        self.framer = UnitFramer(framing, limits: limits, offset: offset)
        self.known = known
    }

    /// Returns the units that are complete with these bytes. See ``UnitFramer/cutUnits(_:at:filledBuffer:known:)``.
    package mutating func parseBytes(_ bytes: [UInt8], at time: Int64, filledBuffer: Bool = false) -> [ParsedUnit] {
        parse(framer.cutUnits(bytes, at: time, filledBuffer: filledBuffer, known: known))
    }

    /// The time for ``deadlinePassed(at:)``. See ``UnitFramer/deadline``.
    package var deadline: Int64? { framer.deadline }

    /// The position of the first byte that is not in a unit yet.
    package var parsed: Int { framer.parsed }

    /// Returns the unit that has ended by this time, if any. See ``UnitFramer/deadlinePassed(at:)``.
    package mutating func deadlinePassed(at time: Int64) -> [ParsedUnit] {
        parse(framer.deadlinePassed(at: time))
    }

    /// Ends the connection, and returns the last unit, if any.
    package mutating func finish() -> [ParsedUnit] {
        parse(framer.finish())
    }

    private mutating func parse(_ units: [StreamUnit]) -> [ParsedUnit] {
        units.compactMap { unit in
            let shape = Classifier.shape(unit)
            guard let parsed = Classifier.classify(unit, shape, known) else { return nil }
            learn(shape, parsed.flags)
            return parsed
        }
    }

    /// Learns the name at the beginning of a message, glued or not. Learns a notice's name only if the unit can't be
    /// several glued ones.
    private mutating func learn(_ shape: UnitShape, _ flags: UnitFlags) {
        switch shape {
        case .message(let name, _): known.recordUse(of: name)
        case .joined(let name), .left(let name):
            if !flags.contains(.maybeCoalesced) { known.recordUse(of: name) }
        case .system, .nothing: break
        }
    }
}
