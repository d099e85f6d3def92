import ChatModel
import Rendering

/// Texts, months and conversations above the history.
extension ReaderModel {
    /// Returns the question for the details of a message, or shows the whole sentence of a gap.
    mutating func ask(details row: PaneRow?) -> [ReaderEffect] {
        if let message = row?.message { return [.ask(.details(account: message.account, message.id))] }
        guard let gap = row?.gap else { return [] }
        let text = GapText(time: LocalTime(zone: settings.zone), now: settings.now(), showsRoom: false)
        show(text: text.sentence(gap), title: "gap")
        return []
    }

    /// Shows a text of several lines, all of them safe.
    mutating func show(text: String, title: String) {
        let lines = TextWrap.lines(of: text, width: max(1, paneColumns)).map { ScreenLine($0) }
        mode = .text(title: title, lines: lines, top: 0)
    }

    mutating func show(_ detail: MessageDetail) {
        let text = MessageDetailText(
            time: LocalTime(zone: settings.zone), style: .plain, now: settings.now(), width: paneColumns)
        show(text: text.text(detail), title: "message \(detail.message.id)")
    }

    mutating func showKeys() -> [ReaderEffect] {
        let names = Self.keys.map { DisplayWidth.of($0.key) }.max() ?? 0
        let lines = Self.keys.map { DisplayWidth.pad($0.key, to: names) + "  " + $0.text }
        show(text: lines.joined(separator: "\n"), title: "keys")
        return []
    }

    /// The keys of the history and what they do, in the order in which `?` shows them.
    package static let keys: [(key: String, text: String)] = [
        ("PgUp PgDn", "a page back, a page on; Space and b, too"),
        ("j k, arrows", "the next message, the one before"),
        ("Home End", "the beginning; the end, with new messages"),
        ("/", "search; Tab: room, account, everything"),
        ("n N", "the next older hit, the next newer one"),
        ("Esc", "end the search, back to where it began"),
        ("g", "go to a date: 2026-11-21, yesterday, 7d"),
        ("[ ]", "the day before, the day after"),
        ("c", "a month with its numbers of messages"),
        ("{ }", "the gap before, the next gap"),
        ("Ctrl-K", "choose a room by a part of its name"),
        ("Alt-1 … 9", "one of the first nine rooms"),
        ("a", "the next room with unread messages"),
        ("Enter", "all details of the message"),
        ("t", "the conversation of the message"),
        ("o", "open a link of the message"),
        ("y Y", "copy the text, the id"),
        ("m", "mark as read up to the message"),
        ("J", "hide or show joins and leaves"),
        ("u", "names of that time, or of today"),
        ("Ctrl-L Ctrl-Z", "draw again; suspend"),
        ("q", "quit, and print the command to return"),
    ]

    mutating func pressInText(
        _ key: ReaderKey, _ title: String, _ lines: [ScreenLine], _ top: Int
    ) -> [ReaderEffect] {
        let last = max(0, lines.count - paneHeight)
        func scrolled(_ step: Int) -> ReaderMode {
            .text(title: title, lines: lines, top: max(0, min(last, top + step)))
        }
        switch key {
        case .down, .character("j"): mode = scrolled(1)
        case .up, .character("k"): mode = scrolled(-1)
        case .wheelDown: mode = scrolled(3)
        case .wheelUp: mode = scrolled(-3)
        case .pageDown, .character(" "): mode = scrolled(paneHeight - 1)
        case .pageUp, .character("b"): mode = scrolled(1 - paneHeight)
        case .home: mode = scrolled(-top)
        case .end: mode = scrolled(last)
        default: mode = .reading
        }
        return []
    }

    // MARK: Months

    mutating func showMonth() -> [ReaderEffect] {
        guard let row = history.selectedRow else { return [] }
        let month = MonthView(containing: CivilDay(containing: row.time, in: settings.zone))
        mode = .month(month)
        return ask(month)
    }

    private func ask(_ month: MonthView) -> [ReaderEffect] { room.map { [.ask(.days($0, month.days))] } ?? [] }

    mutating func pressInMonth(_ key: ReaderKey, _ month: MonthView) -> [ReaderEffect] {
        var month = month
        var isOther = false
        switch key {
        case .left, .character("h"): isOther = month.move(-1)
        case .right, .character("l"): isOther = month.move(1)
        case .up, .character("k"): isOther = month.move(-7)
        case .down, .character("j"): isOther = month.move(7)
        case .pageUp, .character("["), .wheelUp, .pageDown, .character("]"), .wheelDown:
            month.moveMonth(isLater: [.pageDown, .character("]"), .wheelDown].contains(key))
            isOther = true
        case .enter:
            mode = .reading
            let day = CivilDay(number: month.selected, zone: settings.zone)
            return room.map { open($0, .from(MessageID(day.span.lowerBound))) } ?? []
        default:
            mode = .reading
            return []
        }
        mode = .month(month)
        return isOther ? ask(month) : []
    }

    // MARK: Conversations

    mutating func show(_ thread: MessageThread) {
        guard thread.page.messages.count > 1 else {
            note = "the message has no replies"
            return
        }
        var pane = Pane(look: look(), height: paneHeight)
        var window = thread.page
        // Between the messages of a conversation are those of others; their gaps belong to the room.
        window.gaps = []
        pane.show(HistoryWindow(window))
        pane.toStart()
        mode = .conversation(pane)
    }

    mutating func pressInConversation(_ key: ReaderKey, _ pane: Pane) -> [ReaderEffect] {
        var pane = pane
        switch key {
        case .down, .character("j"): pane.moveSelection(1)
        case .up, .character("k"): pane.moveSelection(-1)
        case .wheelDown: pane.scroll(by: 3)
        case .wheelUp: pane.scroll(by: -3)
        case .pageDown, .character(" "): pane.page(1)
        case .pageUp, .character("b"): pane.page(-1)
        case .home: pane.toStart()
        case .end: pane.toEnd()
        case .enter:
            mode = .reading
            guard let message = pane.selectedRow?.message else { return [] }
            return open(RoomKey(account: message.account, id: message.roomID), .around(message.id))
        default:
            mode = .reading
            return []
        }
        mode = .conversation(pane)
        return []
    }
}
