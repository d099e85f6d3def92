import ChatModel
import Rendering

/// The list of rooms and the month on the screen.
extension ReaderModel {
    /// Returns the lines of the list beside the history: each account, and its rooms below it.
    ///
    /// - Parameter height: The lines of the screen.
    func sidebarLines(_ height: Int) -> [ScreenLine] {
        var (lines, current) = ([ScreenLine](), 0)
        var account: String?
        // Of thousands of rooms, only those near the shown one are drawn.
        let all = rooms.rooms
        let index = all.firstIndex { $0.key == room } ?? 0
        let start = max(0, min(index - height, all.count - 2 * height))
        for (number, each) in all.enumerated().dropFirst(start).prefix(2 * height + 1) {
            if each.account != account {
                account = each.account
                lines.append(ScreenLine(" " + Sanitizer.line(each.account), .bold))
            }
            if number == index { current = lines.count }
            lines.append(sidebarLine(each, number: number))
        }
        let top = max(0, min(current - height / 2, lines.count - height))
        return Array(lines.dropFirst(top).prefix(height))
    }

    private func sidebarLine(_ each: Room, number: Int) -> ScreenLine {
        let unread = rooms.unread(in: each.key).flatMap { $0.count > 0 ? "\($0.count)\($0.hasMore ? "+" : "")" : nil }
        let end = sidebar - 2
        var line = ScreenLine(number < 9 ? "\(number + 1)" : " ", .dim)
        let name = DisplayWidth.cut(RoomList.name(of: each), to: end - 2 - (unread.map { $0.count + 1 } ?? 0))
        let style: CellStyle = each.key == room ? .reversed : unread == nil ? .plain : .bold
        line.add(name, at: 2, style)
        if let unread { line.add(unread, at: max(line.width, end - unread.count), .bold) }
        return line
    }

    /// Returns the lines of the rooms to choose from.
    func roomLines(_ found: [Room], _ selected: Int) -> [ScreenLine] {
        guard !found.isEmpty else {
            return [
                ScreenLine(rooms.rooms.isEmpty ? "the archive has no messages" : "no room has that in its name", .dim)
            ]
        }
        let top = max(0, min(selected - paneHeight / 2, found.count - paneHeight))
        let time = LocalTime(zone: settings.zone)
        return found.enumerated().dropFirst(top).prefix(paneHeight).map { index, each in
            var line = ScreenLine(
                "\(Sanitizer.line(each.account))/\(RoomList.name(of: each))", index == selected ? .reversed : .plain)
            let facts = "\(each.messages.grouped)  \(each.lastMessage.map { time.day($0.time) } ?? "")"
            let column = paneColumns - 1 - DisplayWidth.of(facts)
            if column > line.width + 1 { line.add(facts, at: column, .dim) }
            return line.cut(to: paneColumns)
        }
    }

    /// Returns a calendar of the month with the number of messages of each day.
    func monthLines(_ month: MonthView) -> [ScreenLine] {
        let width = max(3, min(11, paneColumns / 7))
        var heading = ScreenLine()
        for (index, name) in ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"].enumerated() {
            heading.add(name, at: index * width, .dim)
        }
        var (lines, line, column) = ([heading], ScreenLine(), month.firstWeekday)
        for (offset, day) in month.days.enumerated() {
            let count = month.count(day)
            var style: CellStyle = count?.messages ?? 0 > 0 ? .bold : .dim
            style.isReversed = day == month.selected
            line.add(DisplayWidth.pad("\(offset + 1)", to: 2, .right), at: column * width, style)
            let number = count.flatMap { $0.messages > 0 ? Self.short($0.messages, to: width - 4) : nil } ?? ""
            line.add(number, at: line.width + 1, .dim)
            column += 1
            if column == 7 {
                lines.append(line)
                (line, column) = (ScreenLine(), 0)
            }
        }
        if column > 0 { lines.append(line) }
        return (lines + [ScreenLine(), ScreenLine(dayText(month), .plain)]).map { $0.cut(to: paneColumns) }
    }

    /// Returns the number of messages of the selected day in words.
    private func dayText(_ month: MonthView) -> String {
        let day = CivilDay.name(of: month.selected)
        guard let count = month.count(month.selected) else { return day }
        let complete = count.isComplete == true ? "complete" : count.isComplete == false ? "not complete" : "so far"
        return "\(day): \(Int(count.messages).of(.message)), \(complete)"
    }

    /// Returns a number that fits the cells, such as `1,204`, `12k` or `3M`; empty if none fits.
    private static func short(_ number: Int64, to width: Int) -> String {
        let forms = [number.grouped, "\(number)", "\(number / 1000)k", "\(number / 1_000_000)M"]
        return forms.first { $0.count <= width && !$0.hasPrefix("0") } ?? ""
    }
}
