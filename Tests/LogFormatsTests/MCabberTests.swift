import ChatModel
import Testing

@testable import LogFormats

struct MCabberTests {
    private func read(_ entries: String, path: String = "histo/room@rooms.example.org") throws -> LogReading {
        try LogReading(
            MCabberFormat.self, "MI 20261121T06:23:10Z 000 You have joined as \"carol\"\n" + entries, path: path)
    }

    @Test(arguments: [
        ("MR", "<alice> hi: all", "alice: hi: all"), ("MR", "<alice> /me waves", "action alice: waves"),
        ("MR", "<a b> hi", "a b: hi"), ("MI", "bob has joined", "join bob"), ("MI", "bob has left", "leave bob"),
        ("MI", "bob has left: bye (now)", "leave bob: bye (now)"),
        ("MI", "bob is now known as bob2", "rename bob: bob2"),
        ("MI", "alice has set the topic to: a: b", "topic alice: a: b"),
        ("MI", "The topic has been cleared", "system: The topic has been cleared"),
        ("MI", "---> bob joined the room", "join bob"), ("MI", "<--- bob has left the room", "leave bob"),
        ("MI", "<--- bob has left the room (bye (now))", "leave bob: bye (now)"),
        ("MI", "<--- You (carol) left the room", "leave carol"),
        ("MI", "-!- bob has been kicked by alice Reason: loud", "kick alice: bob: loud"),
        ("MI", "-!- bob has been banned by alice", "kick alice: bob"),
        ("MI", "alice set the subject to: words", "topic alice: words"),
        ("MI", "bob changed: show: away", "system: bob changed: show: away"),
    ])
    func `an entry of a room has its kind, sender and text`(marks: String, text: String, told: String) throws {
        let read = try read("\(marks) 20261121T06:23:11Z 000 \(text)\n")
        #expect(read.told == ["join carol", told])
        #expect(read.messages.allSatisfy { $0.room == "room@rooms.example.org" && !$0.isDirect })
        #expect(read.times == ["21T06:23:10", "21T06:23:11"])
    }

    @Test func `the number of lines ends a message, whatever its lines look like`() throws {
        let pasted = "MR 20261121T06:00:00Z 000 <bob> pasted"
        let read = try read(
            "MR 20261121T06:23:11Z 003 <alice> one\n\n\(pasted)\nfour\nMR 20261121T06:23:12Z 000 <bob> five\nsix\n")
        #expect(read.told.dropFirst() == ["alice: one\n\n\(pasted)\nfour", "bob: five"])
        #expect(read.unreadable == ["not a valid mcabber line"])
    }

    @Test func `poezio's further lines begin with a space`() throws {
        let read = try read("MR 20261121T06:23:11Z 002 <alice> \u{A0}one\n two\n   three\n")
        #expect(read.told.last == "alice: one\ntwo\n  three")
    }

    @Test func `the list of people is not their arrival, and a repeated topic is not a message`() throws {
        let read = try read(
            """
            MI 20261121T06:23:10Z 000 alice has joined
            MI 20261121T06:23:11Z 001 bob has been kicked from room@rooms.example.org by alice
            Reason: loud
            MI 20261121T06:23:12Z 000 alice has set the topic to: words
            MR 20261121T06:23:12Z 001 <alice> [words]

            MR 20261121T06:23:13Z 001 ~ []

            MR 20261121T06:23:14Z 000 <alice> [words]

            """)
        #expect(
            read.told.dropFirst() == [
                "system: alice has joined", "kick alice: bob: loud", "topic alice: words", "alice: [words]",
            ])
    }

    @Test func `a conversation of two has the other person's address, and marks one's own messages`() throws {
        let text = """
            SA 20261121T06:23:10Z 000 lunch
            MR 20261121T06:23:11Z 000 <hi>
            MS 20261121T06:23:12Z 000 /me waves

            """
        let read = try LogReading(MCabberFormat.self, text, path: "histo/alice@example.org")
        #expect(
            read.told == ["system: alice@example.org is away: lunch", "alice@example.org: <hi>", "action you: waves"])
        #expect(read.messages.allSatisfy { $0.room == "alice@example.org" && $0.isDirect })
        let own = try LogReading(
            MCabberFormat.self, "MR 20261121T06:23:11Z 000 <alice> \u{A0}hi\n",
            path: "logs/room@rooms.example.org\\alice")
        #expect(own.messages.map(\.room) == ["room@rooms.example.org/alice"])
        #expect(own.told == ["alice: hi"])
    }

    @Test(arguments: ["MR 20261121T06:23:10Z 000 <alice> hi", "MI 20261121T06:23:10Z 000 The topic has been cleared"])
    func `a join in the second of one's own entry is a join after the list of people`(line: String) throws {
        let join = "MI 20261121T06:23:10Z 000 bob has joined\n"
        let read = try read("MI 20261121T06:23:10Z 000 alice has joined\n" + line + "\n" + join)
        #expect(read.told.first == "join carol" && read.told.last == "join bob")
        #expect(read.told.count { $0.hasPrefix("join") } == 2)
    }
}
