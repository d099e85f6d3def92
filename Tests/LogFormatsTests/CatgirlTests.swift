import ChatModel
import Testing

@testable import LogFormats

struct CatgirlTests {
    @Test(arguments: [
        ("bob arrives in #Mix/ed", "join bob"), ("bob leaves #Mix/ed: bye", "leave bob: bye"),
        ("bob leaves #Mix/ed: ", "leave bob"), ("bob leaves: \"bye\"", "leave bob: \"bye\""),
        ("bob leaves", "leave bob"),
        ("alice kicks bob out of #Mix/ed: loud", "kick alice: bob: loud"),
        ("bob is now known as bob2", "rename bob: bob2"),
        ("alice places a new sign in #Mix/ed: all: about", "topic alice: all: about"),
        ("alice removes the sign in #Mix/ed", "topic alice: "),
        ("alice sets @bob +o operator in #Mix/ed", "mode alice: +o bob"),
        ("alice unsets +bob -v voice in #Mix/ed", "mode alice: -v bob"),
        ("alice bans +b *!*@host from #Mix/ed", "mode alice: +b *!*@host"),
        ("alice sets #Mix/ed +t protected topic", "mode alice: +t"),
        ("alice sets #Mix/ed +l client limit 80", "mode alice: +l 80"),
        ("* bob arrives in #Mix/ed", "action bob: arrives in #Mix/ed"), ("-bob- psst", "notice bob: psst"),
        ("alice sets the table", "system: alice sets the table"),
    ])
    func `catgirl's lines are read, with the room`(line: String, told: String) throws {
        let text = "[2026-11-21T06:23:11-0930] bob arrives in #Mix/ed\n[2026-11-21T06:23:12-0930] \(line)"
        let read = try LogReading(CatgirlFormat.self, text, path: "log/host/#Mix_ed/2026-11-21.log")
        #expect(read.told == ["join bob", told])
        #expect(read.messages.map(\.room) == ["#Mix/ed", "#Mix/ed"])
        #expect(read.times == ["21T15:53:11", "21T15:53:12"])
    }

    @Test(arguments: [("#example", false), ("alice", true)])
    func `the folders name the window and the network`(folder: String, isDirect: Bool) throws {
        let (path, text) = ("log/irc.example.net/\(folder)/2026-11-21.log", "[2026-11-21T06:23:11+0900] <alice> hi\n")
        let read = try LogReading(CatgirlFormat.self, text, path: path)
        #expect(read.messages.map(\.room) == [folder])
        #expect(read.messages.map(\.isDirect) == [isDirect])
        #expect(read.times == ["20T21:23:11"])
        #expect(Export.recognising(text, path: path) == ["catgirl"])
        #expect(CatgirlFormat.accountName(in: LogReading.source([], path: path)) == "irc.example.net")
    }
}
