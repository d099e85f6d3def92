package import ChatModel

/// Renders messages for people, with local times, a line for each day, names in a column, and separate lines for gaps.
///
/// Keeps the day and the widths between calls, so that followed messages stay aligned.
package struct TextRenderer {
    package struct Options: Sendable, Hashable {
        /// True if messages of several rooms are mixed, so that each names its room.
        package var showsRooms = false
        /// True to show ids in place of times. Then every message has its own line.
        package var showsIDs = false
        /// True to show each join and leave; otherwise consecutive ones are counted.
        package var unfolds = false
        /// True to mark hits with `> `, to distinguish them from the messages around them.
        package var marksHits = false
        /// True for lines with date and time, one for each message and each gap, as ``OneLineText`` has them.
        package var isOneLine = false

        package init(
            showsRooms: Bool = false, showsIDs: Bool = false, unfolds: Bool = false, marksHits: Bool = false,
            isOneLine: Bool = false
        ) {
            (self.showsRooms, self.showsIDs, self.unfolds) = (showsRooms, showsIDs, unfolds)
            (self.marksHits, self.isOneLine) = (marksHits, isOneLine)
        }
    }

    package let time: LocalTime
    package let style: Style
    /// The present time, which is the end of current gaps.
    package let now: Timestamp
    package let options: Options
    /// Returns the ranges of a stored body that match a search; nil if nothing is searched.
    package var matches: BodyRanges?
    /// Returns the terminal's present width in cells; nil for lines without an end.
    package let width: @Sendable () -> Int?

    /// The separator, until it has been shown.
    private var separator: ReadSeparator?
    private var day: String?
    private var columns: TextColumns

    package init(
        time: LocalTime, style: Style, now: Timestamp, options: Options, separator: ReadSeparator? = nil,
        width: @escaping @Sendable () -> Int? = { nil }
    ) {
        (self.time, self.style, self.now, self.options, self.separator) = (time, style, now, options, separator)
        self.width = width
        let mark = options.marksHits ? 2 : 0
        columns = TextColumns(time: mark + (options.showsIDs ? Self.idWidth : 5), showsRooms: options.showsRooms)
    }

    /// The width of `2026-11-21T06:23:11.123456Z`.
    private static let idWidth = 27

    /// Renders messages in order. Each gap is before the first message after its beginning.
    ///
    /// - Parameter hits: The messages that match a search; nil for all.
    package mutating func render(_ messages: [Message], gaps: [Gap] = [], hits: Set<MessageID>? = nil) -> String {
        guard !options.isOneLine else { return lines(messages, gaps: gaps, hits) }
        for message in messages {
            columns.makeRoom(
                name: MessageLine.nameColumn(message), room: options.showsRooms ? Self.room(of: message) : "")
        }
        let layout = columns.layout(width: width())
        let folds = !options.unfolds && !options.showsIDs
        let rows = TextRow.rows(messages, gaps: gaps, separator: &separator, folds: folds) { [time] in
            time.day($0.time)
        }
        return rows.reduce(into: "") { $0 += render($1, layout, hits) }
    }

    private func lines(_ messages: [Message], gaps: [Gap], _ hits: Set<MessageID>?) -> String {
        var separator: ReadSeparator?
        return TextRow.rows(messages, gaps: gaps, separator: &separator, folds: false) { _ in "" }
            .reduce(into: "") { lines, row in
                switch row {
                case .message(let message):
                    let isHit = hits?.contains(message.id) ?? true
                    lines += oneLine.text(line(message, isHit: isHit), of: message, isHit: isHit)
                case .gap(let gap): lines += oneLine.text(gap)
                case .memberships, .separator: break
                }
            }
    }

    private var oneLine: OneLineText {
        OneLineText(time: time, style: style, now: now, options: options)
    }

    private func line(_ message: Message, isHit: Bool) -> MessageLine {
        MessageLine(message, zone: time.zone, matches: isHit ? message.body.flatMap { matches?($0) } ?? [] : [])
    }

    /// The mark before a hit.
    private var mark: String { style.match(">") + " " }

    /// Returns the number of the first line of a rendered text with the mark of a hit, from 1 on; nil if none has it.
    func markedLine(of text: String) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.firstIndex { $0.hasPrefix(mark) }.map { $0 + 1 }
    }

    /// The line between groups of hits.
    var groupBreak: String {
        style.dim("--") + "\n"
    }

    /// Renders a gap that was found while following.
    package mutating func render(_ gap: Gap) -> String {
        options.isOneLine ? oneLine.text(gap) : render(.gap(gap), columns.layout(width: width()), nil)
    }

    private mutating func render(_ row: TextRow, _ layout: TextLayout, _ hits: Set<MessageID>?) -> String {
        switch row {
        case .message(let message):
            let isHit = hits?.contains(message.id) ?? true
            return render(line(message, isHit: isHit), of: message, isHit: isHit, layout)
        case .memberships(let messages):
            let width = layout.width.map { $0 - layout.indent } ?? MembershipText.usualWidth
            let line = MessageLine(quiet: MembershipText(messages).sentence(width: width))
            return render(line, of: messages[0], isHit: false, layout)
        case .gap(let gap):
            let sentence = GapText(time: time, now: now, showsRoom: options.showsRooms).sentence(gap, shownDay: day)
            return line("--- \(sentence) ---", layout, style.warning)
        case .separator(let separator):
            return line("=== \(separator.text(time: time)) ===", layout, style.bold)
        }
    }

    /// Returns a line between messages.
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
            + (options.marksHits ? isHit ? mark : "  " : "")
            + style.dim(options.showsIDs ? message.id.description : time.minute(message.time))
            + (options.showsRooms ? "  " + style.dim(layout.pad(room: room)) : "")
            + (layout.isStacked && name.isEmpty ? "" : "  " + layout.fill(before: name))
            + style.name(name, of: line.name, isSelf: line.isOwn)
            + (layout.isBelow(room: room, name: name) ? "\n" + indent : "  ")
            + body(of: line, layout).joined(separator: "\n" + indent) + "\n"
    }

    /// Returns the lines of a body. Each has its own colours, because a pager may begin with any line.
    private func body(of line: MessageLine, _ layout: TextLayout) -> [String] {
        let text = layout.lines(of: line.text.text)
        var lines = line.isQuiet ? text.map(style.dim) : line.text.painted(text, style)
        guard !line.flags.isEmpty, let last = text.last else { return lines }
        let flags = style.dim(line.flags)
        if last.isEmpty {
            lines[lines.count - 1] = flags
        } else if layout.lines(of: last + " " + line.flags).count == 1 {
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
