import Rendering

/// The visible part of a line: the text that fits beside the prompt, around the cursor.
///
/// It remembers its beginning, so that the text moves only when the cursor would leave it.
struct LineView: Sendable {
    struct Prompt: Sendable {
        var text: String
        var styled: String
    }

    /// A Character as shown, with hostile code points escaped, which makes it wider.
    private typealias Cell = (text: String, width: Int)

    /// The mark for hidden text, one cell wide.
    private static let more = "…"
    /// The smallest room for text beside a prompt, in cells. With less room, there is no prompt.
    private static let leastRoom = 6

    /// The index of the first visible Character.
    private var start = 0

    /// Returns the row, at most `columns` wide, and the column of the cursor, at most `columns`.
    mutating func paint(_ editor: LineEditor, prompt: Prompt, columns: Int) -> (row: String, cursor: Int) {
        let promptWidth = DisplayWidth.of(prompt.text)
        let hasPrompt = columns >= promptWidth + Self.leastRoom
        let room = max(0, columns - (hasPrompt ? promptWidth : 0))
        let cells = Self.cells(editor.text)
        let cursor = min(editor.charactersBeforeCursor, cells.count)
        move(to: cursor, in: cells, room: room)
        let (line, before) = Self.cut(cells, from: start, cursor: cursor, room: room)
        return ((hasPrompt ? prompt.styled : "") + line, (hasPrompt ? promptWidth : 0) + before)
    }

    /// Returns `text` in rows of at most `width` cells, broken at spaces.
    static func fold(_ text: String, to width: Int) -> [String] {
        var rows: [String] = []
        for word in text.split(separator: " ") {
            if let last = rows.last, DisplayWidth.of(last) + 1 + DisplayWidth.of(String(word)) <= width {
                rows[rows.count - 1] = last + " " + word
            } else {
                rows.append(DisplayWidth.cut(String(word), to: max(1, width)))
            }
        }
        return rows
    }

    private static func cells(_ text: String) -> [Cell] {
        text.map { character in
            let shown = Sanitizer.line(String(character))
            return (shown, DisplayWidth.of(shown))
        }
    }

    /// Moves the view by half its width, so that typing a few more Characters moves nothing.
    private mutating func move(to cursor: Int, in cells: [Cell], room: Int) {
        start = min(start, cells.count)
        if Self.width(cells[...]) <= room {
            start = 0
        } else if cursor <= start || Self.width(cells[start..<cursor]) > room - (start > 0 ? 1 : 0) {
            start = cursor
            while start > 0, Self.width(cells[(start - 1)..<cursor]) <= room / 2 { start -= 1 }
        }
    }

    /// Returns the visible text. The part before the cursor fits, unless one Character is wider than the room.
    private static func cut(_ cells: [Cell], from start: Int, cursor: Int, room: Int) -> (line: String, before: Int) {
        var line = start > 0 && room > 0 ? more : ""
        var used = line.isEmpty ? 0 : 1
        var before = used
        for index in start..<cells.count {
            let place = index == cells.count - 1 || index < cursor ? room : room - 1
            guard used + cells[index].width <= place else {
                return (line + (used < room ? more : ""), before)
            }
            line += cells[index].text
            used += cells[index].width
            if index < cursor { before = used }
        }
        return (line, before)
    }

    private static func width(_ cells: ArraySlice<Cell>) -> Int {
        cells.reduce(0) { $0 + $1.width }
    }
}
