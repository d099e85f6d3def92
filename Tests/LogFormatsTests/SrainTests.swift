import ChatModel
import Testing

@testable import LogFormats

struct SrainTests {
    private func read(_ lines: String..., path: String = "logs/libera/2026-11-21.#example.log") throws -> LogReading {
        try LogReading(SrainFormat.self, lines.joined(separator: "\n") + "\n", path: path)
    }

    @Test(arguments: [
        ("<alice> hi", "alice: hi"), ("<alice>    three", "alice:    three"),
        ("<alice> <bob> pasted", "alice: <bob> pasted"),
        ("* alice waves", "action alice: waves"), ("= bob has joined", "join bob"), ("= bob has left", "leave bob"),
        ("= bob has left: bye (now)", "leave bob: bye (now)"),
        ("= bob has quit: \"see you\"", "leave bob: \"see you\""),
        ("! bob are kicked by alice: loud [really]", "kick alice: bob: loud [really]"),
        ("= bob is now known as 민수", "rename bob: 민수"), ("= mode #example +v bob  by alice", "mode alice: +v bob"),
        ("= alice changed topic to:\n\tall: about 'tea'", "topic alice: all: about 'tea'"),
        ("= You have joined the channel", "system: You have joined the channel"),
        ("! no such nick", "system: no such nick"), ("<alice> = bob has joined", "alice: = bob has joined"),
    ])
    func `each line has its kind, sender and text`(line: String, told: String) throws {
        let read = try read("[06:23:11] " + line)
        #expect(read.told == [told] && read.unreadable == [] && read.times == ["21T06:23:11"])
        #expect(read.messages.allSatisfy { $0.room == "#example" && !$0.isDirect })
    }

    @Test(arguments: ["words", "\twords", "[06:23] <alice> hi", "[06:23:11] words"])
    func `another line is unreadable`(line: String) throws {
        let read = try read(line)
        #expect(read.messages.isEmpty && read.unreadable.count == 1)
    }

    @Test(arguments: [
        ("logs/libera/2026-11-21.alice.log", "alice", true), ("logs/libera/2026-11-21.libera.log", "libera", false),
        ("logs/libera/2026-11-21.#한국.log", "#한국", false),
    ])
    func `the file's name has the window`(path: String, room: String, isDirect: Bool) throws {
        let read = try read("[06:23:11] <alice> hi", path: path)
        #expect(read.messages.map(\.room) == [room] && read.messages.allSatisfy { $0.isDirect == isDirect })
    }
}
