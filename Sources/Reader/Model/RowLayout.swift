import ChatModel
import Rendering

/// Breaks messages and gaps into lines of a pane.
struct RowLayout: Sendable {
    let time: LocalTime
    /// The present time, which is the end of current gaps.
    let now: Timestamp
    /// The cells of a line.
    let columns: Int
    /// True to name the room of each message.
    let showsRooms: Bool
    /// Returns the ranges of a body that match the search; nil if nothing is searched.
    let matches: BodyRanges?

    /// The width of `06:23`.
    private static let clock = 5
    private static let space = 2
    /// The smallest width for a text beside its name, about three words.
    private static let leastText = 20
    /// 16 KiB, more than a screen can show. The details of a message have all of its text.
    private static let mostText = 16 << 10

    /// The cells of a name: 16, fewer on a narrow screen.
    private var name: Int { min(16, max(8, columns / 6)) }
    private var room: Int { showsRooms ? min(20, max(8, columns / 6)) : 0 }
    /// The column of a text beside its name.
    private var indent: Int {
        Self.clock + Self.space + (showsRooms ? room + Self.space : 0) + name + Self.space
    }
    /// True if texts are below their names.
    private var isStacked: Bool { columns - indent < Self.leastText }
    private var below: Int { isStacked ? min(Self.space, columns / 8) : indent }

    /// Returns the lines of a row.
    ///
    /// - Parameter shownDay: The day of the heading above.
    func lines(_ row: TextRow, shownDay: String) -> [ScreenLine] {
        switch row {
        case .message(let message): return lines(of: message)
        case .memberships(let messages):
            let width = max(10, columns - below)
            let line = MessageLine(quiet: MembershipText(messages).sentence(width: width))
            return messages.first.map { lines(line, of: $0, name: "") } ?? []
        case .gap(let gap):
            let sentence = GapText(time: time, now: now, showsRoom: showsRooms).sentence(gap, shownDay: shownDay)
            let mark = gap.state.isMissing && ![.notArchived, .imported].contains(gap.state) ? "▒▒▒" : "···"
            return rule(sentence, mark, .warning)
        case .separator(let separator): return rule(separator.text(time: time), "──", .bold)
        }
    }

    /// Returns the heading of a day.
    func heading(of time: Timestamp) -> [ScreenLine] {
        var line = ScreenLine(self.time.dayWithName(time) + " ", .bold)
        line.add(String(repeating: "─", count: max(0, columns - line.width)), .dim)
        return [line.cut(to: columns)]
    }

    /// Returns a text between two marks.
    private func rule(_ text: String, _ mark: String, _ style: CellStyle) -> [ScreenLine] {
        TextWrap.lines(of: "\(mark) \(text) \(mark)", width: columns).map { ScreenLine($0, style) }
    }

    private func lines(of message: Message) -> [ScreenLine] {
        var message = message
        let body = message.body ?? ""
        let isCut = body.utf8.count > Self.mostText
        if isCut { message.body = MessageRemarks.cut(body, to: Self.mostText) }
        let ranges = message.body.flatMap { matches?($0) } ?? []
        var line = MessageLine(message, zone: time.zone, matches: ranges)
        if isCut { line.flags += (line.flags.isEmpty ? "" : " ") + "[Enter shows all of the text]" }
        return lines(line, of: message, name: line.name)
    }

    private func lines(_ line: MessageLine, of message: Message, name: String) -> [ScreenLine] {
        let (head, isBelow) = head(line, of: message, name: name)
        let texts = TextWrap.lines(of: line.text.text, width: max(1, columns - below))
        var bodies = line.isQuiet ? texts.map { ScreenLine($0, .dim) } : line.text.parts(of: texts).map(Self.painted)
        add(flags: line.flags, to: &bodies)
        guard isBelow else {
            var first = head
            if let body = bodies.first { first.add(body, at: below) }
            return [first] + bodies.dropFirst().map(indented)
        }
        return [head] + bodies.map(indented)
    }

    private func indented(_ line: ScreenLine) -> ScreenLine {
        var result = ScreenLine()
        result.add(line, at: below)
        return result
    }

    /// Returns the time, the room and the name, and true if the text is below them.
    private func head(_ line: MessageLine, of message: Message, name: String) -> (ScreenLine, isBelow: Bool) {
        var head = ScreenLine(time.minute(message.time), .dim)
        let place = showsRooms ? DisplayWidth.cut(DisplayWidth.steady(Sanitizer.line(message.room)), to: room) : ""
        let shown = DisplayWidth.cut(name, to: self.name)
        if showsRooms { head.add(place, at: Self.clock + Self.space, .dim) }
        let start = Self.clock + Self.space + (showsRooms ? room + Self.space : 0)
        let style = CellStyle.name(name, isOwn: line.isOwn)
        if isStacked {
            if !shown.isEmpty { head.add(shown, at: head.width + Self.space, style) }
        } else {
            head.add(shown, at: start + max(0, self.name - DisplayWidth.of(shown)), style)
        }
        return (head.cut(to: columns), isStacked || !DisplayWidth.isCertain(place + shown))
    }

    private static func painted(_ parts: [StyledText.Part]) -> ScreenLine {
        parts.reduce(into: ScreenLine()) { line, part in line.add(part.text, CellStyle(part)) }
    }

    private func add(flags: String, to lines: inout [ScreenLine]) {
        guard !flags.isEmpty else { return }
        let room = max(1, columns - below)
        for (index, text) in TextWrap.lines(of: flags, width: room).enumerated() {
            guard index == 0, let last = lines.last, last.width + 1 + DisplayWidth.atMost(text) <= room else {
                lines.append(ScreenLine(text, .dim))
                continue
            }
            lines[lines.count - 1].add(text, at: last.width == 0 ? 0 : last.width + 1, .dim)
        }
    }
}

extension CellStyle {
    fileprivate init(_ part: StyledText.Part) {
        guard !part.isMatch else {
            self = .match
            return
        }
        self.init()
        (isBold, isItalic, isUnderlined) = (part.style.isBold, part.style.isItalic, part.style.isUnderlined)
        (isReversed, colour) = (part.style.isReversed, part.style.terminalColour)
    }
}
