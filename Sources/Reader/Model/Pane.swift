import ChatModel
import Rendering

/// A list of messages and gaps that scrolls: the loaded rows, the visible part, and the selected row.
struct Pane: Sendable {
    /// The way in which rows are shown.
    struct Look: Sendable {
        var layout: RowLayout
        /// True to show consecutive joins and leaves as one line.
        var folds = true
        /// The line above the first unread message, and the last message that was read; nil for none.
        var unread: (separator: ReadSeparator, marker: MessageID)?
    }

    private(set) var window = HistoryWindow()
    private(set) var rows: [PaneRow] = []
    /// The first line of each row, and after them the number of all lines.
    private(set) var starts: [Int] = [0]
    /// The line at the top of the pane.
    var top = 0
    /// The index of the selected row; 0 without rows.
    var selected = 0
    /// The lines of the pane.
    private(set) var height: Int
    private(set) var look: Look

    init(look: Look, height: Int) { (self.look, self.height) = (look, max(1, height)) }

    /// The number of all lines.
    var total: Int { starts[rows.count] }
    var lastTop: Int { max(0, total - height) }
    var selectedRow: PaneRow? { rows.indices.contains(selected) ? rows[selected] : nil }
    var topRow: PaneRow? { rows.isEmpty ? nil : rows[row(at: top)] }
    /// The first message that is visible; nil if there is none.
    var topMessage: Message? { rows.isEmpty ? nil : rows[row(at: top)...].lazy.compactMap(\.message).first }
    /// True if the newest line of the history is visible.
    var isAtEnd: Bool { window.newer == nil && top >= lastTop }

    /// The cursor of the messages to load above, when the visible part is near the first row; nil for none.
    var wantedOlder: MessageID? { top < 2 * height ? window.older : nil }
    /// The cursor of the messages to load below, when the visible part is near the last row; nil for none.
    var wantedNewer: MessageID? { top > total - 3 * height ? window.newer : nil }

    /// The visible lines, from top to bottom, and true for those of the selected row.
    var visible: [(line: ScreenLine, isSelected: Bool)] {
        guard !rows.isEmpty else { return [] }
        var (lines, index) = ([(line: ScreenLine, isSelected: Bool)](), row(at: top))
        var skipped = top - starts[index]
        while index < rows.count, lines.count < height {
            for (number, line) in rows[index].lines.enumerated().dropFirst(skipped) where lines.count < height {
                var line = line
                let isFirst = index == selected && (number == 0 || lines.isEmpty)
                if isFirst { line.reverseFirst() }
                lines.append((line, index == selected))
            }
            (index, skipped) = (index + 1, 0)
        }
        return lines
    }

    /// Returns the row that contains a line.
    private func row(at line: Int) -> Int {
        var (low, high) = (0, rows.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= line { low = middle } else { high = middle }
        }
        return low
    }
}

/// Loading.
extension Pane {
    /// Replaces everything, with the newest line at the bottom.
    mutating func show(_ window: HistoryWindow) {
        self.window = window
        layOut(reusing: [:])
        toEnd()
    }

    /// Adds earlier rows above the visible ones, which stay; a history that is shorter than the pane stays at its bottom.
    mutating func prepend(_ page: Page) {
        let isShort = total <= height
        change { $0.prepend(page) }
        if isShort { top = lastTop }
    }

    mutating func append(_ page: Page) { change { $0.append(page) } }

    /// Replaces the messages by the same ones, read again. At the end of the history, the newest line stays at the bottom.
    mutating func refresh(_ page: Page) {
        let (isFollowing, wasLast) = (isAtEnd, selected == lastSelectable)
        change { $0.refresh(page) }
        guard isFollowing else { return }
        top = lastTop
        if wasLast { selected = lastSelectable ?? 0 }
        keepSelectionVisible()
    }

