import Glibc
import Rendering

/// The terminal as a full screen, by ncurses: it draws screens and reads keys. Use it on the main thread alone.
final class CursesTerminal {
    /// 50 ms. Terminals send Alt with a key as Escape and the key at once; a network may part them. A person who presses
    /// Escape and another key is slower.
    static let escapeDelay: CInt = 50

    let curses: NCurses
    private let terminal: OpaquePointer
    private let window: NCurses.Window
    private let isColoured: Bool
    /// The lines as they are on the terminal.
    private var shown: [ScreenLine] = []
    private var isEnded = false

    /// Takes the terminal on the standard streams, until ``end()``.
    ///
    /// - Throws: ``OutputError`` if the library is missing, or does not know the terminal.
    init(wantsColour: Bool) throws {
        curses = try NCurses.load()
        // The library finds the encoding of the terminal in the locale; everything is written as UTF-8.
        setlocale(LC_CTYPE, "C.UTF-8")
        let name = getenv("TERM").map { String(cString: $0) } ?? ""
        guard let output = fdopen(1, "w"), let input = fdopen(0, "r"),
            let terminal = curses.newTerminal(nil, OpaquePointer(output), OpaquePointer(input)),
            let window = curses.window
        else {
            throw OutputError(
                .terminal, "can't show a full screen on a terminal of type \"\(Sanitizer.value(name))\"",
                hint: "set TERM to its type, such as xterm-256color; or use scrollback history")
        }
        (self.terminal, self.window) = (terminal, window)
        isColoured =
            wantsColour && curses.hasColours() && curses.startColour() == 0 && curses.useDefaultColours() == 0
        _ = curses.setEscapeDelay(Self.escapeDelay)
        _ = (curses.raw(), curses.noEcho(), curses.noNewline())
        _ = (curses.keypad(window, true), curses.nodelay(window, true), curses.meta(window, true))
        _ = curses.mouseMask(CursesKeys.wheel, nil)
        _ = curses.mouseInterval(0)
        guard isColoured else { return }
        for colour in 0..<min(16, curses.colours) {
            _ = curses.initPair(Int16(colour + 1), Int16(colour), -1)
        }
    }

    /// Gives the terminal back as it was. Further calls do nothing.
    func end() {
        guard !isEnded else { return }
        isEnded = true
        _ = curses.end()
    }

    /// Takes the terminal again after ``end()``.
    func resume(_ size: ScreenSize) {
        isEnded = false
        _ = curses.refresh(window)
        _ = curses.update()
        resize(size)
    }

    /// Takes another size.
    func resize(_ size: ScreenSize) {
        _ = curses.resize(CInt(size.rows), CInt(size.columns))
        redraw()
    }

    /// Draws everything with the next screen, whatever the terminal shows.
    func redraw() {
        shown = []
        _ = curses.forgetLines(window, 0, CInt(Int16.max))
    }

    /// The keys that were pressed and not read before.
    func keys() -> [ReaderKey] { CursesKeys(curses: curses, window: window).read() }

    /// Gives a text to the terminal's clipboard: the sequence OSC 52, which terminals without it ignore.
    func copy(_ text: String) {
        // 74,994 bytes is the limit of xterm's clipboard; longer texts are cut.
        let bytes = Array(text.utf8.prefix(74_994))
        try? FileDescriptorWriter(descriptor: 1).write("\u{1B}]52;c;\(Base64.text(bytes))\u{7}")
    }
}

/// Drawing.
extension CursesTerminal {
    /// Shows a screen. Only lines that changed are drawn.
    func draw(_ screen: Screen) {
        var uncertain: [Int] = []
        for (row, line) in screen.lines.enumerated() {
            let old = row < shown.count ? shown[row] : nil
            guard old != line else { continue }
            // Where the terminal and the library may not agree about columns, the whole line is written again.
            if !line.isCertain || old.map({ !$0.isCertain }) ?? false {
                uncertain.append(row)
            } else {
                write(line, row)
            }
        }
        flush(row: 0)
        for row in uncertain {
            // An empty line first: the library takes cells for written that the terminal left as they were.
            for line in [ScreenLine(), screen.lines[row]] {
                write(line, row)
                _ = curses.forgetLines(window, CInt(row), 1)
                // Back to the first column, whose place is certain, before another line is drawn.
                flush(row: row)
            }
        }
        shown = screen.lines
        if let cursor = screen.cursor {
            _ = curses.setCursor(1)
            _ = curses.move(window, CInt(cursor.line), CInt(cursor.column))
        } else {
            _ = curses.setCursor(0)
            _ = curses.move(window, 0, 0)
        }
        _ = curses.refresh(window)
        _ = curses.update()
    }

    private func flush(row: Int) {
        _ = curses.move(window, CInt(row), 0)
        _ = curses.refresh(window)
        _ = curses.update()
    }

    private func write(_ line: ScreenLine, _ row: Int) {
        _ = curses.move(window, CInt(row), 0)
        let columns = Int(Terminal.standardOutput?.width() ?? 80)
        var (column, used) = (0, 0)
        for span in line.spans {
            let space = String(repeating: " ", count: max(0, span.column - column))
            add(space, .plain, &used, columns)
            add(span.text, span.style, &used, columns)
            column = max(column, span.column) + DisplayWidth.of(span.text)
        }
        _ = curses.setAttributes(window, 0, 0, nil)
        if used < columns { _ = curses.clearToEnd(window) }
    }

    /// Adds a text, as much of it as fits the line on any terminal.
    private func add(_ text: String, _ style: CellStyle, _ used: inout Int, _ columns: Int) {
        var (text, width) = (text, DisplayWidth.atMost(text))
        if used + width > columns {
            text = String(
                text.prefix { character in
                    width = DisplayWidth.atMost(String(character))
                    guard used + width <= columns else { return false }
                    used += width
                    return true
                })
        } else {
            used += width
        }
        // Texts are safe; this is the last guard against one that is not.
        let codes = text.unicodeScalars.map { scalar in
            wchar_t(scalar.properties.generalCategory == .control ? 0xFFFD : scalar.value)
        }
        guard !codes.isEmpty else { return }
        _ = curses.setAttributes(window, attributes(style), pair(style), nil)
        _ = curses.addText(window, codes, CInt(codes.count))
    }

    /// The attributes of ncurses 6 (`A_BOLD` and others in `curses.h`).
    private func attributes(_ style: CellStyle) -> UInt32 {
        let isBright = isColoured && (style.colour ?? 0) >= curses.colours
        return (style.isBold || isBright ? 1 << 21 : 0) | (style.isDim ? 1 << 20 : 0) | (style.isItalic ? 1 << 31 : 0)
            | (style.isUnderlined ? 1 << 17 : 0) | (style.isReversed ? 1 << 18 : 0)
    }

    private func pair(_ style: CellStyle) -> Int16 {
        guard isColoured, let colour = style.colour else { return 0 }
        return Int16(CInt(colour) < curses.colours ? colour + 1 : colour % 8 + 1)
    }
}

/// Base64 (RFC 4648 §4), for the clipboard.
enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let number = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for place in 0..<4 {
                result.append(place <= part.count ? letters[number >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
