import ChatModel
import Testing

@testable import LogFormats

struct SopelTests {
    @Test(arguments: [
        ("*** alice has joined #Mix/ed", "join alice"), ("*** alice has left bye", "leave alice: bye"),
        ("*** alice has quit IRC", "leave alice"),
        ("*** alice changed the topic to all about it", "topic alice: all about it"),
        ("*** alice is now known as None", "system: alice is now known as None"),
        ("*** alice was here", "system: alice was here"),
    ])
    func `sopel-chanlogs' lines are read, with the room`(line: String, told: String) throws {
        let text = "2026-11-21T06:23:11+00:00  *** bob has joined #Mix/ed\n2026-11-21T06:23:12+00:00  \(line)"
        let read = try LogReading(SopelFormat.self, text, path: "mix__ed-2026-11-21.log")
        #expect(read.told == ["join bob", told])
        #expect(read.messages.map(\.room) == ["#Mix/ed", "#Mix/ed"])
    }

    @Test func `a log without a join has the name of its file`() throws {
        let text = "2026-11-21T06:23:11+00:00  <alice> hi\n"
        for (name, isDirect) in [("example-2026-11-21.log", false), ("alice-2026-11-21.log", true)] {
            let read = try LogReading(SopelFormat.self, text, path: name)
            #expect(read.messages.map(\.room) == [String(name.prefix { $0 != "-" })])
            #expect(read.messages.map(\.isDirect) == [isDirect])
            #expect(Export.recognising(text, path: name) == ["sopel"])
        }
    }
}
