import ChatModel
import Testing

@testable import LogFormats

struct LimnoriaTests {
    @Test(arguments: [
        ("*** alice <alice!~a@host> has joined #example", "join alice"),
        ("*** alice <alice!~a@host> has left #example (bye)", "leave alice: bye"),
        ("*** alice <alice!~a@host> has left #example ()", "leave alice"),
        ("*** alice <alice!~a@host> has quit IRC (Quit: bye)", "leave alice: Quit: bye"),
        ("*** alice changes topic to \"it's 'new'\"", "topic alice: it's 'new'"),
        ("*** alice changes topic to \"\"", "topic alice: "),
        ("* alice has joined #example", "action alice: has joined #example"),
    ])
    func `Limnoria's lines are read`(line: String, told: String) throws {
        let read = try LogReading(
            LimnoriaFormat.self, "2026-11-21T06:23:11  \(line)", path: "ChannelLogger/libera/#example/#example.log")
        #expect(read.told == [told])
    }

    @Test(arguments: [
        ("ChannelLogger/libera/#example/#example.log", "#example"),
        ("ChannelLogger/libera/#mixed/#mixed.log", "#Mix/ed"),
        ("ChannelLogger/libera/#example/#example.11-21.log", "#example"),
    ])
    func `the lines or the path name the room and the network`(path: String, room: String) throws {
        let joined = path.contains("mixed") ? "2026-11-21T06:23:12  *** bob <bob!~b@host> has joined #Mix/ed\n" : ""
        let text = "2026-11-21T06:23:11  <alice> hi\n" + joined
        let read = try LogReading(LimnoriaFormat.self, text, path: path)
        #expect(Set(read.messages.map(\.room)) == [room])
        #expect(Export.recognising(text, path: path) == ["limnoria"])
        #expect(LimnoriaFormat.accountName(in: LogReading.source([], path: path)) == "libera")
    }

    @Test func `irssi's lines with such times are irssi's`() {
        let text = "2026-11-21T06:23:11  * alice waves\n2026-11-21T06:23:12 < alice> hi\n"
        #expect(Export.recognising(text, path: "#example.log") == ["irssi"])
    }
}
