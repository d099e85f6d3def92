import ChatModel
import Rendering

/// The list of rooms.
extension ReaderModel {
    /// The rooms whose numbers of unread messages are read: those near the shown one, as many as the screen has lines.
    var shownRooms: [RoomKey] {
        let all = rooms.rooms
        let index = all.firstIndex { $0.key == room } ?? 0
        let start = max(0, min(index - size.rows / 2, all.count - size.rows))
        return all[start..<min(all.count, start + size.rows)].map(\.key)
    }

    mutating func chooseRoom() -> [ReaderEffect] {
        let index = rooms.rooms.firstIndex { $0.key == room } ?? 0
        mode = .choosingRoom(LineInput(), selected: index)
        return [.ask(.rooms)]
    }

    /// Opens the room with a number from 1 to 9.
    mutating func openRoom(number: Unicode.Scalar) -> [ReaderEffect] {
        let index = Int(number.value) - Int(("1" as Unicode.Scalar).value)
        guard (0..<9).contains(index) else { return [] }
        guard rooms.rooms.indices.contains(index) else {
            note = "there is no room \(index + 1)"
            return []
        }
        return open(rooms.rooms[index].key, .latest)
    }

    mutating func pressInRooms(_ key: ReaderKey, _ input: LineInput, _ selected: Int) -> [ReaderEffect] {
        let found = rooms.matching(input.text)
        func moved(_ step: Int) -> ReaderMode {
            .choosingRoom(input, selected: max(0, min(found.count - 1, selected + step)))
        }
        switch key {
        case .escape:
            guard room != nil else { return [.quit] }
            mode = .reading
        case .control("c"): return [.quit]
        case .up, .wheelUp: mode = moved(-1)
        case .down, .wheelDown, .tab: mode = moved(1)
        case .pageUp: mode = moved(-paneHeight)
        case .pageDown: mode = moved(paneHeight)
        case .home: mode = moved(-found.count)
        case .end: mode = moved(found.count)
        case .alt(let digit):
            mode = .reading
            return openRoom(number: digit)
        case .enter:
            guard found.indices.contains(selected) else { return [] }
            mode = .reading
            return open(found[selected].key, .latest)
        case .character("q") where input.text.isEmpty && room == nil: return [.quit]
        default:
            var input = input
            guard input.press(key) else { return [] }
            mode = .choosingRoom(input, selected: 0)
        }
        return []
    }
}
