import ChatModel

/// Moving.
extension Pane {
    /// Moves by a key.
    ///
    /// - Parameter takesLetters: False while letters are typed.
    /// - Returns: False for a key that does not move.
    mutating func press(_ key: ReaderKey, takesLetters: Bool = true) -> Bool {
        switch key {
        case .pageDown: page(1)
        case .pageUp: page(-1)
        case .down: moveSelection(1)
        case .up: moveSelection(-1)
        case .wheelDown: scroll(by: 3)
        case .wheelUp: scroll(by: -3)
        case .character(" ") where takesLetters: page(1)
        case .character("b") where takesLetters: page(-1)
        case .character("j") where takesLetters: moveSelection(1)
        case .character("k") where takesLetters: moveSelection(-1)
        default: return false
        }
        return true
    }

    /// Scrolls by lines; a negative number towards older ones. The selection stays visible.
    mutating func scroll(by lines: Int) {
        top = min(max(0, top + lines), lastTop)
        keepSelectionVisible()
    }

    /// Scrolls by a page less a line; the selection moves to the edge that it comes from.
    ///
    /// - Returns: False if nothing moved.
    @discardableResult
    mutating func page(_ pages: Int) -> Bool {
        let old = (top, selected)
        top = min(max(0, top + pages * max(1, height - 1)), lastTop)
        if top == old.0 {
            selected = (pages < 0 ? firstSelectable : lastSelectable) ?? selected
        } else {
            keepSelectionVisible()
        }
        return old != (top, selected)
    }

    /// Selects the next message or gap; a negative number the one before. Scrolls within a text that is longer than the
    /// pane.
    ///
    /// - Returns: False if there is none.
    @discardableResult
    mutating func moveSelection(_ step: Int) -> Bool {
        guard rows.indices.contains(selected) else { return false }
        let (start, end) = (starts[selected], starts[selected + 1])
        if step > 0, end > top + height, start <= top {
            top += 1
            return true
        }
        if step < 0, start < top, end >= top + height {
            top -= 1
            return true
        }
        let found =
            step > 0
            ? rows.indices.dropFirst(selected + 1).first { rows[$0].isSelectable }
            : rows.indices.prefix(selected).last { rows[$0].isSelectable }
        guard let found else { return false }
        selected = found
        showSelection()
        // A long text is read from its end on upwards.
        if step < 0 { top = max(top, min(lastTop, starts[found + 1] - height)) }
        return true
    }

    mutating func toEnd() {
        top = lastTop
        selected = lastSelectable ?? 0
    }

    mutating func toStart() {
        top = 0
        selected = firstSelectable ?? 0
    }

    /// Selects a message, or the first row from its time on.
    ///
    /// - Parameter isAtTop: True to show it at the top, below the heading of its day; false to show it in the middle.
    mutating func select(_ id: MessageID, account: String?, isAtTop: Bool = false) {
        let exact = rows.firstIndex { row in
            guard case .message(let owner, let own) = row.id else { return false }
            return own == id && account.map { $0 == owner } ?? true
        }
        // A join or leave may be within a row of several.
        let near = rows.firstIndex { $0.isSelectable && $0.message.map { $0.id >= id } ?? ($0.time >= id.time) }
        guard let index = exact ?? near ?? lastSelectable else { return }
        selected = index
        let hasHeading = index > 0 && rows[index - 1].content == nil
        let start = starts[index] - (hasHeading && isAtTop ? 1 : 0)
        top = min(max(0, isAtTop ? start : start - height / 3), lastTop)
        showSelection()
    }

    /// Selects the first gap from a time on, or the last one before it.
    mutating func selectGap(from time: Timestamp) {
        guard let index = rows.firstIndex(where: { $0.gap.map { $0.from >= time } ?? false }) else {
            return select(MessageID(time), account: nil)
        }
        selected = index
        top = min(max(0, starts[index] - height / 3), lastTop)
    }

    var firstSelectable: Int? { rows.firstIndex(where: \.isSelectable) }
    var lastSelectable: Int? { rows.lastIndex(where: \.isSelectable) }

    /// Scrolls until the selected row is visible, or its beginning if it is longer than the pane.
    private mutating func showSelection() {
        guard rows.indices.contains(selected) else { return }
        let (start, end) = (starts[selected], starts[selected + 1])
        if end > top + height { top = min(start, end - height) }
        if start < top { top = start }
        // The heading of the day and other lines without a message can't be selected.
        if selected == firstSelectable { top = min(top, max(0, end - height)) }
        top = min(max(0, top), lastTop)
    }

    /// Selects the nearest visible row if the selected one is not visible.
    mutating func keepSelectionVisible() {
        guard rows.indices.contains(selected) else { return }
        let isAbove = starts[selected + 1] <= top
        guard isAbove || starts[selected] >= top + height else { return }
        let visible = rows.indices.filter { rows[$0].isSelectable && starts[$0 + 1] > top && starts[$0] < top + height }
        selected = (isAbove ? visible.first : visible.last) ?? selected
    }
}
