import ChatModel
import Testing

@testable import Reader

/// The parts of a reader, each without the others.
struct ReaderViewTests {
    private var rooms: RoomList {
        var list = RoomList()
        let names = ["lobby", "offtopic", "가족"]
        list.replace(
            names.enumerated().map { index, name in
                Room(
                    account: "demo", network: "log", id: Int64(index), name: name, kind: .channel, messages: 1,
                    firstMessage: nil, lastMessage: nil, coveredFrom: nil)
            }, skipped: [])
        return list
    }

    private func key(_ id: Int64) -> RoomKey { RoomKey(account: "demo", id: id) }

    @Test func `a room is chosen by the words of its name, or by moving`() {
        var chooser = RoomChooser(selected: 2)
        func press(_ key: ReaderKey) -> RoomChooser.Result { chooser.press(key, in: rooms, canReturn: true, page: 10) }
        #expect(press(.enter) == .open(key(2)))
        #expect(press(.up) == .stay)
        #expect(press(.enter) == .open(key(1)))
        #expect(press(.home) == .stay)
        #expect(press(.enter) == .open(key(0)))
        for letter in "O FF".unicodeScalars { #expect(press(.character(letter)) == .stay) }
        #expect(press(.enter) == .open(key(1)))
        #expect(press(.control("u")) == .stay)
        #expect(press(.character("가")) == .stay)
        #expect(press(.pageDown) == .stay)
        #expect(press(.enter) == .open(key(2)))
        #expect(press(.character("x")) == .stay)
        #expect(press(.enter) == .stay, "no room has that in its name")
        #expect(press(.alt("3")) == .openNumber("3"))
    }

    @Test func `Escape leaves the list of rooms, and quits where no room is shown`() {
        var chooser = RoomChooser()
        #expect(chooser.press(.escape, in: rooms, canReturn: true, page: 10) == .cancel)
        #expect(chooser.press(.character("q"), in: rooms, canReturn: true, page: 10) == .stay, "a letter of a name")
        chooser = RoomChooser()
        #expect(chooser.press(.escape, in: rooms, canReturn: false, page: 10) == .quit)
        #expect(chooser.press(.character("q"), in: rooms, canReturn: false, page: 10) == .quit)
        #expect(chooser.press(.control("c"), in: rooms, canReturn: true, page: 10) == .quit)
    }

    @Test func `a text scrolls to its ends and no further, and another key closes it`() {
        var view = TextView((1...30).map { "line \($0)" }.joined(separator: "\n"), title: "keys", columns: 40)
        #expect(view.lines.count == 30)
        let moves: [(ReaderKey, Int)] = [
            (.up, 0), (.down, 1), (.wheelDown, 4), (.pageDown, 13), (.end, 20), (.down, 20), (.wheelUp, 17),
            (.pageUp, 8), (.home, 0), (.character(" "), 9), (.character("b"), 0), (.character("j"), 1),
            (.character("k"), 0),
        ]
        for (key, top) in moves {
            let stays = view.press(key, height: 10)
            #expect(stays && view.top == top, "\(key)")
        }
        let stays = view.press(.escape, height: 10)
        #expect(!stays)
    }

    @Test func `a month moves by days, weeks and months, and asks for the numbers of another one`() {
        let day = CivilDay(containing: SampleArchive.start, in: .gmt)
        var month = MonthView(containing: day)
        #expect(month.name == "2026-11")
        #expect(month.firstWeekday == 6, "2026-11-01 is a Sunday")
        func press(_ key: ReaderKey) -> MonthView.Result { month.press(key) }
        #expect(press(.right) == .stay)
        #expect(press(.character("j")) == .stay)
        #expect(press(.enter) == .open(CivilDay(number: day.number + 8, zone: .gmt)))
        #expect(press(.down) == .count)
        #expect(month.name == "2026-12")
        #expect(press(.pageUp) == .count)
        #expect(month.selected == day.number - 20, "the first day of November")
        #expect(press(.left) == .count)
        #expect(month.name == "2026-10")
        #expect(press(.escape) == .close)
    }

    @Test func `an answer for another room, or for an earlier place, changes nothing`() {
        let archive = SampleArchive(100)
        var shown = SampleReader(archive).model.shown
        let before = shown.history.window.messages.map(\.id)
        let page = Page(messages: [], older: nil, newer: nil, gaps: [])
        #expect(shown.extended(SampleArchive.other, isOlder: true, before[0], page).isEmpty)
        #expect(shown.extended(SampleArchive.room, isOlder: true, before[5], page).isEmpty)
        #expect(shown.refreshed(SampleArchive.other, from: before[0], page).isEmpty)
        #expect(shown.history.window.messages.map(\.id) == before)
    }

    @Test func `a page that could not be read is asked for again`() {
        var shown = SampleReader(SampleArchive(2000)).model.shown
        var asked: [ReaderEffect] = []
        while asked.isEmpty { asked = shown.press(.pageUp) ?? [] }
        guard case .ask(let request) = asked.first else { return #expect(Bool(false), "\(asked)") }
        #expect(shown.extend().isEmpty, "it is being read")
        shown.failed(request)
        #expect(shown.extend() == asked)
    }
}
