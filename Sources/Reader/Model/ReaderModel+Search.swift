import ChatModel
import Rendering

/// Searching.
extension ReaderModel {
    /// Begins to type a search.
    mutating func beginTyping() -> [ReaderEffect] {
        if shown.key != nil { mode = .searching(LineInput()) }
        return []
    }

    /// Handles a key while a query is typed.
    mutating func pressInSearch(_ key: ReaderKey, _ input: LineInput) -> [ReaderEffect] {
        switch key {
        case .escape, .control("c"): return leaveSearch()
        case .enter:
            guard search?.isAnswered == false else { return openHit() }
            search?.openLater()
            return []
        case .tab: return searchAgain(isWider: true)
        default:
            if search?.press(key) == true { return moreHits() }
            var input = input
            guard input.press(key) else { return [] }
            mode = .searching(input)
            return searchAgain()
        }
    }

    /// Returns the questions for the typed query.
    ///
    /// - Parameter isWider: True to search the account instead of the room, or the next wider place.
    mutating func searchAgain(isWider: Bool = false) -> [ReaderEffect] {
        guard case .searching(let input) = mode, let room = shown.key else { return [] }
        var scope = search?.search.scope ?? .room(room)
        if isWider { scope = scope.next(in: room) }
        let wanted = ReaderRequest.Search(
            text: input.text, scope: scope, hidden: shown.choice.hidden, names: shown.choice.names)
        if search == nil {
            let pane = Pane(look: settings.look(size, showsRooms: true), height: size.paneHeight)
            search = FoundHits(search: wanted, pane: pane, origin: shown.place)
        }
        return search?.begin(wanted, limit: size.pageLimit) ?? []
    }

    /// Takes the newest hits, or older ones.
    mutating func found(
        _ wanted: ReaderRequest.Search, before cursor: MessageID?, _ page: Page, notes: String
    ) -> [ReaderEffect] {
        guard let hits = search, hits.search == wanted else { return [] }
        let look = settings.look(size, matches: hits.matches, showsRooms: hits.showsRooms)
        switch search?.take(page, before: cursor, notes: notes, look: look) {
        case .open: return openHit()
        case .step: return step(isOlder: true)
        case .nothing, nil: return []
        }
    }

    /// Opens the next older hit, or the next newer one.
    mutating func step(isOlder: Bool) -> [ReaderEffect] {
        switch search?.step(isOlder: isOlder, limit: size.pageLimit) {
        case .open: return openHit() + moreHits()
        case .ask(let request): return [.ask(request)]
        case .end: note = isOlder ? "no older hit" : "no newer hit"
        case nil: note = "no search; / begins one"
        }
        return []
    }

    /// Ends the search, and returns to the place where it began.
    mutating func leaveSearch() -> [ReaderEffect] {
        let origin = search?.origin
        search = nil
        mode = .reading
        layOut()
        guard let origin, shown.place != origin else { return [] }
        return shown.open(origin.room, origin.message.map { .from($0) } ?? .latest)
    }

    private func moreHits() -> [ReaderEffect] { search?.more(limit: size.pageLimit) ?? [] }

    /// Opens the place of the selected hit.
    private mutating func openHit() -> [ReaderEffect] {
        guard let hit = search?.selected else { return [] }
        mode = .reading
        layOut()
        return shown.open(RoomKey(account: hit.account, id: hit.roomID), .around(hit.id))
    }
}
