import ChatModel

/// Messages for people: local time, a line a day, names in a column, gaps as lines of their own.
///
/// Keeps the day and the widths from one call to the next, so that what is followed goes on as it began.
struct TextRenderer {
    /// Longer names are cut, so that one of 300 Characters leaves room for the text.
    static let maximumNameWidth = 16
    static let maximumRoomWidth = 24

    let time: LocalTime
    let style: Style
    let now: Timestamp
    /// Whether messages of several rooms come together, each to be told where from.
    let showsRooms: Bool

    /// Until it has been shown.
    private var separator: ReadSeparator?
    private var day: String?
    private var nameWidth = 0
    private var roomWidth = 0

    init(time: LocalTime, style: Style, now: Timestamp, showsRooms: Bool, separator: ReadSeparator? = nil) {
        self.time = time
        self.style = style
        self.now = now
        self.showsRooms = showsRooms
        self.separator = separator
    }

    /// Each gap stands before the first message that is later than its beginning.
    mutating func render(_ messages: [Message], gaps: [Gap] = []) -> String {
        makeRoom(for: messages)
        var result = ""
        var waiting = gaps[...]
        for message in messages {
            while let gap = waiting.first, gap.from < message.id.time {
                result += separation(isAfter: gap.from >= separator?.through.time ?? gap.from) + render(gap)
                waiting.removeFirst()
            }
            result += separation(isAfter: message.id > separator?.through ?? message.id) + render(message)
        }
        for gap in waiting {
            result += render(gap)
        }
        return result
    }

    private mutating func separation(isAfter: Bool) -> String {
        guard isAfter, let separator else { return "" }
        self.separator = nil
        return style.bold(separator.text(time: time)) + "\n"
    }

    mutating func render(_ gap: Gap) -> String {
        let text = GapText(time: time, now: now, showsRoom: showsRooms)
        return style.warning("--- \(text.sentence(gap, shownDay: day)) ---") + "\n"
    }

    private mutating func render(_ message: Message) -> String {
        let heading = dayLine(for: message.id.time)
        let line = MessageLine(message)
        let clock = time.minute(message.id.time)
        let room = showsRooms ? roomColumn(message) + "  " : ""
        let name = DisplayWidth.pad(DisplayWidth.cut(line.name, to: nameWidth), to: nameWidth, .right)
        let shownName = line.isQuiet ? name : style.name(name, of: line.name)
        let indent = 5 + 2 + (showsRooms ? roomWidth + 2 : 0) + nameWidth + 2
        return heading + style.dim(clock) + "  " + style.dim(room) + shownName + "  "
            + body(of: line, indent: indent) + "\n"
    }

    /// Further lines of a text stand below its beginning.
    private func body(of line: MessageLine, indent: Int) -> String {
        let flags = line.flags.isEmpty ? "" : " " + style.dim(line.flags)
        let lines = line.text.split(separator: "\n", omittingEmptySubsequences: false).map { part in
            line.isQuiet ? style.dim(String(part)) : String(part)
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent)) + flags
    }

    private mutating func dayLine(for time: Timestamp) -> String {
        let next = self.time.day(time)
        guard next != day else { return "" }
        day = next
        return style.bold(self.time.dayWithName(time)) + "\n"
    }

    private func roomColumn(_ message: Message) -> String {
        DisplayWidth.pad(DisplayWidth.cut(Self.room(of: message), to: roomWidth), to: roomWidth)
    }

    private static func room(of message: Message) -> String {
        Sanitizer.line("\(message.account)/\(message.room)")
    }

    private mutating func makeRoom(for messages: [Message]) {
        for message in messages {
            let name = DisplayWidth.of(MessageLine(message).name)
            nameWidth = max(nameWidth, min(name, Self.maximumNameWidth))
            guard showsRooms else { continue }
            roomWidth = max(roomWidth, min(DisplayWidth.of(Self.room(of: message)), Self.maximumRoomWidth))
        }
    }
}
