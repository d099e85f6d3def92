import ChatModel
import Testing

@testable import Reader

struct ReaderPlaceTests {
    /// Ten days of messages.
    private let archive = SampleArchive(1440)

    @Test func `g opens a date at the top of the screen`() {
        var reader = SampleReader(archive)
        reader.type("g2026-11-24 12:00")
        #expect(reader.bottom.hasPrefix("go to: 2026-11-24 12:00"))
        reader.press(.enter)
        #expect(reader.numbers.first == 3 * 144 + 72 + 1)
        #expect(reader.lines[0].contains("Tuesday 2026-11-24"))
    }

    @Test func `a date that can't be read is an error beside it`() {
        var reader = SampleReader(archive)
        reader.type("gsoonish")
        reader.press(.enter)
        #expect(reader.bottom.contains("can't read \"soonish\" as a time"))
        reader.press(.escape)
        #expect(reader.numbers.last == 1440)
    }

    @Test func `the brackets go to the days before and after`() {
        var reader = SampleReader(archive)
        reader.type("g2026-11-24")
        reader.press(.enter)
        reader.type("[")
        #expect(reader.lines[1].contains("Monday 2026-11-23"))
        reader.type("]]")
        #expect(reader.lines[1].contains("Wednesday 2026-11-25"))
    }

    @Test func `the braces go to the gaps`() {
        var archive = archive
        for hours in [30, 100] {
            let from = SampleArchive.start.advanced(by: .seconds(3600 * hours + 60))
            archive.gaps.append(
                Gap(
                    account: "demo", room: "lobby", from: from, to: from.advanced(by: .seconds(120)),
                    kind: .gap(Gap.Missing(reason: "stopped"))))
        }
        var reader = SampleReader(archive)
        reader.type("{")
        #expect(reader.lines.contains { $0.contains("▒▒▒ gap 04:01:00 to 04:03:00 (2 min): the listener was") })
        #expect(reader.model.shown.history.selectedRow?.gap?.from == archive.gaps[1].from)
        reader.type("{")
        #expect(reader.model.shown.history.selectedRow?.gap?.from == archive.gaps[0].from)
        reader.type("{")
        #expect(reader.bottom.hasPrefix("no further gap"))
        reader.type("}")
        #expect(reader.model.shown.history.selectedRow?.gap?.from == archive.gaps[1].from)
        #expect(reader.lines[0].contains("complete since 2026-11-25"))
    }

    @Test func `c shows a month, and Enter opens the chosen day`() {
        var reader = SampleReader(archive)
        reader.type("c")
        #expect(reader.lines[0].contains("lobby   2026-11"))
        #expect(reader.lines[1].hasSuffix("Mo      Tu      We      Th      Fr      Sa      Su"))
        #expect(reader.lines.contains { $0.contains("2026-11-30: 7 messages, complete") })
        reader.press(.up, .left, .enter)
        #expect(reader.lines[1].contains("Sunday 2026-11-22"))
        reader.type("c")
        reader.press(.pageUp)
        #expect(reader.lines[0].contains("2026-10"))
        reader.press(.escape)
        #expect(reader.lines[1].contains("Sunday 2026-11-22"))
    }

    @Test func `the command of a place opens it again`() {
        var reader = SampleReader(archive)
        #expect(reader.model.placeCommand == "scrollback read demo/lobby")
        reader.press(.home)
        #expect(reader.model.placeCommand == "scrollback read demo/lobby --around 2026-11-21T00:00:00.000000Z")
        reader.type("q")
        #expect(reader.effects == [.quit])
    }

    @Test func `rooms open by a part of their name, by number, and the next unread one by a`() {
        var archive = archive
        archive.say("hello", in: SampleArchive.other)
        archive.unread[SampleArchive.other] = 3
        var reader = SampleReader(archive)
        #expect(reader.lines[2].hasPrefix("2 offtopic       3 │"))
        reader.press(.control("k"))
        reader.type("OFF")
        reader.press(.enter)
        #expect(reader.model.shown.key == SampleArchive.other)
        reader.press(.alt("1"))
        #expect(reader.model.shown.key == SampleArchive.room)
        reader.type("a")
        #expect(reader.model.shown.key == SampleArchive.other)
        reader.press(.alt("7"))
        #expect(reader.bottom.hasPrefix("there is no room 7"))
    }

    @Test func `without a room, the one with the newest message opens; a narrow screen shows the list`() {
        let wide = SampleReader(archive, room: nil)
        #expect(wide.numbers.last == 1440)
        var narrow = SampleReader(archive, columns: 40, rows: 12, room: nil)
        #expect(narrow.lines[0] == "rooms")
        #expect(narrow.lines[1].hasPrefix("demo/lobby"))
        narrow.press(.enter)
        #expect(narrow.numbers.last == 1440)
    }

    @Test(arguments: [80, 40]) func `without a readable room, the list says why, and opens the first one that appears`(
        columns: Int
    ) {
        var empty = SampleArchive(0)
        var reader = SampleReader(empty, columns: columns, room: nil)
        #expect(reader.lines[1].hasSuffix("the archive has no messages"))
        empty.skipped = [SkippedAccount(account: "old", reason: SkippedAccount.cold, detail: "compressed")]
        reader = SampleReader(empty, columns: columns, room: nil)
        #expect(reader.lines[1].contains("skipped 'old' (compressed); add"), "\(reader.lines)")
        reader.archive.say("hello")
        reader.perform(reader.model.changedRooms())
        if columns < 70 { reader.press(.enter) }
        #expect(reader.model.shown.key == SampleArchive.room)
        #expect(reader.lines.contains { $0.hasSuffix("hello") }, "\(reader.lines)")
    }

    @Test func `a part of a name that is typed stays while rooms are read again`() {
        var reader = SampleReader(archive, columns: 40, rows: 12, room: nil)
        reader.type("lob")
        reader.perform(reader.model.changedRooms())
        #expect(reader.bottom.hasPrefix("room: lob"))
    }
}
