import ChatModel

/// The choice of a room by a part of its name.
struct RoomChooser: Sendable, Hashable {
    private(set) var input = LineInput()
    /// The index of the selected room among those that match.
    private(set) var selected: Int

    /// The result of a key.
    enum Result: Sendable, Hashable {
        case stay, cancel, quit
        case open(RoomKey)
        /// A room by its number in the list, from 1 on.
        case openNumber(Unicode.Scalar)
    }

    init(selected: Int = 0) { self.selected = selected }

    /// Handles a key.
    ///
    /// - Parameters:
    ///   - rooms: The rooms to choose from.
    ///   - canReturn: True if a room is shown, to which Escape returns; else it quits.
    ///   - page: The number of rooms on the screen.
    mutating func press(_ key: ReaderKey, in rooms: RoomList, canReturn: Bool, page: Int) -> Result {
        let found = rooms.matching(input.text)
        switch key {
        case .escape: return canReturn ? .cancel : .quit
        case .control("c"): return .quit
        case .up, .wheelUp: move(-1, found.count)
        case .down, .wheelDown, .tab: move(1, found.count)
        case .pageUp: move(-page, found.count)
        case .pageDown: move(page, found.count)
        case .home: move(-found.count, found.count)
        case .end: move(found.count, found.count)
        case .alt(let digit): return .openNumber(digit)
        case .enter: return found.indices.contains(selected) ? .open(found[selected].key) : .stay
        case .character("q") where input.text.isEmpty && !canReturn: return .quit
        default: if input.press(key) { selected = 0 }
        }
        return .stay
    }

    private mutating func move(_ step: Int, _ count: Int) { selected = max(0, min(count - 1, selected + step)) }
}