    /// Changes the look, such as the width, and keeps the place.
    mutating func change(look: Look, height: Int) {
        let wasAtEnd = isAtEnd
        let isSame = self.look.layout.columns == look.layout.columns
        self.height = max(1, height)
        self.look = look
        if isSame { change { _ in } } else { keepingPlace { $0.layOut(reusing: [:]) } }
        if wasAtEnd { top = lastTop }
        keepSelectionVisible()
    }

    /// Breaks all rows into lines again, because what they show has changed.
    mutating func repaint() { keepingPlace { $0.layOut(reusing: [:]) } }

    private mutating func change(_ body: (inout HistoryWindow) -> Void) {
        body(&window)
        let known = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        keepingPlace { $0.layOut(reusing: known) }
    }

    /// Calls the body, and shows the same row at the top and selects the same row, or the next one in time.
    private mutating func keepingPlace(_ body: (inout Pane) -> Void) {
        let (first, chosen) = (topRow, selectedRow)
        let offset = rows.isEmpty ? 0 : top - starts[row(at: top)]
        body(&self)
        if let chosen { selected = index(of: chosen) }
        guard let first else { return }
        let index = index(of: first)
        let lines = rows.indices.contains(index) ? rows[index].lines.count : 1
        top = min(max(0, starts[min(index, rows.count)] + min(offset, lines - 1)), lastTop)
    }

    /// Returns the place of a row, or of the first row that is not earlier.
    private func index(of row: PaneRow) -> Int {
        if let same = rows.firstIndex(where: { $0.id == row.id }) { return same }
        return rows.firstIndex { $0.time >= row.time && $0.isSelectable } ?? max(0, rows.count - 1)
    }

    /// Makes the rows of the window.
    ///
    /// - Parameter known: Rows whose lines are taken over if they show the same.
    private mutating func layOut(reusing known: [PaneRow.ID: PaneRow]) {
        let time = look.layout.time
        var separator = separator
        let contents = TextRow.rows(window.messages, gaps: window.gaps, separator: &separator, folds: look.folds) {
            time.day($0.time)
        }
        rows = []
        var day: String?
        var days = DayNames(time)
        for (index, content) in contents.enumerated() {
            // The separator has the time of what follows it.
            let instant = contents[index...].lazy.compactMap(Self.time).first ?? rows.last?.time ?? look.layout.now
            let isMessage =
                if case .message = content { true } else if case .memberships = content { true } else { false }
            let own = isMessage || day == nil ? days.name(of: instant) : day ?? ""
            if own != day {
                day = own
                rows.append(
                    PaneRow(
                        id: .day(own), time: instant, day: own, content: nil, lines: look.layout.heading(of: instant)))
            }
            let id = PaneRow.id(of: content)
            if let old = known[id], old.content == content, old.day == own, old.gap?.to != nil || old.gap == nil {
                rows.append(old)
                continue
            }
            let lines = look.layout.lines(content, shownDay: own)
            rows.append(PaneRow(id: id, time: instant, day: own, content: content, lines: lines))
        }
        starts = rows.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.lines.count) }
        selected = min(selected, max(0, rows.count - 1))
        top = min(top, lastTop)
    }

    /// The line above the first unread message, if the message before it is loaded or there is none.
    private var separator: ReadSeparator? {
        guard let unread = look.unread, let first = window.messages.first else { return nil }
        return window.older == nil || first.id <= unread.marker ? unread.separator : nil
    }

    private static func time(of content: TextRow) -> Timestamp? {
        switch content {
        case .message(let message): message.time
        case .memberships(let messages): messages.first?.time
        case .gap(let gap): gap.shownFrom
        case .separator: nil
        }
    }
}

/// The local days of instants, most of which are on the day of the one before.
private struct DayNames {
    private let time: LocalTime
    private var last: (span: Range<Timestamp>, name: String)?

    init(_ time: LocalTime) { self.time = time }

    mutating func name(of instant: Timestamp) -> String {
        if let last, last.span.contains(instant) { return last.name }
        let day = CivilDay(containing: instant, in: time.zone)
        last = (day.span, day.name)
        return day.name
    }
}
