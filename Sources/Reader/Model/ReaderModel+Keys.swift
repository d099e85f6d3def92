import ChatModel
import Rendering

/// The keys.
extension ReaderModel {
    /// Handles a key.
    package mutating func press(_ key: ReaderKey) -> [ReaderEffect] {
        note = nil
        switch key {
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw] + shown.changed()
        default: break
        }
        switch mode {
        case .reading: return pressInHistory(key)
        case .searching(let input): return pressInSearch(key, input)
        case .date(let prompt): return pressInDate(key, prompt)
        case .choosingRoom(let chooser): return pressInRooms(key, chooser)
        case .text(let text): return pressInText(key, text)
        case .month(let month): return pressInMonth(key, month)
        case .conversation(let view): return pressInConversation(key, view)
        case .links(let choice): return pressInLinks(key, choice)
        }
    }

    private mutating func pressInHistory(_ key: ReaderKey) -> [ReaderEffect] {
        if let moved = shown.press(key) { return moved }
        switch key {
        case .escape: return search == nil ? [] : leaveSearch()
        case .enter: return askDetails()
        case .control("k"): return chooseRoom()
        case .control("c"): return [.quit]
        case .alt(let digit): return openRoom(number: digit)
        case .character(let letter): return pressCommand(letter)
        default: return []
        }
    }

    private mutating func pressCommand(_ letter: Unicode.Scalar) -> [ReaderEffect] {
        switch letter {
        case "/": return beginTyping()
        case "n": return step(isOlder: true)
        case "N": return step(isOlder: false)
        case "g": if shown.key != nil { mode = .date(DatePrompt()) }
        case "[": return shown.nextDay(isLater: false, zone: settings.zone)
        case "]": return shown.nextDay(isLater: true, zone: settings.zone)
        case "{": return shown.nextGap(isLater: false)
        case "}": return shown.nextGap(isLater: true)
        case "a": return [.ask(.nextUnread(rooms.others(after: shown.key)))]
        case "c": return showMonth()
        case "t": return askConversation()
        case "o": return openLink()
        case "y": return copy(isID: false)
        case "Y": return copy(isID: true)
        case "m": return mark()
        case "J": return toggleJoins()
        case "u": return toggleNames()
        case "?": show(KeyHelp.text, title: "keys")
        case "q": return [.quit]
        default: break
        }
        return []
    }

    private mutating func toggleJoins() -> [ReaderEffect] {
        let hidesJoins = shown.choice.hidden.hidesNoise
        shown.choice.hidden = hidesJoins ? settings.hidden : shown.choice.hidden.withJoins
        note = shown.choice.hidden.hidesNoise ? "joins and leaves are hidden" : "joins and leaves are shown"
        return shown.reopen()
    }

    private mutating func toggleNames() -> [ReaderEffect] {
        shown.choice.names = shown.choice.names == .then ? .now : .then
        note = shown.choice.names == .now ? "names of today" : "names of the time of each message"
        return shown.reopen()
    }
}

/// The keys of the selected message.
extension ReaderModel {
    /// The message to which the keys for messages apply; nil with a note if a gap is selected.
    private mutating func selectedMessage() -> Message? {
        let message = shown.history.selectedRow?.message
        if message == nil { note = "no message is selected" }
        return message
    }

    /// Returns the question for the details of a message, or shows the whole sentence of a gap.
    private mutating func askDetails() -> [ReaderEffect] {
        let row = shown.history.selectedRow
        if let message = row?.message { return [.ask(.details(account: message.account, message.id))] }
        guard let gap = row?.gap else { return [] }
        let text = GapText(time: LocalTime(zone: settings.zone), now: settings.now(), showsRoom: false)
        show(text.sentence(gap), title: "gap")
        return []
    }

    private mutating func copy(isID: Bool) -> [ReaderEffect] {
        guard let message = selectedMessage() else { return [] }
        note = isID ? "copied the id \(message.id)" : "copied the text"
        return [.copy(isID ? message.id.description : message.body ?? "")]
    }

    private mutating func askConversation() -> [ReaderEffect] {
        guard let message = selectedMessage() else { return [] }
        return [.ask(.conversation(account: message.account, message.id, shown.choice))]
    }

