import ChatModel
import Operations
import Rendering

/// Opening places, and loading what is beside them.
extension ReaderModel {
    /// Returns the question for a place in a room.
    mutating func open(_ key: RoomKey, _ place: ReaderRequest.Place) -> [ReaderEffect] {
        let request = ReaderRequest.open(key, place, choice)
        opening = request
        extending = []
        return [.ask(request)]
    }

    /// Opens the same place again, because other messages or names are shown.
    mutating func reopen() -> [ReaderEffect] {
        guard let room else { return [] }
        guard !history.isAtEnd, let message = history.selectedRow?.message else { return open(room, .latest) }
        return open(room, .around(message.id))
    }

    /// Takes the page of a place.
    mutating func opened(_ key: RoomKey, _ place: ReaderRequest.Place, _ page: Page) -> [ReaderEffect] {
        opening = nil
        let isOther = room != key
        if isOther { (state, newest, unloaded) = (nil, nil, (0, false)) }
        room = key
        layOut()
        history.show(HistoryWindow(page))
        switch place {
        case .latest: break
        case .oldest: history.toStart()
        case .around(let id): history.select(id, account: key.account)
        case .from(let id): history.select(id, account: key.account, isAtTop: true)
        case .gap(let time): history.selectGap(from: time)
        }
        noteEnd()
        var effects = extend() + (isOther ? [.ask(.facts(key)), .ask(.unread(shownRooms))] : [])
        if missesChange {
            missesChange = false
            effects += changed()
        }
        return effects + beginSearch()
    }

    /// Returns the questions for the pages that the visible part comes near to.
    mutating func extend() -> [ReaderEffect] {
        guard let room, opening == nil else { return [] }
        var effects: [ReaderEffect] = []
        if let cursor = history.wantedOlder, extending.insert(true).inserted {
            effects.append(.ask(.extend(room, isOlder: true, cursor, choice)))
        }
        if let cursor = history.wantedNewer, extending.insert(false).inserted {
            effects.append(.ask(.extend(room, isOlder: false, cursor, choice)))
        }
        return effects
    }

    /// Takes a page before or after the loaded ones.
    mutating func extended(
        _ key: RoomKey, isOlder: Bool, _ cursor: MessageID, _ page: Page
    ) -> [ReaderEffect] {
        extending.remove(isOlder)
        guard key == room, cursor == (isOlder ? history.window.older : history.window.newer) else { return [] }
        if isOlder { history.prepend(page) } else { history.append(page) }
        noteEnd()
        // A page of damaged messages alone moves the cursor only.
        return extend()
    }

    /// Notes the newest message while the end of the room is visible.
    mutating func noteEnd() {
        guard history.isAtEnd else { return }
        newest = history.window.messages.last?.id ?? newest
        unloaded = (0, false)
    }

    /// The number of new messages below, such as `12` or `99+`; nil for none.
    var newBelow: String? {
        guard let newest, !history.isAtEnd else { return nil }
        let loaded = history.window.messages.count { $0.id > newest && !$0.kind.isNoise }
        let count = history.window.newer == nil ? loaded : unloaded.count
        guard count > 0 else { return nil }
        return "\(count)\(history.window.newer != nil && unloaded.hasMore ? "+" : "")"
    }

    /// Returns the questions after the archive's files changed.
    package mutating func changed() -> [ReaderEffect] {
        guard let room, opening == nil else {
            // The page that is being read may lack the change.
            missesChange = opening != nil
            return room == nil ? [.ask(.rooms)] : []
        }
        let window = history.window
        let first = window.messages.first?.id
        var effects: [ReaderEffect] = [
            .ask(.refresh(room, from: first, count: window.messages.count, choice))
        ]
        if window.newer != nil, let newest { effects.append(.ask(.new(room, after: newest, choice))) }
        return effects
    }

    /// Returns the questions about all rooms after the archive's files changed.
    package func changedRooms() -> [ReaderEffect] {
        [.ask(.rooms), .ask(.unread(shownRooms))] + (room.map { [.ask(.facts($0))] } ?? [])
    }

    /// Takes the loaded messages, read again.
    mutating func refreshed(_ key: RoomKey, from first: MessageID?, _ page: Page) -> [ReaderEffect] {
        guard key == room, opening == nil else { return [] }
        guard first == history.window.messages.first?.id else { return changed() }
        history.refresh(page)
        noteEnd()
        return extend()
    }

    /// Returns the command that opens the present place.
    package var placeCommand: String {
        guard let room else { return NextCommand.line(["read"] + settings.given) }
        let name = state?.room.name ?? rooms.room(room)?.name
        let place =
            history.isAtEnd ? nil : history.selectedRow.map { $0.message?.id ?? MessageID($0.time) }
        let around = place.map { ["--around", $0.description] } ?? []
        return NextCommand.line(["read", "\(room.account)/\(name ?? String(room.id))"] + around + settings.given)
    }

    /// Reads a date as `--day` and `--around` take it, and opens it.
    mutating func openDate(_ text: String) -> [ReaderEffect] {
        guard let room else { return [] }
        do {
            let phrase = try TimePhrase(parameter: text, zone: settings.zone, now: settings.now())
            mode = .reading
            return open(room, .from(phrase.start))
        } catch {
            note = Sanitizer.line("\(error)")
            return []
        }
    }

    /// Returns the question for the nearest day with messages before the present one, or after it.
    func nextDay(isLater: Bool) -> [ReaderEffect] {
        guard let room, let time = (history.topRow ?? history.selectedRow)?.time else { return [] }
        let day = CivilDay(containing: time, in: settings.zone)
        return [.ask(.day(room, isLater: isLater, from: day))]
    }

    /// Returns the question for the nearest gap.
    func nextGap(isLater: Bool) -> [ReaderEffect] {
        guard let room, let row = history.selectedRow else { return [] }
        return [.ask(.gap(room, isLater: isLater, from: row.gap?.from ?? row.time))]
    }
}
