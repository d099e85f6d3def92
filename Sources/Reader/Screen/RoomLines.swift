import ChatModel
import Rendering

/// The lines of the list of rooms.
struct RoomLines {
    private let rooms: RoomList
    /// The shown room.
    private let room: RoomKey?
    private let size: ScreenSize
    private let time: LocalTime

    init(model: ReaderModel) {
        (rooms, room, size) = (model.rooms, model.shown.key, model.size)
        time = LocalTime(zone: model.settings.zone)
    }

    /// Returns the lines of the list beside the history: each account, and its rooms below it.
    ///
    /// - Parameter height: The lines of the screen.
    func sidebar(_ height: Int) -> [ScreenLine] {
        var (lines, current) = ([ScreenLine](), 0)
        var account: String?
        // Of thousands of rooms, only those near the shown one are drawn.
        let all = rooms.rooms
        let index = rooms.index(of: room)
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
        let end = size.sidebar - 2
        var line = ScreenLine(number < 9 ? "\(number + 1)" : " ", .dim)
        let name = DisplayWidth.cut(RoomList.name(of: each), to: end - 2 - (unread.map { $0.count + 1 } ?? 0))
        let style: CellStyle = each.key == room ? .reversed : unread == nil ? .plain : .bold
        line.add(name, at: 2, style)
        if let unread { line.add(unread, at: max(line.width, end - unread.count), .bold) }
        return line
    }

    /// The lines of an empty list.
    private var nothing: [ScreenLine] {
        guard rooms.rooms.isEmpty else { return [ScreenLine("no room has that in its name", .dim)] }
        let skipped = SkippedAccountsText.lines(rooms.skipped, takesCold: true)
        let lines = skipped.isEmpty ? ["the archive has no messages"] : skipped
        return lines.flatMap { TextWrap.lines(of: $0, width: size.paneColumns) }.map { ScreenLine($0, .dim) }
    }

    /// Returns the lines of the rooms to choose from.
    func choice(_ chooser: RoomChooser) -> [ScreenLine] {
        let (found, selected) = (rooms.matching(chooser.input.text), chooser.selected)
        guard !found.isEmpty else { return nothing }
        let top = max(0, min(selected - size.paneHeight / 2, found.count - size.paneHeight))
        return found.enumerated().dropFirst(top).prefix(size.paneHeight).map { index, each in
            var line = ScreenLine(
                "\(Sanitizer.line(each.account))/\(RoomList.name(of: each))", index == selected ? .reversed : .plain)
            let facts = "\(each.messages.grouped)  \(each.lastMessage.map { time.day($0.time) } ?? "")"
            let column = size.paneColumns - 1 - DisplayWidth.of(facts)
            if column > line.width + 1 { line.add(facts, at: column, .dim) }
            return line.cut(to: size.paneColumns)
        }
    }
}
