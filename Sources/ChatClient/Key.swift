/// An action at the keyboard, as a line editor sees it.
enum Key: Sendable, Hashable {
    /// A character; never a control character.
    case scalar(Unicode.Scalar)
    case enter
    case backspace, delete
    case left, right, home, end
    /// Ctrl-U, Ctrl-K, Ctrl-W.
    case eraseToStart, eraseToEnd, eraseWord
    /// Ctrl-L.
    case clear
    /// Ctrl-D: leaves, or deletes if there is text after the cursor.
    case endOfInput
    /// Ctrl-C.
    case interrupt
    /// Ctrl-Z.
    case suspend

    /// The key of a control byte; nil for bytes without a meaning here.
    init?(control byte: UInt8) {
        switch byte {
        case 0x01: self = .home
        case 0x02: self = .left
        case 0x03: self = .interrupt
        case 0x04: self = .endOfInput
        case 0x05: self = .end
        case 0x06: self = .right
        case 0x08, 0x7F: self = .backspace
        case 0x0A, 0x0D: self = .enter
        case 0x0B: self = .eraseToEnd
        case 0x0C: self = .clear
        case 0x15: self = .eraseToStart
        case 0x17: self = .eraseWord
        case 0x1A: self = .suspend
        default: return nil
        }
    }

    /// The key of a control sequence's numbers and last byte (ECMA-48 §5.4; as xterm and VT220 send them). Modifiers
    /// are ignored.
    init?(final: UInt8, parameters: some Collection<UInt8>) {
        let number = String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        switch (final, number) {
        case (UInt8(ascii: "C"), _): self = .right
        case (UInt8(ascii: "D"), _): self = .left
        case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): self = .home
        case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): self = .end
        case (UInt8(ascii: "~"), "3"): self = .delete
        default: return nil
        }
    }
}
