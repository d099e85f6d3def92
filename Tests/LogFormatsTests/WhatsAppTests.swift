import ChatModel
import TestSupport
import Testing

@testable import LogFormats

struct WhatsAppTests {
    private func read(_ text: String, path: String = "WhatsApp Chat with Minsu.txt", room: String? = nil) throws
        -> LogReading
    {
        try LogReading(WhatsAppFormat.self, text, path: path, room: room)
    }

    @Test(arguments: [
        "[21/11/2026, 06:23:11] Alice: hi", "21/11/2026, 06:23 - Alice: hi", "11/21/26, 6:23 AM - Alice: hi",
        "11/21/26, 6:23\u{202F}AM - Alice: hi", "2026-11-21 06:23 - Alice: hi", "21.11.26, 06:23 - Alice: hi",
        "\u{200E}[21/11/2026, 06:23:11] Alice: \u{200E}hi", "[21/11/26, 6:23:11 a.\u{A0}m.] Alice: hi",
        "21/11/2026 06:23 - \u{202A}Alice\u{202C}: hi", "21-11-2026 06:23 - Alice: hi",
        "2026년 11월 21일 오전 6:23, Alice : hi", "2026. 11. 21. 오전 6:23 - Alice: hi",
        "[2026. 11. 21. 오전 6:23:11] Alice: hi",
        "2026/11/21 6:23 - Alice: hi", "[2026/11/21 上午6:23:11] Alice: hi", "2026年11月21日 午前6:23 - Alice: hi",
        "[21.11.2026 klo 6.23.11] Alice: hi", "[21.11.26, 06:23:11] Alice: hi", "21/11/2026, 06:23: Alice: hi",
        "[21/11/2026, 06:23:11] ~\u{202F}Alice: hi", "٢١/١١/٢٠٢٦، ٠٦:٢٣ - Alice: hi",
        "\u{200F}21\u{200F}/11\u{200F}/2026، 6:23 ص - Alice: hi",
        "\u{200B}[21/11/2026, 06:23:11] Alice: hi", "[06:23:11, 21/11/26] Alice: hi",
        "\u{200E}[06:23:11, 11/21/26] Alice: \u{200E}hi",
        "06:23, 21 Nov 2026 - Alice: hi",
        "21 Nov 2026, 06:23 - Alice: hi", "Nov 21, 2026, 6:23 AM - Alice: hi", "6:23 AM, 21 Nov 2026 - Alice: hi",
    ])
    func `a message begins with a date of any style`(line: String) throws {
        let read = try read(line)
        #expect(read.told == ["Alice: hi"])
        #expect(read.times.map { $0.prefix(8) } == ["21T06:23"])
        #expect(read.messages.map(\.room) == ["Minsu"])
        #expect(read.messages.map(\.roomKind) == [.group])
        #expect(WhatsAppFormat.recognises(LogReading.source(Array(line.utf8), path: "_chat.txt")))
    }

    @Test func `a deleted message has its place among the sender's messages of the minute`() throws {
        let read = try read(
            """
            21/11/2026, 06:23 - Alice: hi
            21/11/2026, 06:23 - Bob: This message was deleted
            21/11/2026, 06:23 - Alice: This message was deleted
            """)
        #expect(read.messages.map(\.placeOfDeleted) == [nil, 0, 1])
    }

    @Test(arguments: [
        ("12:00 AM", 0), ("12:59 am", 0), ("1:00 AM", 1), ("11:59 AM", 11), ("12:00 PM", 12), ("1:00 p. m.", 13),
        ("23:00", 23),
        ("9:15 in the morning", 9), ("2:15 in the afternoon", 14), ("8:15 in the evening", 20), ("11:15 at night", 23),
        ("1:15 at night", 1), ("오후 12:00", 12), ("午後3:00", 15), ("下午3:00", 15),
    ])
    func `hours are 12 or 24`(time: String, hour: Int) throws {
        let read = try read("21/11/2026, \(time) - Alice: hi")
        #expect(read.times.map { $0.dropFirst(3).prefix(2) } == [hour < 10 ? "0\(hour)" : "\(hour)"])
    }

    @Test(arguments: [
        "hi", "21/11/2026", "21/11/2026, 06:23", "21/11/2026, 25:23 - Alice: hi",
        "21/11/2026, 13:23 PM - Alice: hi", "21/11/2026, 06:61 - Alice: hi", "99999999999999999999/1/1, 1:00 - a: b",
        "[21/11/2026, 06:23:11 Alice: hi", "21/11/2026, 06:23 Alice: hi", "21/11/2026, 6:23 XM - Alice: hi", "\u{200E}",
        "2026-11-21 06:23:11\talice\thi", "06:23 < alice> hi", "06:23, 21 people - Alice: hi",
        "Nov 21, 2026 was it: hi",
        "06:23, 21 Nov - Alice: hi",
    ])
    func `a line that begins no message continues the previous one`(line: String) throws {
        let date = "21/11/2026, 06:22 - Bob: one\n"
        let read = try read(date + line)
        // A date and a time alone say nothing.
        #expect(read.told == ["Bob: one" + (line.hasSuffix("06:23") ? "" : "\n\(line)")])
        #expect(try self.read(line).messages.isEmpty)
    }