    private mutating func mark() -> [ReaderEffect] {
        if let reason = settings.marksNothing {
            note = reason
            return []
        }
        let newest = shown.history.isAtEnd ? shown.history.window.messages.last : nil
        guard let room = shown.key, let message = newest ?? selectedMessage() else { return [] }
        return [.markRead(room, through: message.id)]
    }

    private mutating func openLink() -> [ReaderEffect] {
        guard let message = selectedMessage() else { return [] }
        let choice = LinkChoice(message)
        switch choice.links.count {
        case 0: note = "the message has no link"
        case 1: return open(link: choice.links[0])
        default: mode = .links(choice)
        }
        return []
    }

    private mutating func open(link: String) -> [ReaderEffect] {
        note = Sanitizer.line(link)
        return [.open(link)]
    }

    private mutating func pressInLinks(_ key: ReaderKey, _ choice: LinkChoice) -> [ReaderEffect] {
        mode = .reading
        return choice.link(of: key).map { open(link: $0) } ?? []
    }
}

/// The keys of rooms, and of what is shown above the history.
extension ReaderModel {
    private mutating func chooseRoom() -> [ReaderEffect] {
        mode = .choosingRoom(RoomChooser(selected: rooms.index(of: shown.key)))
        return [.ask(.rooms)]
    }

    /// Opens the room with a number from 1 to 9.
    private mutating func openRoom(number: Unicode.Scalar) -> [ReaderEffect] {
        guard let index = LinkChoice.index(of: number) else { return [] }
        guard rooms.rooms.indices.contains(index) else {
            note = "there is no room \(index + 1)"
            return []
        }
        return shown.open(rooms.rooms[index].key, .latest)
    }

    private mutating func pressInRooms(_ key: ReaderKey, _ chooser: RoomChooser) -> [ReaderEffect] {
        var chooser = chooser
        let result = chooser.press(key, in: rooms, canReturn: shown.key != nil, page: size.paneHeight)
        mode = result == .stay ? .choosingRoom(chooser) : .reading
        switch result {
        case .stay, .cancel: return []
        case .quit: return [.quit]
        case .open(let key): return shown.open(key, .latest)
        case .openNumber(let digit): return openRoom(number: digit)
        }
    }

    private mutating func pressInDate(_ key: ReaderKey, _ prompt: DatePrompt) -> [ReaderEffect] {
        var prompt = prompt
        let result = prompt.press(key, zone: settings.zone, now: settings.now())
        mode = .date(prompt)
        switch result {
        case .stay: return []
        case .failed(let reason): note = reason
        case .close: mode = .reading
        case .open(let id):
            mode = .reading
            return shown.key.map { shown.open($0, .from(id)) } ?? []
        }
        return []
    }

    private mutating func pressInText(_ key: ReaderKey, _ text: TextView) -> [ReaderEffect] {
        var text = text
        mode = text.press(key, height: size.paneHeight) ? .text(text) : .reading
        return []
    }

    private mutating func showMonth() -> [ReaderEffect] {
        guard let key = shown.key, let row = shown.history.selectedRow else { return [] }
        let month = MonthView(containing: CivilDay(containing: row.time, in: settings.zone))
        mode = .month(month)
        return [.ask(.days(key, month.days))]
    }

    private mutating func pressInMonth(_ key: ReaderKey, _ month: MonthView) -> [ReaderEffect] {
        var month = month
        let result = month.press(key)
        mode = .month(month)
        guard let room = shown.key else { return [] }
        switch result {
        case .stay: return []
        case .count: return [.ask(.days(room, month.days))]
        case .close: mode = .reading
        case .open(let day):
            mode = .reading
            return shown.open(room, .from(MessageID(day.span.lowerBound)))
        }
        return []
    }

    private mutating func pressInConversation(_ key: ReaderKey, _ view: ConversationView) -> [ReaderEffect] {
        var view = view
        let result = view.press(key)
        mode = result == .stay ? .conversation(view) : .reading
        guard case .open(let room, let id) = result else { return [] }
        return shown.open(room, .around(id))
    }
}
