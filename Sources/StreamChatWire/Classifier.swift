/// Tells what a unit says.
package enum Classifier {
    /// Nil for a unit that is nothing: no bytes but padding.
    ///
    /// The rest of an oversize unit is a system line whatever it looks like, because its beginning is not where a name
    /// would be.
    package static func classify(_ unit: StreamUnit, known: KnownNames) -> ParsedUnit? {
        classify(unit, shape(unit), known)
    }

    static func shape(_ unit: StreamUnit) -> UnitShape {
        unit.isRemainder ? .system(unit.bytes[...]) : UnitShape(unit.bytes[...])
    }

    static func classify(_ unit: StreamUnit, _ shape: UnitShape, _ known: KnownNames) -> ParsedUnit? {
        var flags: UnitFlags = unit.isOversize ? .oversize : []
        if shape.mayBeGlued(known) { flags.insert(.maybeCoalesced) }
        let content: UnitContent
        switch shape {
        case .nothing: return nil
        case .message(let name, let text):
            content = .message(name: string(name, &flags), text: string(text, &flags))
        case .joined(let name): content = .joined(string(name, &flags))
        case .left(let name): content = .left(string(name, &flags))
        case .system(let text): content = .system(string(text, &flags))
        }
        return ParsedUnit(unit: unit, content: content, flags: flags)
    }

    /// The bytes as they are where they are UTF-8, else with U+FFFD for what is not, and the flag.
    private static func string(_ bytes: ArraySlice<UInt8>, _ flags: inout UnitFlags) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        flags.insert(.invalidUTF8)
        return String(decoding: bytes, as: UTF8.self)
    }
}
