/// The parts of a unit, as bytes.
enum UnitShape {
    case message(name: ArraySlice<UInt8>, text: ArraySlice<UInt8>)
    case joined(name: ArraySlice<UInt8>)
    case left(name: ArraySlice<UInt8>)
    case system(ArraySlice<UInt8>)
    case nothing

    init(_ bytes: ArraySlice<UInt8>) {
        if let colons = bytes.firstSeparator {
            self = .message(name: bytes[..<colons], text: bytes[(colons + Token.separator.count)...])
            return
        }
        let line = bytes.withoutPaddingAtEnd
        if line.ends(with: Token.joined) {
            self = .joined(name: line.dropLast(Token.joined.count))
        } else if line.ends(with: Token.left) {
            self = .left(name: line.dropLast(Token.left.count))
        } else {
            self = line.isEmpty ? .nothing : .system(line)
        }
    }
}
