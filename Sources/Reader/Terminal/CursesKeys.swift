/// Reads keys by ncurses, without waiting.
struct CursesKeys {
    let curses: NCurses
    let window: NCurses.Window

    private static let up: UInt32 = 1 << 16
    private static let down: UInt32 = 1 << 21
    /// The events of the mouse that are wanted: the wheel (`BUTTON4_PRESSED` and `BUTTON5_PRESSED` of `curses.h`).
    static let wheel = up | down

    /// A key as `get_wch` returns it.
    private enum Code {
        case character(UInt32)
        case function(UInt32)
    }

    /// Returns the keys that were pressed and not read before.
    func read() -> [ReaderKey] {
        var keys: [ReaderKey] = []
        while let code = next() {
            switch code {
            case .character(27): readEscape(&keys)
            case .character(let code): if let key = Self.key(character: code) { keys.append(key) }
            case .function(let code): if let key = key(function: code) { keys.append(key) }
            }
        }
        return keys
    }

    private func next() -> Code? {
        var code: UInt32 = 0
        switch curses.getKey(window, &code) {
        case 0: return .character(code)
        case 256: return .function(code)
        default: return nil
        }
    }

    /// Reads what follows Escape. The library has waited ``CursesTerminal/escapeDelay`` for it.
    private func readEscape(_ keys: inout [ReaderKey]) {
        switch next() {
        case nil: keys.append(.escape)
        case .character(UInt32(UInt8(ascii: "["))), .character(UInt32(UInt8(ascii: "O"))): skipSequence()
        case .character(27):
            keys.append(.escape)
            readEscape(&keys)
        case .character(let code):
            if case .character(let scalar) = Self.key(character: code) { keys.append(.alt(scalar)) }
        case .function(let code):
            keys.append(.escape)
            if let key = key(function: code) { keys.append(key) }
        }
    }

    /// Skips the rest of a key that the terminal's description does not have, up to its last byte (ECMA-48 §5.4).
    private func skipSequence() {
        while case .character(let code) = next() {
            if (0x40...0x7E).contains(code) { return }
        }
    }

    private static func key(character code: UInt32) -> ReaderKey? {
        switch code {
        case 9: return .tab
        case 10, 13: return .enter
        case 8, 127: return .backspace
        case 1...26: return Unicode.Scalar(code + 96).map { .control($0) }
        default:
            guard let scalar = Unicode.Scalar(code), scalar.properties.generalCategory != .control else { return nil }
            return .character(scalar)
        }
    }

    /// Returns the key of a code `KEY_…` of `curses.h`; nil for keys without a meaning here, and a new size.
    private func key(function code: UInt32) -> ReaderKey? {
        switch code {
        case 258: .down
        case 259: .up
        case 260: .left
        case 261: .right
        // KEY_HOME, and KEY_FIND of the VT220.
        case 262, 362: .home
        // KEY_END, and KEY_SELECT of the VT220.
        case 360, 385: .end
        case 263: .backspace
        case 330: .delete
        case 338: .pageDown
        case 339: .pageUp
        case 343: .enter
        case 409: mouse()
        default: nil
        }
    }

    private func mouse() -> ReaderKey? {
        var event = NCurses.MouseEvent()
        guard curses.getMouse(&event) == 0 else { return nil }
        return event.state & Self.up != 0 ? .wheelUp : event.state & Self.down != 0 ? .wheelDown : nil
    }
}
