import Rendering
import StreamChatWire

/// The typed line at the bottom of a terminal, and the text above it. Every input returns the output to write.
///
/// Text scrolls as usual, so that it stays in the terminal's scrollback. The typed line is painted again below it. It
/// has one row, which scrolls sideways. A notice may be above it, which the next key removes.
struct ChatScreen: Sendable {
    enum Action: Sendable, Hashable { case leave, suspend }

    private let style: Style
    private var columns: Int
    private var editor = LineEditor()
    private var decoder = KeyDecoder()
    private var notice = ""
    /// True while another program has the terminal, so that nothing is painted.
    private(set) var isHidden = true
    private var view = LineView()
    private var painted: Painted?

    /// The widths of the rows on the terminal, and the cursor's column in the last one.
    private struct Painted {
        var notice: [Int]
        var cursor: Int
    }

    /// Creates a hidden screen.
    init(columns: Int, style: Style) {
        self.columns = max(1, columns)
        self.style = style
    }

    /// The typed text that isn't sent.
    var text: String { editor.text }

    /// Handles typed bytes.
    ///
    /// - Parameter send: Sends a text; returns the reason if it can't be sent. The text stays in the line in that case.
    mutating func typed(_ bytes: [UInt8], send: (String) -> String?) -> (output: String, actions: [Action]) {
        let keys = decoder.decode(bytes)
        guard !keys.isEmpty else { return ("", []) }
        var actions: [Action] = []
        var prefix = ""
        for key in keys {
            notice = ""
            switch key {
            case .interrupt: actions.append(.leave)
            case .endOfInput where editor.isEmpty: actions.append(.leave)
            case .endOfInput where editor.isAtEnd: notice = "Ctrl-D leaves when the line is empty, Ctrl-C at any time"
            case .suspend: actions.append(.suspend)
            case .enter: if let action = enter(send, &prefix) { actions.append(action) }
            case .clear: prefix = "\u{1B}[H\u{1B}[2J"
            default: edit(key)
            }
        }
        if !prefix.isEmpty { painted = nil }
        return (repaint(prefix), actions)
    }

    /// Shows a text: whole lines, sanitised, each with its line feed.
    mutating func show(_ text: String) -> String {
        text.isEmpty ? "" : repaint(erase() + text)
    }

    /// Shows a notice until the next key.
    mutating func note(_ text: String) -> String {
        notice = text
        return repaint()
    }

    /// Adapts to a new width. Terminals wrap the present rows to it.
    mutating func resized(columns: Int) -> String {
        self.columns = max(1, columns)
        return repaint()
    }

    /// Shows the screen. Call it whenever the terminal is ours and in raw mode.
    mutating func open() -> String {
        isHidden = false
        // Turns on bracketed paste, which distinguishes pasted line breaks from typed ones (xterm, "Bracketed Paste
        // Mode").
        return repaint("\u{1B}[?2004h")
    }

    /// Hides the screen and leaves the cursor where the typed line began.
    mutating func close() -> String {
        guard !isHidden else { return "" }
        isHidden = true
        let output = erase() + "\u{1B}[?2004l"
        return output
    }

    /// Sends the line, or performs its command.
    ///
    /// - Parameter prefix: The output before the next painting; help is added to it.
    private mutating func enter(_ send: (String) -> String?, _ prefix: inout String) -> Action? {
        guard !editor.isEmpty else { return nil }
        switch ChatLine(editor.text) {
        case .message(let text):
            if let problem = send(text) {
                notice = "not sent: \(problem)"
            } else {
                _ = editor.take()
            }
        case .refused(let reason): notice = "not sent: \(reason)"
        case .help:
            _ = editor.take()
            prefix += erase() + style.dim(ChatLine.helpText)
        case .quit:
            _ = editor.take()
            return .leave
        }
        return nil
    }

    private mutating func edit(_ key: Key) {
        switch key {
        case .scalar(let scalar):
            if !editor.insert(scalar) { notice = "the line is full: the last input was ignored" }
        case .backspace: editor.eraseBackward()
        case .delete, .endOfInput: editor.eraseForward()
        case .left: editor.moveLeft()
        case .right: editor.moveRight()
        case .home: editor.moveToStart()
        case .end: editor.moveToEnd()
        case .eraseToStart: editor.eraseToStart()
        case .eraseToEnd: editor.eraseToEnd()
        case .eraseWord: editor.eraseWord()
        case .enter, .clear, .interrupt, .suspend: break
        }
    }

    /// Erases the painted rows. The cursor is then at the beginning of the first of them, with nothing below.
    private mutating func erase() -> String {
        guard let painted else { return "" }
        self.painted = nil
        let above = painted.notice.reduce(painted.cursor / columns) { $0 + max(1, ($1 + columns - 1) / columns) }
        return (above > 0 ? "\u{1B}[\(above)A" : "") + "\r\u{1B}[J"
    }

    private mutating func repaint(_ prefix: String = "") -> String {
        guard !isHidden else { return prefix }
        let start = erase() + prefix
        // The last column stays free, because after it the cursor of some terminals is in the next row.
        let rows = LineView.fold(notice, to: columns - 1)
        let (line, cursor) = view.paint(editor, prompt: prompt, columns: columns - 1)
        painted = Painted(notice: rows.map(DisplayWidth.of), cursor: cursor)
        let place = "\r" + (cursor > 0 ? "\u{1B}[\(cursor)C" : "")
        return start + rows.map { style.warning($0) + "\n" }.joined() + line + place
    }

    /// The prompt: `  5/300> `, or `301/300! ` in the colour of warnings.
    private var prompt: LineView.Prompt {
        let count = editor.text.count
        let isOver = count > Outgoing.maximumText
        let number = DisplayWidth.pad("\(count)", to: 3, .right)
        let text = "\(number)/\(Outgoing.maximumText)\(isOver ? "!" : ">") "
        return LineView.Prompt(text: text, styled: isOver ? style.warning(text) : style.dim(text))
    }
}
