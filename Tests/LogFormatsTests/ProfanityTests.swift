import ChatModel
import Testing

@testable import LogFormats

struct ProfanityTests {
    private static let room = "chatlogs/me_at_example.org/rooms/room_at_rooms.example.org/2026_11_21.log"
    private static let time = "2026-11-21T06:23:11.123456+09:00 - "

    private func read(_ lines: String..., path: String = room) throws -> LogReading {
        try LogReading(ProfanityFormat.self, lines.map { Self.time + $0 + "\n" }.joined(), path: path)
    }

    @Test(arguments: [
        ("alice: hi: all", "alice: hi: all"), ("*alice waves", "action alice: waves"), ("alice: ", "alice: "),
        ("alice: *bob waves", "alice: *bob waves"), ("민수: 안녕", "민수: 안녕"), ("words", "system: words"),
    ])
    func `a line has its kind, sender and text, to the microsecond`(line: String, told: String) throws {
        let read = try read(line)
        #expect(read.told == [told])
        #expect(read.messages.map(\.time.description) == ["2026-11-20T21:23:11.123456Z"])
        #expect(read.messages.allSatisfy { $0.room == "room@rooms.example.org" && !$0.isDirect })
    }

    @Test func `a text continues, also with lines of another day`() throws {
        let pasted = "2026-11-20T06:23:11.000000+09:00 - alice: yesterday"
        let read = try read("bob: one\n\n  three\n\(pasted)\n12:00:00 alice", "alice: five")
        #expect(read.told == ["bob: one\n\n  three\n\(pasted)\n12:00:00 alice", "alice: five"])
    }

    @Test func `an action begins with a known name with spaces, or with its first word`() throws {
        #expect(
            try read("Alice Brown: hi", "*Alice Brown waves", "*bob waves").told.dropFirst() == [
                "action Alice Brown: waves", "action bob: waves",
            ])
    }

    @Test(arguments: [
        ("chatlogs/me_at_example.org/alice_at_example.org/2026_11_21.log", "alice@example.org", true),
        ("chatlogs/me_at_example.org/room_at_rooms.example.org_a_b/2026_11_21.log", "room@rooms.example.org/a_b", true),
        ("chatlogs/me_at_example.org/rooms/한국_at_rooms.example.org/2026_11_21.log", "한국@rooms.example.org", false),
    ])
    func `the folders name the room and the account`(path: String, room: String, isDirect: Bool) throws {
        let read = try read("me: hi", path: path)
        #expect(read.messages.map(\.room) == [room])
        #expect(read.messages.map(\.isDirect) == [isDirect])
        let source = LogReading.source(Array((Self.time + "me: hi").utf8), path: path)
        #expect(Recognition.claims(on: source).map { $0.name } == ["profanity"])
        #expect(ProfanityFormat.accountName(in: source) == "me@example.org")
    }

    @Test func `old logs have only the time of day`() throws {
        let read = try LogReading(
            ProfanityFormat.self, "06:23:11 - alice: hi\n06:23:12 - *alice waves\n", path: Self.room)
        #expect(read.told == ["alice: hi", "action alice: waves"])
        #expect(read.times == ["21T06:23:11", "21T06:23:12"])
    }
}
