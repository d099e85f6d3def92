import ChatModel
import Testing

@testable import LogFormats

struct CirceTests {
    @Test(arguments: [
        ("*** Join: bob (~bob@host)", "join bob"), ("*** Part: bob (~bob@host) left #example: bye", "leave bob: bye"),
        ("*** Part: bob (~bob@host) left #example: ", "leave bob"),
        ("*** Quit: bob (~bob@host) left IRC: \"bye: all\"", "leave bob: \"bye: all\""),
        ("*** Kick: bob kicked by alice (~alice@host): loud (really)", "kick alice: bob: loud (really)"),
        ("*** Nick change: bob (~bob@host) is now known as bob2", "rename bob: bob2"),
        ("*** Topic change by alice (~alice@host): all: about", "topic alice: all: about"),
        ("*** Topic change by alice (~alice@host): ", "topic alice: "),
        ("*** Mode change: +oo bob carol on #example by alice (~alice@host)", "mode alice: +oo bob carol"),
        ("*** Names: alice @bob", "system: Names: alice @bob"), ("> hi", ">: hi"),
    ])
    func `Circe's lines are read`(line: String, told: String) throws {
        let read = try LogReading(
            CirceFormat.self, "[06:23:11] \(line)", path: "#%ED%95%9C%EA%B5%AD%2Fa_2026-11-21.txt")
        #expect(read.told == [told])
        #expect(read.messages.map(\.room) == ["#한국/a"])
    }

    @Test func `Circe's own messages have a sender if the lines give the nick`() throws {
        let text = """
            [06:23:11] *** Join: carol (~carol@host)
            [06:23:11] *** Names: carol @alice
            [06:23:12] > one
            [06:23:13] *** Nick change: You are now known as dave
            [06:23:14] > two
            """
        let read = try LogReading(CirceFormat.self, text, path: "#example_2026-11-21.txt")
        #expect(
            read.told == ["join carol", "system: Names: carol @alice", "carol: one", "rename carol: dave", "dave: two"])
    }

    @Test func `own messages without a nick are those of a word that no nick is`() throws {
        let read = try LogReading(
            CirceFormat.self, "[06:23:11] > hi\n[06:23:12] <alice> hi\n", path: "alice_2026-11-21.txt")
        #expect(read.told == [">: hi", "alice: hi"])
        #expect(read.messages.allSatisfy { $0.room == "alice" && $0.isDirect })
        #expect(CirceFormat.ownerWords == [">"])
    }

    @Test(arguments: [
        ("#example_2026-11-21.txt", "<alice> hi", "circe"), ("alice_2026-11-21.txt", "<alice> hi", "circe"),
        ("irc.example.net:6697_2026-11-21.txt", "*** Connecting...", "circe"),
        ("#example_2026-11-21.log", "<alice> hi", "znc"), ("#example_20261121.txt", "<alice> hi", "znc"),
    ])
    func `Circe's names of files decide`(name: String, line: String, format: String) {
        #expect(Export.recognising("[06:23:11] \(line)", path: name) == [format])
    }
}
