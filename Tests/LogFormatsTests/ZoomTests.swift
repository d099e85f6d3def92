import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/kjhealy/zoomchattr (R/utility_functions.R), of
/// github.com/Open-Facilitation-Library/cross-pollination-results (meeting_saved_new_chat.txt, with dates), of
/// github.com/TerryCK/Protocol-Oriented-Programming (meeting_saved_chat.txt, with the text in the line), of
/// github.com/lbnlcomputerarch/mosaicfiresim (meeting_saved_new_chat.txt, `To`) and of github.com/goldencheng/python
/// (meeting_saved_chat.txt, in Chinese).
struct ZoomTests {
    private static let folder = "2026-11-21 06.20.00 Plans 81234567890"

    private func read(_ text: String, path: String = "Zoom/\(folder)/meeting_saved_chat.txt", room: String? = nil)
        throws -> LogReading
    {
        try LogReading(ZoomFormat.self, text, path: path, room: room, zone: "Asia/Seoul")
    }

    @Test func `a message has the meeting's title, its sender and its local time`() throws {
        let reading = try read("2026-11-22 06:23:11 From 민수 to Everyone:\n\t안녕\n\t\n")
        let time = try #require(Export.time("2026-11-21T21:23:11.000000Z"))
        #expect(
            reading.messages == [
                ImportedMessage(
                    room: "Plans", roomKind: .group, kind: .message, sender: "민수", body: "안녕", time: time,
                    resolution: .second)
            ])
        #expect(reading.unreadable.isEmpty && reading.assumptions.isEmpty)
    }

    @Test(arguments: [
        ("06:23:11 From Alice to Everyone:\n\thi\n\t\n", "Alice: hi"),
        ("06:23:11 From  Alice  to  Everyone:\n\thi\n", "Alice: hi"),
        ("06:23:11 From Alice To Everyone:\n\thi\n\t\n", "Alice: hi"), ("06:23:11\t From  Alice : hi\n", "Alice: hi"),
        ("06:23:11\t From Alice to Everyone : hi\n", "Alice: hi"),
        ("06:23:11 From Alice to Everyone: hi\n", "Alice: hi"),
        ("06:23:11  민수 對 所有人:\n\thi\n", "민수: hi"), ("2026-11-21 06:23:11 От Анна кому Все:\n\thi\n", "Анна: hi"),
        ("06:23:11\t From Alice : a : b to c:\n", "Alice: a : b to c:"),
        ("06:23:11 From Dave to Everyone: Réponse : oui\n", "Dave: Réponse : oui"),
        ("06:23:11 From Dave to Everyone : see: a to Everyone : b\n", "Dave: see: a to Everyone : b"),
        ("06:23:11 From Bob : Smith to Everyone:\n\thi\n", "Bob : Smith: hi"),
        ("06:23:11 From A to B to Everyone:\n\thi\n", "A to B: hi"), ("06:23:11\t From Alice : \n", "Alice"),
        (
            "06:23:11 From Alice to Everyone:\n\t06:23:12 From Bob to Everyone:\n",
            "Alice: 06:23:12 From Bob to Everyone:"
        ),
    ])
    func `a message of each version is read`(text: String, told: String) throws {
        let reading = try read(text)
        #expect(reading.messages.map { ($0.sender ?? "") + ($0.body.map { ": \($0)" } ?? "") } == [told])
        #expect(reading.unreadable.isEmpty)
    }

    @Test(arguments: [
        "06:23:11 From Alice to Bob (direct message):\n\thi\n", "06:23:11\t From  Alice  to  Bob(Privately) : hi\n",
        "06:23:11 From Alice to Bob(Direct Message):\n\thi\n", "06:23:11 From Alice to Bob: hi\n",
        "06:23:11\t From Alice to Bob : hi\n",
    ])
    func `a message to one person says to whom`(text: String) throws {
        #expect(try read(text).messages.map(\.body) == ["[to Bob]\nhi"])
    }

    @Test func `a text has its lines, with the answered text and reactions below it`() throws {
        let reading = try read(
            """
            06:23:11 From Alice to Everyone:
            \ta

            \t  b
            \tBob, Carol:👍
            \t
            06:23:12 From Bob to Everyone:
            \tReplying to "a":
            \tc
            06:23:13\t From Carol : d
            \te
            """)
        #expect(reading.messages.map(\.body) == ["a\n\n  b\nBob, Carol:👍", "Replying to \"a\":\nc", "d\n\te"])
    }

    @Test func `the day is the folder's, until a line has a date or the clock passes midnight`() throws {
        let text =
            "23:59:50 From A to Everyone:\n\ta\n00:00:10 From A to Everyone:\n\tb\n2026-11-25 01:00:00 From A to Everyone:\n\tc\n"
        let reading = try LogReading(ZoomFormat.self, text, path: "\(Self.folder)/chat.txt")
        #expect(reading.times == ["21T23:59:50", "22T00:00:10", "25T01:00:00"])
    }

    @Test(arguments: [
        (folder, "Plans"), ("2026-11-21 06.20.00 Alice's Zoom Meeting", "Alice's Zoom Meeting"),
        ("2026-11-21 06.20.00 2026", "2026"),
        ("2026-11-21 06.20.00 123456789", "123456789"), ("2026-11-21 회의", "회의"),
        ("2026-11-21 06.20.00 Plan 12", "Plan 12"),
    ])
    func `the room is the meeting's title, without its time and number`(folder: String, room: String) throws {
        let reading = try read("06:23:11 From A to Everyone:\n\ta\n", path: "Zoom/\(folder)/chat.txt")
        #expect(reading.messages.map(\.room) == [room])
    }

    @Test func `a chat outside of its folder needs a day and a room`() throws {
        let (plain, dated) = ("06:23:11 From A to Everyone:\n\ta\n", "2026-11-21 06:23:11 From A to Everyone:\n\ta\n")
        #expect(throws: LogSourceError.noDate) { try read(plain, path: "chat.txt", room: "x") }
        #expect(throws: LogSourceError.noRoom) { try read(dated, path: "chat.txt") }
        #expect(try read(dated, path: "chat.txt", room: "x").messages.map(\.room) == ["x"])
        #expect(try read(plain, path: "chat-2026-11-21.txt", room: "x").times == ["20T21:23:11"])
        #expect(
            Export.recognising(plain, path: "chat.txt") == [] && Export.recognising(dated, path: "chat.txt") == ["zoom"]
        )
        #expect(Export.recognising(plain, path: "\(Self.folder)/chat.txt") == ["zoom"])
    }

    @Test(arguments: [
        ("hi\n06:23:11 From A to Everyone:\n\ta\n", "it has no time and continues no earlier message"),
        (
            "06:23:11 From A to Everyone:\n\ta\n2026-02-31 06:23:11 From A to Everyone:\n\tb\n",
            "its date does not exist"
        ),
    ])
    func `a line that can't be read is reported`(text: String, reason: String) throws {
        let reading = try read(text)
        #expect(reading.unreadable == [reason] && reading.messages.map(\.body) == ["a"])
    }

    @Test(arguments: [
        "06:23:11 From to Everyone:", "06:23 From A to Everyone:", "06:23:11 Alice to Everyone:", "06:23:11 From Alice",
        "25:00:00 From A : x", "00:58:04\tAlex:\thi",
    ])
    func `another line is no message`(line: String) {
        #expect(ZoomHeader(Array(line.utf8)[...]) == nil)
    }

    @Test(arguments: FormatSample.of("zoom"))
    func `chats of each version are read whole`(sample: FormatSample) throws {
        let reading = try LogReading(ZoomFormat.self, sample.bytes, path: sample.path)
        let told = [
            "2026": ["민수: 안녕\ntwo lines\nAlice:👍", "Alice: [to 민수]\nhi"],
            "2020": ["Alice: hi\nthere", "Bob: [to Alice]\nho"],
            "2022": ["Alice: hi", "Bob: Reacted to \"hi\" with 👍"],
        ]
        let year = try #require(told.keys.first { sample.path.contains($0 + "-11-21") })
        #expect(reading.told == told[year] && reading.unreadable.isEmpty)
    }

    @Test func `long names and lines take no more than a message`() throws {
        let long = String(repeating: "x", count: 60_000)
        let reading = try read("06:23:11\t From Alice to \(long) : hi\n06:23:12\t From Bob : \(long)\n\(long)\n")
        #expect(reading.messages.map { ($0.body?.utf8.count ?? 0) <= 64 * 1024 } == [true, true])
        #expect(reading.messages.map { $0.flags.contains(.oversize) } == [false, true])
        let cut = try read("06:23:11\t From Bob : \(long)\(long)\n06:23:12\t From Bob : hi\n")
        #expect(cut.unreadable == ["longer than \(ZoomFormat.maximumLine) bytes"] && cut.told == ["Bob: hi"])
    }

    @Test(arguments: 0..<100)
    func `a damaged chat never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("zoom") {
            _ = try? LogReading(ZoomFormat.self, Mutation.of(sample.bytes, using: &random), path: sample.path)
        }
    }
}
