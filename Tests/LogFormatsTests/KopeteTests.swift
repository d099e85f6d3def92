import ChatModel
import Testing

@testable import LogFormats

struct KopeteTests {
    private func read(_ messages: String, date: String = #"<date month="2" year="2009" />"#, room: String? = nil) throws
        -> LogReading
    {
        let text = """
            <!DOCTYPE kopete-history>
            <kopete-history version="0.9" >
             <head>
              \(date)
              <contact contactId="alice@example.net" type="myself" />
              <contact contactId="bob@example.net" />
             </head>
             \(messages)
            </kopete-history>
            """
        return try LogReading(
            KopeteFormat.self, text, path: "JabberProtocol/alice@example-net/bob@example-net.200902.xml", room: room,
            zone: "Asia/Seoul")
    }

    private static func message(_ time: String, _ text: String = "hi", nick: String = "Bob") -> String {
        #"<msg nick="\#(nick)" in="1" from="bob@example.net" time="\#(time)" >\#(text)</msg>"#
    }

    @Test func `messages have a sender, a text and the local time of a day in the month`() throws {
        let read = try read(Self.message("24 11:53:4", "a &amp; b\nc") + Self.message("25 6:5:2", nick: ""))
        #expect(read.told == ["Bob: a & b\nc", "bob@example.net: hi"])
        #expect(read.times == ["24T02:53:04", "24T21:05:02"])
        #expect(
            read.messages.allSatisfy {
                $0.room == "bob@example.net" && $0.isDirect && $0.senderKey == "bob@example.net"
            })
    }

    @Test(arguments: ["30 1:2:3", "24 24:0:0", "24", "", "24 1:2"])
    func `a message without a true time is unreadable`(time: String) throws {
        let read = try read(Self.message(time))
        #expect(read.messages.isEmpty && read.unreadable.count == 1)
    }

    @Test(arguments: ["", #"<date month="13" year="2009" />"#])
    func `a history without a month has no date`(date: String) {
        #expect(throws: LogSourceError.noDate) { try read(Self.message("24 1:2:3"), date: date) }
    }

    @Test func `the room that the user names counts`() throws {
        #expect(try read(Self.message("24 1:2:3"), room: "Bob").messages.map(\.room) == ["Bob"])
    }
}
