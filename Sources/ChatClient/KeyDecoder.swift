/// Decodes keys from the bytes of a terminal in raw mode, split anywhere.
///
/// Drops unknown escape sequences and invalid UTF-8. A line break within a bracketed paste becomes a space, so that
/// pasting never sends a message; line breaks at its beginning and end are dropped. Memory is bounded for any input.
struct KeyDecoder: Sendable {
    private enum State: Sendable {
        case ground
        /// After ESC.
        case escape
        /// After ESC O.
        case function
        /// After ESC [.
        case sequence
        /// After ESC [ [, the beginning of function keys on the Linux console.
        case consoleKey
        /// Between ESC [ 200 ~ and ESC [ 201 ~; `ended` bytes of the latter have been read.
        case paste(ended: Int)
    }

    private static let escape: UInt8 = 0x1B
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    /// The limit of parameter bytes. Keys and modifiers have a few digits; a longer sequence is ignored.
    private static let maximumParameters = 16

    private var state = State.ground
    private var parameters: [UInt8] = []
    private var scalars = ScalarDecoder()
    private var pasted = Pasted.nothing

    private enum Pasted { case nothing, text, textAndBreak }

    mutating func decode(_ bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { decode(byte, &keys) }
        return keys
    }

    private mutating func decode(_ byte: UInt8, _ keys: inout [Key]) {
        switch state {
        case .ground: readGround(byte, &keys)
        case .escape: readEscape(byte, &keys)
        case .function: readFunction(byte, &keys)
        case .sequence: readSequence(byte, &keys)
        case .consoleKey: state = .ground
        case .paste(let ended): readPaste(byte, ended: ended, &keys)
        }
    }

    private mutating func readGround(_ byte: UInt8, _ keys: inout [Key]) {
        state = byte == Self.escape ? .escape : .ground
        if byte < 0x20 || byte == 0x7F {
            scalars.reset()
            if let key = Key(control: byte) { keys.append(key) }
        } else if let scalar = scalars.scalar(endedBy: byte), !Self.isControl(scalar) {
            keys.append(.scalar(scalar))
        }
    }

    /// Reads the byte after ESC. ESC and a letter is Alt, which has no meaning here; Alt-Backspace erases a word, as in
    /// shells.
    private mutating func readEscape(_ byte: UInt8, _ keys: inout [Key]) {
        parameters = []
        switch byte {
        case UInt8(ascii: "["): state = .sequence
        case UInt8(ascii: "O"): state = .function
        case 0x7F:
            keys.append(.eraseWord)
            state = .ground
        case 0x20...0x7E: state = .ground
        default: readGround(byte, &keys)
        }
    }

    private mutating func readFunction(_ byte: UInt8, _ keys: inout [Key]) {
        guard (0x20...0x7E).contains(byte) else { return readGround(byte, &keys) }
        if let key = Key(final: byte, parameters: []) { keys.append(key) }
        state = .ground
    }

    private mutating func readSequence(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case UInt8(ascii: "[") where parameters.isEmpty: state = .consoleKey
        case 0x20...0x3F:
            if parameters.count <= Self.maximumParameters { parameters.append(byte) }
        case 0x40...0x7E:
            state = .ground
            endSequence(byte, &keys)
        default: readGround(byte, &keys)
        }
    }

    private mutating func endSequence(_ byte: UInt8, _ keys: inout [Key]) {
        guard parameters.count <= Self.maximumParameters else { return }
        if byte == UInt8(ascii: "~"), parameters.elementsEqual("200".utf8) {
            state = .paste(ended: 0)
            pasted = .nothing
        } else if parameters.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: ";")).contains($0) }),
            let key = Key(final: byte, parameters: parameters)
        {
            keys.append(key)
        }
    }

    private mutating func readPaste(_ byte: UInt8, ended: Int, _ keys: inout [Key]) {
        if byte == Self.pasteEnd[ended] {
            state = ended + 1 == Self.pasteEnd.count ? .ground : .paste(ended: ended + 1)
            return
        }
        // These bytes were not the end of the paste, so their visible part is text.
        for byte in Self.pasteEnd[..<ended].dropFirst() { paste(byte, &keys) }
        state = .paste(ended: byte == Self.escape ? 1 : 0)
        paste(byte, &keys)
    }

    private mutating func paste(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x0A, 0x0D: if pasted == .text { pasted = .textAndBreak }
        case 0x09: appendPasted(" ", &keys)
        // Ctrl-C ends a paste whose end was lost, which would otherwise hold the keyboard for ever.
        case 0x03: state = .ground
        case ..<0x20, 0x7F: scalars.reset()
        default: if let scalar = scalars.scalar(endedBy: byte), !Self.isControl(scalar) { appendPasted(scalar, &keys) }
        }
    }

    private mutating func appendPasted(_ scalar: Unicode.Scalar, _ keys: inout [Key]) {
        if pasted == .textAndBreak { keys.append(.scalar(" ")) }
        pasted = .text
        keys.append(.scalar(scalar))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}
