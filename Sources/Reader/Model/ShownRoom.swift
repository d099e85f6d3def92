import ChatModel
import Rendering

/// The room on the screen: its loaded messages, the place in them, and the pages that are being read.
struct ShownRoom: Sendable {
    /// The room; nil before the first one.
    private(set) var key: RoomKey?
    /// Facts of the room; nil until they are read.
    private(set) var state: RoomState?
    private(set) var history: Pane
    /// The messages to read, and how many at once.
    var choice: ReaderRequest.Choice
    /// The last message of the room when its end was visible; nil if that is unknown.
    private var newest: MessageID?
    /// The number of messages after ``newest`` that are not loaded, and true if there are more.
    private var unloaded = (count: 0, hasMore: false)
    /// The request for a place that has no answer yet.
    private(set) var opening: ReaderRequest?
    /// The directions in which pages are being read; true for older ones.
    private var extending: Set<Bool> = []
    /// True if the archive changed while a place was being read.
    private var missesChange = false

    init(history: Pane, choice: ReaderRequest.Choice) { (self.history, self.choice) = (history, choice) }

    /// The place to which Escape returns; nil before the first room.
    var place: FoundHits.Origin? {
        key.map { FoundHits.Origin(room: $0, message: history.isAtEnd ? nil : history.topMessage?.id) }
    }

    /// The number of new messages below, such as `12` or `99+`; nil for none.
    var newBelow: String? {
        guard let newest, !history.isAtEnd else { return nil }
        let loaded = history.window.messages.count { $0.id > newest && !$0.kind.isNoise }
        let count = history.window.newer == nil ? loaded : unloaded.count
        guard count > 0 else { return nil }
        return "\(count)\(history.window.newer != nil && unloaded.hasMore ? "+" : "")"
    }

    /// Returns the command that opens the present place.
    ///
    /// - Parameter options: The options to repeat.
    func command(among rooms: RoomList, options: [String]) -> String {
        guard let key else { return NextCommand.line(["read"] + options) }
        let name = state?.room.name ?? rooms.room(key)?.name
        let row = history.isAtEnd ? nil : history.selectedRow
        let around = row.map { ["--around", ($0.message?.id ?? MessageID($0.time)).description] } ?? []
        return NextCommand.line(["read", "\(key.account)/\(name ?? String(key.id))"] + around + options)
    }

    /// Breaks the messages into lines again, for another size or look.
    mutating func change(look: Pane.Look, height: Int) {
        var own = look
        own.unread = state?.unread.flatMap { $0.firstUnread == nil ? nil : (ReadSeparator($0), $0.marker) }
        history.change(look: own, height: height)
    }
}

/// Questions.
extension ShownRoom {
    /// Returns the question for a place in a room.
    mutating func open(_ key: RoomKey, _ place: ReaderRequest.Place) -> [ReaderEffect] {
        let request = ReaderRequest.open(key, place, choice)
        opening = request
        extending = []
        return [.ask(request)]
    }

    /// Opens the same place again, because other messages or names are shown.
    mutating func reopen() -> [ReaderEffect] {
        guard let key else { return [] }
        guard !history.isAtEnd, let message = history.selectedRow?.message else { return open(key, .latest) }
        return open(key, .around(message.id))
    }

    /// Returns the questions for the pages that the visible part comes near to.
    mutating func extend() -> [ReaderEffect] {
        guard let key, opening == nil else { return [] }
        var effects: [ReaderEffect] = []
        if let cursor = history.wantedOlder, extending.insert(true).inserted {
            effects.append(.ask(.extend(key, isOlder: true, cursor, choice)))
        }
        if let cursor = history.wantedNewer, extending.insert(false).inserted {
            effects.append(.ask(.extend(key, isOlder: false, cursor, choice)))
        }
        return effects
    }

    /// Returns the questions after the archive's files changed.
    mutating func changed() -> [ReaderEffect] {
        guard let key, opening == nil else {
            // The page that is being read may lack the change.
            missesChange = opening != nil
            return key == nil ? [.ask(.rooms)] : []
        }
        let window = history.window
        let first = window.messages.first?.id
        var effects: [ReaderEffect] = [.ask(.refresh(key, from: first, count: window.messages.count, choice))]
        if window.newer != nil, let newest { effects.append(.ask(.new(key, after: newest, choice))) }
        return effects
    }

