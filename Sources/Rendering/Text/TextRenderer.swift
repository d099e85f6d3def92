package import ChatModel

/// Messages for people: local time, a line a day, names in a column, gaps as lines of their own.
///
/// Keeps the day and the widths from one call to the next, so that what is followed goes on as it began.
package struct TextRenderer {
    package struct Options: Sendable, Hashable {
        /// Whether messages of several rooms come together, each to be told where from.
        package var showsRooms = false
        /// Ids instead of times of day; then every message has its line.
        package var showsIDs = false
        /// Whether each join and leave has its line; else how many there were is told.
        package var unfolds = false
        /// Whether hits are to be told from what stands around them: `> ` goes before them.
        package var marksHits = false

        package init(showsRooms: Bool = false, showsIDs: Bool = false, unfolds: Bool = false, marksHits: Bool = false) {
            self.showsRooms = showsRooms
            self.showsIDs = showsIDs
            self.unfolds = unfolds
            self.marksHits = marksHits
        }
    }

    package let time: LocalTime
    package let style: Style
    package let now: Timestamp
    package let options: Options
    /// Where in a body, as it is stored, is what was looked for.
    package var matches: (@Sendable (String) -> [Range<String.Index>])?
    /// The cells of a line as it is now, on a terminal; nil where lines have no end.
    package let width: @Sendable () -> Int?

    /// Until it has been shown.
    private var separator: ReadSeparator?
    private var day: String?
    private var columns: TextColumns

    package init(
        time: LocalTime, style: Style, now: Timestamp, options: Options, separator: ReadSeparator? = nil,
        width: @escaping @Sendable () -> Int? = { nil }
    ) {
        self.time = time
        self.style = style
        self.now = now
        self.options = options
        self.separator = separator
        self.width = width
        let mark = options.marksHits ? 2 : 0
        columns = TextColumns(time: mark + (options.showsIDs ? Self.idWidth : 5), showsRooms: options.showsRooms)
    }

    /// `2026-11-21T06:23:11.123456Z`
    private static let idWidth = 27

    /// Each gap stands before the first message that is later than its beginning.
    ///
    /// - Parameter hits: Those that were looked for; nil for all.
    package mutating func render(_ messages: [Message], gaps: [Gap] = [], hits: Set<MessageID>? = nil) -> String {
        for message in messages {
            columns.makeRoom(name: MessageLine(message).name, room: options.showsRooms ? Self.room(of: message) : "")
        }
        let layout = columns.layout(width: width())
        let folds = !options.unfolds && !options.showsIDs
        let rows = TextRow.rows(messages, gaps: gaps, separator: &separator, folds: folds) { [time] in
            time.day($0.time)
        }
        return rows.reduce(into: "") { $0 += render($1, layout, hits) }
    }

    /// Between groups of hits.
    var groupBreak: String {
        style.dim("--") + "\n"
    }

    package mutating func render(_ gap: Gap) -> String {
        render(.gap(gap), columns.layout(width: width()), nil)
    }

    private mutating func render(_ row: TextRow, _ layout: TextLayout, _ hits: Set<MessageID>?) -> String {
        switch row {
        case .message(let message):
            let isHit = hits?.contains(message.id) ?? true
            let found = isHit ? message.body.flatMap { matches?($0) } ?? [] : []
            return render(MessageLine(message, matches: found), of: message, isHit: isHit, layout)
        case .comings(let messages):
            let width = layout.width.map { $0 - layout.indent } ?? ComingsText.usualWidth
            let line = MessageLine(quiet: ComingsText(messages).sentence(width: width))
            return render(line, of: messages[0], isHit: false, layout)
        case .gap(let gap):
            let sentence = GapText(time: time, now: now, showsRoom: options.showsRooms).sentence(gap, shownDay: day)
            return line("--- \(sentence) ---", layout, style.warning)
        case .separator(let separator):
            return line("=== \(separator.text(time: time)) ===", layout, style.bold)
        }
    }

    /// A line across, between messages.
    private func line(_ text: String, _ layout: TextLayout, _ paint: (String) -> String) -> String {
        let lines = layout.lines(of: text, indent: 4).map(paint)
        return lines.joined(separator: "\n    ") + "\n"
    }

    private mutating func render(
        _ line: MessageLine, of message: Message, isHit: Bool, _ layout: TextLayout
    ) -> String {
        let room = DisplayWidth.cut(options.showsRooms ? Self.room(of: message) : "", to: layout.room)
        let name = DisplayWidth.cut(line.name, to: layout.name)
        let indent = String(repeating: " ", count: layout.indent)
        return dayLine(for: message.time)
            + (options.marksHits ? isHit ? style.match(">") + " " : "  " : "")
            + style.dim(options.showsIDs ? message.id.description : time.minute(message.time))
            + (options.showsRooms ? "  " + style.dim(layout.pad(room: room)) : "")
            + (layout.isStacked && name.isEmpty ? "" : "  " + layout.fill(before: name))
            + style.name(name, of: line.name, isSelf: line.isOwn)
            + (layout.isBelow(room: room, name: name) ? "\n" + indent : "  ")
            + body(of: line, layout).joined(separator: "\n" + indent) + "\n"
    }

    /// Each line with its own colours: a pager may begin with any of them.
    private func body(of line: MessageLine, _ layout: TextLayout) -> [String] {
        let text = layout.lines(of: line.text.text)
        var lines = line.isQuiet ? text.map(style.dim) : line.text.painted(text, style)
        guard !line.flags.isEmpty, let last = text.last else { return lines }
        let flags = style.dim(line.flags)
        if layout.lines(of: last + " " + line.flags).count == 1 {
            lines[lines.count - 1] += " " + flags
        } else {
            lines.append(flags)
        }
        return lines
    }

    private mutating func dayLine(for time: Timestamp) -> String {
        let next = self.time.day(time)
        guard next != day else { return "" }
        day = next
        return style.bold(self.time.dayWithName(time)) + "\n"
    }

    private static func room(of message: Message) -> String {
        Sanitizer.line("\(message.account)/\(message.room)")
    }
}
