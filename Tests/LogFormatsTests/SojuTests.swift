import ChatModel
import Testing

@testable import LogFormats

struct SojuTests {
    private func read(_ raw: String, target: String = "#example") throws -> LogReading {
        try DatabaseRowsTests.read(
            SojuFormat.self,
            [#"{"network":"1","target":"\#(target)","time":"2026-11-21T06:23:11.123Z","raw":"\#(raw)"}"#])
    }

    @Test(arguments: [
        ("@time=2026-11-21T06:23:11.123Z;a=b :alice!~a@host PRIVMSG #example :hi  there ", "alice: hi  there "),
        (":alice PRIVMSG #example hi", "alice: hi"), (":alice!a@b PRIVMSG #example :", "alice: "),
        (#":alice!a@b PRIVMSG #example :\u0001ACTION waves\u0001"#, "action alice: waves"),
        (#":alice!a@b PRIVMSG #example :\u0001ACTION\u0001"#, "action alice: "),
        (#":alice!a@b PRIVMSG #example :\u0001VERSION\u0001"#, "alice: CTCP VERSION"),
        (":alice!a@b NOTICE #example :psst", "notice alice: psst"), (":alice!a@b JOIN #example", "join alice"),
        (":alice!a@b PART #example :bye", "leave alice: bye"), (":alice!a@b QUIT :bye", "leave alice: bye"),
        (":alice!a@b QUIT", "leave alice"), (":alice!a@b KICK #example bob :loud", "kick alice: bob: loud"),
        (":alice!a@b NICK bob", "rename alice: bob"),
        (":alice!a@b MODE #example +ov bob carol", "mode alice: +ov bob carol"),
        (":alice!a@b TOPIC #example :words", "topic alice: words"),
        (":alice!a@b INVITE bob #example", "invite alice: bob"),
        (":server 332 me #example :words and", "system: 332 me #example words and"), ("PING", "system: PING"),
        (":alice!a@b PRIVMSG", "alice: "),
    ])
    func `a network line is read as a listener reads it`(raw: String, told: String) throws {
        let read = try read(raw)
        #expect(read.told == [told] && read.unreadable == [])
        #expect(read.messages.first?.time.description == "2026-11-21T06:23:11.123000Z")
        #expect(read.messages.first?.remoteID == nil)
    }

    @Test func `a target that is not a channel is a conversation`() throws {
        let messages = try read(":alice!a@b PRIVMSG me :psst", target: "alice").messages
        #expect(messages.map(\.room) == ["alice"] && messages.map(\.isDirect) == [true])
    }

    @Test func `soju's text logs are read as ZNC's`() throws {
        let text =
            "[06:23:11] *** Joins: alice (~a@host)\n[06:23:12] <alice> hi\n[06:23:13] *** alice was kicked by bob ()\n"
        let path = "soju/logs/carol/libera/#example/2026-11-21.log"
        guard case .sure(let format) = Recognition(LogReading.source(Array(text.utf8), path: path)) else {
            Issue.record("not recognised")
            return
        }
        let read = try LogReading(format, text, path: path)
        #expect(format.name == "znc" && format.accountName(in: LogReading.source([], path: path)) == "libera")
        #expect(read.told == ["join alice", "alice: hi", "kick bob: alice"])
    }
}
