import ChatModel
import Testing

@testable import LogFormats

struct SlackdumpTests {
    private static let people = [
        #"{"table":"S_USER","data":{"id":"U1","name":"alice","profile":{"display_name":"Alice"}}}"#,
        #"{"table":"S_USER","data":{"id":"U2","name":"minsu","profile":{"display_name":"민수"}}}"#,
    ]
    private static let rooms = [
        #"{"table":"CHANNEL","data":{"id":"C1","name":"example","is_channel":true,"members":["U1","U2"]}}"#,
        #"{"table":"CHANNEL","data":{"id":"D1","is_im":true,"user":"U2"}}"#,
        #"{"table":"CHANNEL","data":{"id":"G1","is_mpim":true,"name":"mpdm-alice--minsu-1","members":["U1","U2"]}}"#,
    ]

    private func row(_ channel: String, _ message: String) -> String {
        #"{"table":"MESSAGE","channel":"\#(channel)","data":\#(message)}"#
    }

    private func read(_ rows: [String]) throws -> LogReading {
        try DatabaseRowsTests.read(SlackdumpFormat.self, Self.people + Self.rooms + rows, networks: [])
    }

    @Test func `Slack's messages have the names of people and rooms`() throws {
        let read = try read([
            row(
                "C1",
                #"{"type":"message","user":"U1","ts":"1795242191.000200","text":"hi <@U2> in <#C1>","edited":{"user":"U1","ts":"1795242195.000000"}}"#
            ),
            row(
                "C1",
                #"{"type":"message","user":"U2","ts":"1795242192.000200","thread_ts":"1795242191.000200","text":"ho","reactions":[{"name":"wave","count":1,"users":["U1"]}]}"#
            ),
            row("D1", #"{"type":"message","user":"U1","ts":"1795242193.000200","text":"psst","blocks":null}"#),
            row("G1", #"{"type":"message","user":"U1","ts":"1795242194.000200","text":"all"}"#),
            row(
                "C9",
                #"{"type":"message","subtype":"channel_join","user":"U1","ts":"1795242195.000200","text":"<@U1> has joined"}"#
            ),
        ])
        #expect(read.told == ["Alice: hi @민수 in #example", "민수: ho", "Alice: psst", "Alice: all", "join Alice"])
        #expect(read.unreadable == [])
        #expect(read.messages.map(\.room) == ["example", "example", "민수", "Alice, 민수", "C9"])
        #expect(read.messages.map(\.roomKey) == ["C1", "C1", "D1", "G1", "C9"])
        #expect(read.messages.map(\.roomKind) == [.channel, .channel, .direct, .group, .channel])
        #expect(read.messages[0].senderKey == "U1" && read.messages[0].editedAt != nil)
        #expect(read.messages[1].replyTo == "1795242191.000200" && read.messages[1].reactions.map(\.user) == ["Alice"])
    }

    @Test func `a message without Slack's object is reported`() throws {
        let read = try read([row("C1", "null"), row("C1", #"{"type":"message","ts":"x"}"#), row("C1", "{\"ts\":")])
        #expect(read.messages.isEmpty && read.unreadable.count == 3)
    }

    @Test func `a slackdump folder is read by its database`() {
        #expect(SlackdumpFormat.files(among: ["slackdump.sqlite", "__uploads/F1/a.png"]) == [0])
        #expect(SlackdumpFormat.files(among: ["a.txt", "in/slackdump.sqlite"]) == nil)
        let source = DatabaseRowsTests.source(DatabaseHeader(database: "slackdump", workspace: "Example Team"))
        #expect(SlackdumpFormat.accountName(in: source) == "Example Team")
    }
}