    /// Returns the question for the nearest day with messages before the present one, or after it.
    func nextDay(isLater: Bool, zone: Zone) -> [ReaderEffect] {
        guard let key, let time = (history.topRow ?? history.selectedRow)?.time else { return [] }
        return [.ask(.day(key, isLater: isLater, from: CivilDay(containing: time, in: zone)))]
    }

    /// Returns the question for the nearest gap.
    func nextGap(isLater: Bool) -> [ReaderEffect] {
        guard let key, let row = history.selectedRow else { return [] }
        return [.ask(.gap(key, isLater: isLater, from: row.gap?.from ?? row.time))]
    }
}

/// Answers.
extension ShownRoom {
    /// Makes a room the shown one, before its page is shown.
    ///
    /// - Returns: True if another one was shown.
    mutating func enter(_ key: RoomKey) -> Bool {
        opening = nil
        guard self.key != key else { return false }
        (self.key, state, newest, unloaded) = (key, nil, nil, (0, false))
        return true
    }

    /// Shows the page of a place of the room.
    mutating func show(_ page: Page, at place: ReaderRequest.Place) {
        history.show(HistoryWindow(page))
        switch place {
        case .latest: break
        case .oldest: history.toStart()
        case .around(let id): history.select(id, account: key?.account)
        case .from(let id): history.select(id, account: key?.account, isAtTop: true)
        case .gap(let time): history.selectGap(from: time)
        }
        noteEnd()
    }

    /// Returns the questions for a change that the shown page may lack.
    mutating func missedChange() -> [ReaderEffect] {
        guard missesChange else { return [] }
        missesChange = false
        return changed()
    }

    /// Takes a page before or after the loaded ones.
    mutating func extended(_ key: RoomKey, isOlder: Bool, _ cursor: MessageID, _ page: Page) -> [ReaderEffect] {
        extending.remove(isOlder)
        guard key == self.key, cursor == (isOlder ? history.window.older : history.window.newer) else { return [] }
        if isOlder { history.prepend(page) } else { history.append(page) }
        noteEnd()
        // A page of damaged messages alone moves the cursor only.
        return extend()
    }

    /// Takes the loaded messages, read again.
    mutating func refreshed(_ key: RoomKey, from first: MessageID?, _ page: Page) -> [ReaderEffect] {
        guard key == self.key, opening == nil else { return [] }
        guard first == history.window.messages.first?.id else { return changed() }
        history.refresh(page)
        noteEnd()
        return extend()
    }

    /// Takes facts of the room. Ignores those of another one.
    mutating func take(_ found: RoomState, of key: RoomKey) {
        guard key == self.key else { return }
        state = found
        // While the end was not visible, only this says where it was.
        if newest == nil, !history.isAtEnd { newest = found.room.lastMessage }
    }

    /// Takes the number of messages after an id. Ignores that of another end.
    mutating func take(new count: Int, hasMore: Bool, after id: MessageID, in key: RoomKey) {
        if key == self.key, id == newest { unloaded = (count, hasMore) }
    }

    /// Notes that a question has no answer, so that it can be asked again.
    mutating func failed(_ request: ReaderRequest) {
        if case .extend(_, let isOlder, _, _) = request { extending.remove(isOlder) }
        if request == opening { opening = nil }
    }

    /// Notes the newest message while the end of the room is visible.
    private mutating func noteEnd() {
        guard history.isAtEnd else { return }
        newest = history.window.messages.last?.id ?? newest
        unloaded = (0, false)
    }
}

/// Moving.
extension ShownRoom {
    /// Moves by a key.
    ///
    /// - Returns: The questions for further pages; nil for a key that does not move.
    mutating func press(_ key: ReaderKey) -> [ReaderEffect]? {
        switch key {
        case .home: return toStart()
        case .end, .character("G"): return toEnd()
        default: guard history.press(key) else { return nil }
        }
        noteEnd()
        return extend()
    }

    private mutating func toStart() -> [ReaderEffect] {
        guard let key else { return [] }
        guard history.window.older == nil else { return open(key, .oldest) }
        history.toStart()
        noteEnd()
        return extend()
    }

    private mutating func toEnd() -> [ReaderEffect] {
        guard let key else { return [] }
        guard history.window.newer == nil else { return open(key, .latest) }
        history.toEnd()
        noteEnd()
        return extend()
    }
}
