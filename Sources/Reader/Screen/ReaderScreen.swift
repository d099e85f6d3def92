import ChatModel
import Rendering

extension ReaderModel {
    /// The screen of the present state, as many lines as the terminal has.
    package var screen: Screen { ReaderScreen(model: self).screen }
}

/// Draws the state of a reader: the heading, the middle, and the line of the state.
struct ReaderScreen {
    private let model: ReaderModel
    private var size: ScreenSize { model.size }
    private var settings: ReaderSettings { model.settings }
    private var mode: ReaderMode { model.mode }
    private var note: String? { model.note }
    private var time: LocalTime { LocalTime(zone: settings.zone) }

    init(model: ReaderModel) { self.model = model }

    var screen: Screen {
        let (bottom, cursor) = bottom
        var lines = [heading] + middle
        while lines.count < size.rows - 1 { lines.append(ScreenLine()) }
        lines = Array(lines.prefix(size.rows - 1))
        if size.isWide { lines = beside(lines) }
        lines.append(bottom.cut(to: size.columns))
        let place = cursor.map { Screen.Cursor(line: size.rows - 1, column: min($0, size.columns - 1)) }
        return Screen(lines: lines, cursor: place)
    }

    /// The lines between the heading and the line of the state, without the list of rooms.
    private var middle: [ScreenLine] {
        switch mode {
        case .reading, .date, .links: return lines(of: model.shown.history)
        case .searching: return model.search.map { lines(of: $0.pane) } ?? lines(of: model.shown.history)
        case .conversation(let view): return lines(of: view.pane)
        case .choosingRoom(let chooser): return RoomLines(model: model).choice(chooser)
        case .text(let text):
            return text.lines.dropFirst(text.top).prefix(size.paneHeight).map { $0.cut(to: size.paneColumns) }
        case .month(let month): return month.lines(columns: size.paneColumns)
        }
    }

    /// Returns the visible lines of a pane. Fewer lines than the pane has are at its bottom, where new ones appear.
    private func lines(of pane: Pane) -> [ScreenLine] {
        let visible = pane.visible.map { $0.line.cut(to: size.paneColumns) }
        return Array(repeating: ScreenLine(), count: max(0, size.paneHeight - visible.count)) + visible
    }

    /// Returns the lines beside the list of rooms.
    private func beside(_ lines: [ScreenLine]) -> [ScreenLine] {
        let names = RoomLines(model: model).sidebar(lines.count)
        return lines.enumerated().map { index, line in
            var whole = (index < names.count ? names[index] : ScreenLine()).cut(to: size.sidebar - 1)
            whole.add("│", at: size.sidebar - 1, .dim)
            whole.add(line, at: size.sidebar)
            return whole
        }
    }

    // MARK: The heading

    private var heading: ScreenLine {
        var line = ScreenLine()
        switch mode {
        case .choosingRoom: line.add("rooms", .bold)
        case .text(let text): line.add(text.title, .bold)
        case .month(let month): line.add("\(roomName)   \(month.name)", .bold)
        case .searching: line.add("search in \(scopeName)", .bold)
        case .conversation: line.add("\(roomName)   conversation", .bold)
        case .reading, .date, .links:
            line.add(DisplayWidth.cut(roomName, to: max(1, size.paneColumns / 2)), .bold)
            if let row = model.shown.history.topRow { line.add("   " + time.dayWithName(row.time)) }
        }
        let columns = size.paneColumns
        let room = columns - line.width - 3
        guard let facts = facts.first(where: { DisplayWidth.of($0) <= room }) else { return line.cut(to: columns) }
        line.add(" " + String(repeating: "─", count: room - DisplayWidth.of(facts) + 1) + " ", .dim)
        line.add(facts, .dim)
        return line.cut(to: columns)
    }

    private var roomName: String {
        guard let room = model.shown.key else { return "scrollback" }
        let name = (model.shown.state?.room ?? model.rooms.room(room)).map(RoomList.name(of:)) ?? ""
        return size.isWide ? name : "\(Sanitizer.line(room.account))/\(name)"
    }

