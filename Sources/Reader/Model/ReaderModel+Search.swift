import ChatModel
import Rendering

/// Searching.
extension ReaderModel {
    /// Begins to type a search, with the last query.
    mutating func beginTyping() -> [ReaderEffect] {
        guard room != nil else { return [] }
        mode = .searching(LineInput())
        return []
    }

    /// Returns the questions for the typed query.
    mutating func searchAgain(scope: ReaderRequest.Search.Scope? = nil) -> [ReaderEffect] {
        guard case .searching(let input) = mode, let room else { return [] }
        let origin = search?.origin ?? presentPlace
        let scope = scope ?? search?.search.scope ?? .room(room)
        let wanted = ReaderRequest.Search(text: input.text, scope: scope, hidden: hidden, names: names)
        guard !input.text.allSatisfy({ $0 == " " }) else {
            search = FoundHits(search: wanted, pane: emptyHits, origin: origin)
            search?.isAnswered = true
            return []
        }
        if search == nil { search = FoundHits(search: wanted, pane: emptyHits, origin: origin) }
        search?.search = wanted
        search?.isStepping = false
        search?.isOpening = false
        search?.isAnswered = false
        search?.forgetCounts()
        return [.ask(.hits(wanted, before: nil, limit: pageLimit)), .ask(.years(wanted))]
    }

    private var emptyHits: Pane { Pane(look: look(showsRooms: true), height: paneHeight) }

    private var presentPlace: FoundHits.Origin? {
        room.map { FoundHits.Origin(room: $0, message: history.isAtEnd ? nil : history.topMessage?.id) }
    }

    /// Takes the newest hits, or older ones.
    mutating func found(
        _ wanted: ReaderRequest.Search, before cursor: MessageID?, _ page: Page, notes: String
    ) -> [ReaderEffect] {
        guard var search, search.search == wanted else { return [] }
        search.note = notes.isEmpty ? nil : notes
        if cursor == nil {
            search.pane.change(
                look: look(matches: search.matches, showsRooms: search.showsRooms), height: paneHeight)
            search.take(page)
        } else {
            guard cursor == search.pane.window.older else { return [] }
            search.takeOlder(page)
        }
        let (steps, opens) = (search.isStepping, search.isOpening)
        (search.isStepping, search.isOpening) = (false, false)
        self.search = search
        if opens { return openHit() }
        return steps ? step(isOlder: true) : []
    }

    /// Handles a key while a query is typed.
    mutating func pressInSearch(_ key: ReaderKey, _ input: LineInput) -> [ReaderEffect] {
        switch key {
        case .escape, .control("c"): return leaveSearch()
        case .enter:
            guard search?.isAnswered == false else { return openHit() }
            // The hits on the screen are those of an earlier text.
            search?.isOpening = true
            return []
        case .tab: return searchAgain(scope: nextScope)
        case .up: search?.pane.moveSelection(-1)
        case .down: search?.pane.moveSelection(1)
        case .pageUp: search?.pane.page(-1)
        case .pageDown: search?.pane.page(1)
        case .wheelUp: search?.pane.scroll(by: -3)
        case .wheelDown: search?.pane.scroll(by: 3)
        default:
            var input = input
            guard input.press(key) else { return [] }
            mode = .searching(input)
            return searchAgain()
        }
        return moreHits()
    }

    /// Returns the question for older hits when the visible part is near the oldest one.
    func moreHits() -> [ReaderEffect] {
        guard let search, let cursor = search.pane.wantedOlder else { return [] }
        return [.ask(.hits(search.search, before: cursor, limit: pageLimit))]
    }

    /// The next place to search: the room, its account, everything, and the room again.
    private var nextScope: ReaderRequest.Search.Scope? {
        guard let room else { return nil }
        return switch search?.search.scope ?? .room(room) {
        case .room: .account(room.account)
        case .account: .everything
        case .everything: .room(room)
        }
    }

    /// Opens the place of the selected hit.
    mutating func openHit() -> [ReaderEffect] {
        guard let hit = search?.selected else { return [] }
        mode = .reading
        layOut()
        return open(RoomKey(account: hit.account, id: hit.roomID), .around(hit.id))
    }

    /// Opens the next older hit, or the next newer one.
    mutating func step(isOlder: Bool) -> [ReaderEffect] {
        guard search != nil else {
            note = "no search; / begins one"
            return []
        }
        if search?.pane.moveSelection(isOlder ? -1 : 1) == true {
            // A text longer than the screen is scrolled first, which is not a step here.
            return openHit() + moreHits()
        }
        guard isOlder, let cursor = search?.pane.window.older, let wanted = search?.search else {
            note = isOlder ? "no older hit" : "no newer hit"
            return []
        }
        search?.isStepping = true
        return [.ask(.hits(wanted, before: cursor, limit: pageLimit))]
    }

    /// Ends the search, and returns to the place where it began.
    mutating func leaveSearch() -> [ReaderEffect] {
        let origin = search?.origin
        search = nil
        mode = .reading
        layOut()
        guard let origin else { return [] }
        guard presentPlace != origin else { return [] }
        return open(origin.room, origin.message.map { .from($0) } ?? .latest)
    }
}
