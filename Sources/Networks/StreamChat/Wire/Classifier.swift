/// Determines the content of a unit.
package enum Classifier {
    /// Returns the unit with its content; nil for a unit of padding alone.
    ///
    /// The rest of an oversize unit is always a system line, because it does not begin with a name.
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

    /// Returns the bytes as text. Invalid UTF-8 becomes U+FFFD and sets the flag.
    private static func string(_ bytes: ArraySlice<UInt8>, _ flags: inout UnitFlags) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        flags.insert(.invalidUTF8)
        return String(decoding: bytes, as: UTF8.self)
    }
}