    private var scopeName: String {
        switch model.search?.search.scope {
        case .account(let name): "all rooms of \(Sanitizer.line(name))"
        case .everything: "everything"
        case .room, nil: roomName
        }
    }

    /// The number of messages and the coverage of the room, in the longest form first.
    private var facts: [String] {
        guard case .reading = mode, let state = model.shown.state else { return [] }
        let (count, coverage) = (state.room.messages.grouped, coverage(state))
        return ["\(count) ─ \(coverage)", coverage, count]
    }

    private func coverage(_ state: RoomState) -> String {
        if let gap = state.lastGap {
            guard let end = gap.shownTo else { return "gap since \(time.day(gap.shownFrom))" }
            return "complete since \(time.day(end))"
        }
        if let left = state.room.leftAt ?? state.room.goneAt { return "ended \(time.day(left))" }
        return state.room.coveredFrom.map { "complete since \(time.day($0))" } ?? "imported"
    }

    // MARK: The line of the state

    /// The last line, and the column of the cursor in a text that is typed.
    private var bottom: (line: ScreenLine, cursor: Int?) {
        switch mode {
        case .searching(let input): return typed("/", input, right: hitsText)
        case .date(let prompt): return typed("go to: ", prompt.input, right: note ?? "Enter opens, Esc returns")
        case .choosingRoom(let chooser): return typed("room: ", chooser.input, right: note ?? roomsText)
        case .links(let choice):
            let shown = choice.links.enumerated().map { "\($0.offset + 1) \(Sanitizer.line($0.element))" }
            return (ScreenLine("open: " + shown.joined(separator: "  "), .reversed), nil)
        case .month: return (right(of: ScreenLine(note ?? "arrows choose, Enter opens, Esc returns"), state: ""), nil)
        case .text, .conversation: return (right(of: ScreenLine(note ?? "Esc returns"), state: ""), nil)
        case .reading:
            let left = note ?? (model.search.map { "/\(Sanitizer.line($0.search.text))  \(hitsText)" } ?? "")
            return (right(of: ScreenLine(left, note == nil ? .plain : .bold), state: liveText), nil)
        }
    }

    private func typed(_ prompt: String, _ input: LineInput, right text: String) -> (ScreenLine, Int?) {
        var line = ScreenLine(prompt, .bold)
        // The end of a long text is visible.
        var shown = Sanitizer.line(input.text)
        let room = max(1, size.columns - line.width - 1)
        while DisplayWidth.atMost(shown) > room, !shown.isEmpty { shown.removeFirst() }
        line.add(shown)
        let cursor = line.width
        return (right(of: line, state: text), cursor)
    }

    /// Returns a line with a text at its right end, if there is room for it.
    private func right(of line: ScreenLine, state: String) -> ScreenLine {
        var line = line.cut(to: size.columns)
        // The last cell stays free, because after it some terminals go to the next line.
        let room = size.columns - 1 - line.width - 2
        guard room > 3, !state.isEmpty else { return line }
        let shown = DisplayWidth.cut(state, to: room)
        line.add(shown, at: size.columns - 1 - DisplayWidth.of(shown), .dim)
        return line
    }

    private var liveText: String {
        let live = settings.isWatched ? "live ●" : "not watched ○"
        return "? keys   " + (model.shown.newBelow.map { "\($0) new ↓" } ?? live)
    }

    private var roomsText: String { "\(model.rooms.rooms.count.grouped) rooms, Enter opens" }

    /// The number of the hit among all, and a bar for each year.
    private var hitsText: String {
        guard let search = model.search else { return "type a query; Tab: all rooms of the account" }
        if let note = note ?? search.note { return note }
        guard !search.search.text.isEmpty else { return "type a query; Tab: \(scopeName)" }
        guard search.isAnswered else { return "…" }
        guard let rank = search.rank else { return search.total ?? 0 == 0 ? "no hits" : "" }
        let total = search.total.map { " of \($0.grouped)" } ?? ""
        return "hit \(rank.grouped)\(total)" + Sparkline.text(search.years)
    }
}