    @Test func `an impossible date is invalid, and the previous message stays unchanged`() throws {
        let read = try read("21/11/2026, 06:22 - Bob: one\n31/02/2026, 06:23 - Alice: hi\nmore")
        #expect(read.told == ["Bob: one"])
        #expect(read.unreadable == ["its date does not exist"])
    }

    @Test func `a message has many lines, and system lines have no sender`() throws {
        let read = try read(
            """
            lost
            21/11/2026, 06:22 - Messages and calls are end-to-end encrypted. Tap to learn more.
            21/11/2026, 06:23 - Alice: one
            two: three

            four
            21/11/2026, 06:24 - Alice changed the subject from "a" to "b: c"
            21/11/2026, 06:24 - 민수: 안녕

            """)
        #expect(
            read.told == [
                "system: Messages and calls are end-to-end encrypted. Tap to learn more.",
                "Alice: one\ntwo: three\n\nfour",
                "system: Alice changed the subject from \"a\" to \"b: c\"", "민수: 안녕",
            ])
        #expect(read.unreadable.count == 1)
        #expect(read.assumptions == [])
    }

    @Test(arguments: [
        ("Ann \"Red\" Smith: hi", "Ann \"Red\" Smith: hi"), ("Ann “Red” Smith: hi", "Ann “Red” Smith: hi"),
        ("\u{200E}: hi", "\u{200E}: hi"), (": hi", "system: : hi"),
        ("Ann created group \"a: b\"", "system: Ann created group \"a: b\""),
        ("Ann changed the subject from “a” to “b: c”", "system: Ann changed the subject from “a” to “b: c”"),
    ])
    func `closed quotes are part of a name`(line: String, told: String) throws {
        let read = try read("21/11/2026, 06:23 - \(line)")
        #expect(read.told == [told] && read.messages.first?.kind == (told.hasPrefix("system") ? .system : .message))
    }

    @Test func `a group whose first lines are all joins is recognised`() throws {
        let notice = "21/11/2026, 06:23 - Bob joined using this group's invite link\n"
        let joined = String(repeating: notice, count: 30)
        let recognises = { (text: String, path: String) in
            WhatsAppFormat.recognises(LogReading.source(Array(text.utf8), path: path))
        }
        #expect(recognises(joined, "WhatsApp Chat with Family.txt"))
        #expect(recognises(joined + "21/11/2026, 06:24 - Alice: hi", "family.txt"))
        #expect(!recognises(joined, "family.txt"))
    }

    @Test func `a group's lines about itself are events, a person's are not`() throws {
        let own = "[21/11/2026, 06:23:11] Family: \u{200E}You created this group\n"
        let other = "\u{200E}[21/11/2026, 06:23:13] Alice: \u{200E}image omitted\n"
        let path = "WhatsApp Chat - Family/_chat.txt"
        #expect(try read(own + other, path: path).told == ["system: You created this group", "Alice: image omitted"])
        let said = "[21/11/2026, 06:23:14] Family: hi\n"
        #expect(
            try read(own + other + said, path: path).told == [
                "Family: You created this group", "Alice: image omitted", "Family: hi",
            ])
    }

    @Test(arguments: [
        ("Ann: \u{200E}Ann left", "system: Ann left"), ("Ann: \u{200E}Ann added Bob", "system: Ann added Bob"),
        ("~\u{A0}Ann: \u{200E}~\u{A0}Ann joined", "system: ~\u{A0}Ann joined"),
        (
            "\u{202A}+1 (777)\u{202C}: \u{200E}\u{202A}+1 (777)\u{202C} left",
            "system: \u{202A}+1 (777)\u{202C} left".replacing("\u{202A}", with: "")
        ),
        ("Ann: Ann left", "Ann: Ann left"), ("Ann: \u{200E}Anna left", "Ann: Anna left"),
        ("Ann: \u{200E}image omitted", "Ann: image omitted"),
    ])
    func `an iPhone marks events of people in the group`(line: String, told: String) throws {
        let text = "[21/11/2026, 06:23:11] \(line)\n[21/11/2026, 06:23:12] Ann: hi"
        #expect(try read(text, path: "WhatsApp Chat - Family/_chat.txt").told == [told, "Ann: hi"])
    }

    @Test func `files, edits and deletions are recognised`() throws {
        let read = try read(
            """
            21/11/2026, 06:01 - Alice: <Media omitted>
            21/11/2026, 06:02 - Alice: \u{200E}IMG-20261121-WA0001.jpg (파일 첨부)
            a caption
            21/11/2026, 06:03 - Alice: my report.pdf (file attached)
            21/11/2026, 06:04 - Alice: \u{200E}<attached: 00000012-PHOTO-2026-11-21.jpg>
            21/11/2026, 06:05 - Alice: look \u{200E}<attached: 00000013-report.pdf>
            21/11/2026, 06:06 - Alice: hi \u{200E}<This message was edited>
            21/11/2026, 06:07 - Alice: This message was deleted
            21/11/2026, 06:08 - Alice: \u{200E}You deleted this message.
            21/11/2026, 06:09 - Alice: 이 메시지는 삭제되었습니다.
            21/11/2026, 06:10 - Alice: This message was deleted by bob (so to speak)
            """)
        #expect(
            read.told == [
                "Alice: <Media omitted>", "Alice: a caption", "Alice", "Alice", "Alice: look", "Alice: hi", "Alice",
                "Alice",
                "Alice", "Alice: This message was deleted by bob (so to speak)",
            ])
        #expect(
            read.messages.map { $0.files.map(\.path) } == [
                [], ["IMG-20261121-WA0001.jpg"], ["my report.pdf"], ["00000012-PHOTO-2026-11-21.jpg"],
                ["00000013-report.pdf"], [], [], [], [], [],
            ])
        #expect(
            read.messages.map { $0.editedAt?.short } == [nil, nil, nil, nil, nil, "21T06:06:00", nil, nil, nil, nil])
        #expect(
            read.messages.map { $0.deletedAt != nil } == Array(repeating: false, count: 6) + [true, true, true, false])
    }

    @Test(arguments: [
        (["1/2/2026", "13/2/2026"], ["01", "13"], false), (["1/2/2026", "2/13/2026"], ["02", "13"], false),
        (["11/1/2026", "11/2/2026", "12/1/2026"], ["01", "02", "01"], false),
        (["1/11/2026", "2/11/2026", "1/12/2026"], ["01", "02", "01"], false),
        (["1/2/2026"], ["01"], true), (["01.02.26"], ["01"], true),
    ])
    func `the first dates decide whether the day or the month is first`(
        dates: [String], days: [String], isAssumed: Bool
    ) throws {
        let read = try read(dates.map { "\($0), 06:23 - Alice: hi" }.joined(separator: "\n"))
        #expect(read.times.map { String($0.prefix(2)) } == days)
        #expect(read.assumptions.contains { $0.contains("first, because none") } == isAssumed)
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `dates without proof follow their look, and a late impossible one decides`()
        throws
    {
        let read = try read("1/2/26, 6:23 AM - Alice: hi\n1/3/26, 6:23 AM - Alice: hi")
        #expect(read.messages.map { $0.time.description.prefix(10) } == ["2026-01-02", "2026-01-03"])
        #expect(
            read.assumptions == [
                "dates read with the month first, because none shows the order; to choose: --date-order dmy, mdy or ymd"
            ])
        let filler = String(repeating: "01/02/2026, 06:23 - Alice: hi\n", count: 3000)
        #expect(try self.read(filler + "11/21/2026, 06:23 - Bob: hi").times.last == "21T06:23:00")
    }

    @Test(arguments: [
        ("WhatsApp Chat with Minsu.txt", "Minsu"), ("WhatsApp 대화: 민수.txt", "민수"),
        ("a/WhatsApp Chat - Family.zip/_chat.txt", "Family"),
        ("Family/_chat.txt", "Family"), ("my chat.txt", "my chat"),
    ])
    func `the name gives the room`(path: String, room: String) throws {
        #expect(try read("21/11/2026, 06:23 - Alice: hi", path: path).messages.map(\.room) == [room])
        #expect(try read("21/11/2026, 06:23 - Alice: hi", path: path, room: "x").messages.map(\.room) == ["x"])
        #expect(throws: LogSourceError.noRoom) { try self.read("", path: "_chat.txt") }
    }

    @Test(arguments: [
        ("WhatsApp Chat with Minsu (1).txt", "Minsu"), ("WhatsApp Chat - Trip 2026 (12).zip/_chat.txt", "Trip 2026"),
        ("WhatsApp Chat with Trip (2026).txt", "Trip (2026)"), ("WhatsApp Chat with Trip (b).txt", "Trip (b)"),
    ])
    func `a browser's number for a second download is not part of the room's name`(
        path: String, room: String
    ) throws {
        #expect(try read("21/11/2026, 06:23 - Alice: hi", path: path).messages.map(\.room) == [room])
    }

    @Test func `a text over 64 KiB is cut between characters`() throws {
        let long = String(repeating: "민", count: 30_000)
        let read = try read("21/11/2026, 06:23 - Alice: x\(long)\nmore\n21/11/2026, 06:24 - Alice: hi")
        #expect(read.messages.map(\.flags) == [.oversize, []])
        #expect((read.messages.first?.body?.utf8.count ?? 0) > 65_000)
        #expect(read.messages.first?.body?.hasSuffix("민") ?? false)
    }
}
