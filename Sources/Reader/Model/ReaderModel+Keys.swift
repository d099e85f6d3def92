package import ChatModel
import Rendering

/// The keys.
extension ReaderModel {
    /// Handles a key.
    package mutating func press(_ key: ReaderKey) -> [ReaderEffect] {
        note = nil
        switch key {
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw] + changed()
        default: break
        }
        switch mode {
        case .reading: return pressInHistory(key)
        case .searching(let input): return pressInSearch(key, input)
        case .date(let input): return pressInDate(key, input)
        case .choosingRoom(let input, let selected): return pressInRooms(key, input, selected)
        case .text(let title, let lines, let top): return pressInText(key, title, lines, top)
        case .month(let month): return pressInMonth(key, month)
        case .conversation(let pane): return pressInConversation(key, pane)
        case .links(let links): return pressInLinks(key, links)
        }
    }

    private mutating func pressInHistory(_ key: ReaderKey) -> [ReaderEffect] {
        if let moved = move(key) { return moved }
        switch key {
        case .escape: return search == nil ? [] : leaveSearch()
        case .enter: return ask(details: history.selectedRow)
        case .control("k"): return chooseRoom()
        case .control("c"): return [.quit]
        case .alt(let digit): return openRoom(number: digit)
        case .character(let scalar): return press(letter: scalar)
        default: return []
        }
    }

    /// Handles a key that moves within the room; nil for another.
    private mutating func move(_ key: ReaderKey) -> [ReaderEffect]? {
        switch key {
        case .pageDown, .character(" "): history.page(1)
        case .pageUp, .character("b"): history.page(-1)
        case .down, .character("j"): history.moveSelection(1)
        case .up, .character("k"): history.moveSelection(-1)
        case .wheelUp: history.scroll(by: -3)
        case .wheelDown: history.scroll(by: 3)
        case .home: return toStart()
        case .end, .character("G"): return toEnd()
        default: return nil
        }
        noteEnd()
        return extend()
    }

    private mutating func toStart() -> [ReaderEffect] {
        guard let room else { return [] }
        guard history.window.older == nil else { return open(room, .oldest) }
        history.toStart()
        noteEnd()
        return extend()
    }

    private mutating func toEnd() -> [ReaderEffect] {
        guard let room else { return [] }
        guard history.window.newer == nil else { return open(room, .latest) }
        history.toEnd()
        noteEnd()
        return extend()
    }

    private mutating func press(letter: Unicode.Scalar) -> [ReaderEffect] {
        switch letter {
        case "/": return beginTyping()
        case "n": return step(isOlder: true)
        case "N": return step(isOlder: false)
        case "g": return beginDate()
        case "[": return nextDay(isLater: false)
        case "]": return nextDay(isLater: true)
        case "{": return nextGap(isLater: false)
        case "}": return nextGap(isLater: true)
        case "a": return [.ask(.nextUnread(rooms.others(after: room)))]
        case "c": return showMonth()
        case "t": return askConversation()
        case "o": return openLink()
        case "y": return copy(isID: false)
        case "Y": return copy(isID: true)
        case "m": return mark()
        case "J":
            hidden = hidden.hidesNoise ? settings.hidden : hidden.withJoins
            note = hidden.hidesNoise ? "joins and leaves are hidden" : "joins and leaves are shown"
            return reopen()
        case "u":
            names = names == .then ? .now : .then
            note = names == .now ? "names of today" : "names of the time of each message"
            return reopen()
        case "?": return showKeys()
        case "q": return [.quit]
        default: return []
        }
    }

    // MARK: Dates

    private mutating func beginDate() -> [ReaderEffect] {
        if room != nil { mode = .date(LineInput()) }
        return []
    }

    private mutating func pressInDate(_ key: ReaderKey, _ input: LineInput) -> [ReaderEffect] {
        switch key {
        case .escape, .control("c"): mode = .reading
        case .enter where input.text.allSatisfy({ $0 == " " }): mode = .reading
        case .enter: return openDate(input.text)
        default:
            var input = input
            _ = input.press(key)
            mode = .date(input)
        }
        return []
    }

    // MARK: Messages

    /// The message to which the keys for messages apply; nil with a note if a gap is selected.
    private mutating func selectedMessage() -> Message? {
        guard let message = history.selectedRow?.message else {
            note = "no message is selected"
            return nil
        }
        return message
    }

    private mutating func copy(isID: Bool) -> [ReaderEffect] {
        guard let message = selectedMessage() else { return [] }
        note = isID ? "copied the id \(message.id)" : "copied the text"
        return [.copy(isID ? message.id.description : message.body ?? "")]
    }

    private mutating func askConversation() -> [ReaderEffect] {
        guard let message = selectedMessage() else { return [] }
        return [.ask(.conversation(account: message.account, message.id, choice))]
    }

    private mutating func mark() -> [ReaderEffect] {
        if let reason = settings.marksNothing {
            note = reason
            return []
        }
        guard let room, let message = selectedMessage() else { return [] }
        let last = history.isAtEnd ? history.window.messages.last?.id ?? message.id : message.id
        return [.markRead(room, through: last)]
    }

    /// Takes the result of marking a room as read.
    ///
    /// - Parameter failure: The reason why it failed; nil if it is done.
    package mutating func marked(_ room: RoomKey, failure: String?) -> [ReaderEffect] {
        note = failure ?? "marked as read"
        return [.ask(.facts(room)), .ask(.unread(shownRooms))]
    }

    private mutating func openLink() -> [ReaderEffect] {
        guard let message = selectedMessage() else { return [] }
        let links = BodyLink.pieces(of: message.body ?? "").compactMap { piece -> String? in
            if case .link(let link) = piece { link } else { nil }
        }
        switch links.count {
        case 0: note = "the message has no link"
        case 1: return open(link: links[0])
        default: mode = .links(Array(links.prefix(9)))
        }
        return []
    }

    mutating func open(link: String) -> [ReaderEffect] {
        note = Sanitizer.line(link)
        return [.open(link)]
    }

    private mutating func pressInLinks(_ key: ReaderKey, _ links: [String]) -> [ReaderEffect] {
        mode = .reading
        guard case .character(let digit) = key,
            let number = digit.properties.numericType.map({ _ in Int(digit.value) - 48 }),
            links.indices.contains(number - 1)
        else { return [] }
        return open(link: links[number - 1])
    }
}
