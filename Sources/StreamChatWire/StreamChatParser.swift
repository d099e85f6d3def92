/// From the bytes of one connection to what they say: framing, classification, and the names learned on the way.
package struct StreamChatParser: Sendable {
    private var framer: UnitFramer
    /// Carried over to the next connection's parser.
    package private(set) var known: KnownNames

    package init(_ framing: Framing, known: KnownNames, limits: UnitFramer.Limits = .init(), offset: Int = 0) {
        self.framer = UnitFramer(framing, limits: limits, offset: offset)
        self.known = known
    }

    /// See ``UnitFramer/read(_:at:filledBuffer:known:)``.
    package mutating func read(_ bytes: [UInt8], at time: Int64, filledBuffer: Bool = false) -> [ParsedUnit] {
        parse(framer.read(bytes, at: time, filledBuffer: filledBuffer, known: known))
    }

    /// See ``UnitFramer/deadline``.
    package var deadline: Int64? { framer.deadline }

    /// Place of the first byte that is in no unit yet.
    package var parsed: Int { framer.parsed }

    package mutating func deadlinePassed(at time: Int64) -> [ParsedUnit] {
        parse(framer.deadlinePassed(at: time))
    }

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

    /// A message's name stands at the beginning, glued or not; a notice's is sure only if nothing is glued to it.
    private mutating func learn(_ shape: UnitShape, _ flags: UnitFlags) {
        switch shape {
        case .message(let name, _): known.see(name)
        case .joined(let name), .left(let name):
            if !flags.contains(.maybeCoalesced) { known.see(name) }
        case .system, .nothing: break
        }
    }
}
