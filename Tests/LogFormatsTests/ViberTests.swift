import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The tables are those of github.com/gsakkis/ViberExtractor (viber.py), of github.com/karlicoss/promnesia
/// (src/promnesia/sources/viber.py) and of github.com/r0073rr0r/ViberPC-Export (viberkit/model.py, viberkit/enrich.py).
/// Ids, reactions, edits and deletions are in github.com/everysaid/everysaid (internal/importers/viber.go,
/// viber_desktop_test.go), which has the tables as Viber creates them.
struct ViberTests {
    private static let alice = #"{"table":"participant","chat":"1","person":"alice","key":"+15550100","own":"0"}"#
    private static let me = #"{"table":"participant","chat":"1","person":"me","key":"+15550199","own":"1"}"#

    private func row(
        _ fields: String = "", text: String = "hi", own: String = "0", id: String = "100", type: String = "1"
    ) -> String {
        #"{"table":"message","chat":"1","time":"1795242191123","own":"\#(own)","event":"0","person":"alice","key":"+15550100","type":"\#(type)","text":"\#(text)","id":"\#(id)"\#(fields)}"#
    }

    private func read(_ rows: String...) throws -> LogReading {
        try DatabaseRowsTests.read(ViberFormat.self, rows, networks: [])
    }

    @Test func `a conversation is known by the other person's number, and a message by Viber's id`() throws {
        let read = try read(Self.alice, Self.me, row(), row(own: "1", id: "101"))
        #expect(read.told == ["alice: hi", "you: hi"] && read.unreadable == [])
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            read.messages.first
                == ImportedMessage(
                    room: "alice", roomKey: "+15550100", roomKind: .direct, kind: .message, sender: "alice",
                    senderKey: "+15550100", body: "hi", time: time, resolution: .microsecond, remoteID: "100"))
    }

    @Test(arguments: [
        (#","chat_name":"plans","chat_key":"7701""#, "plans 7701 group"),
        (#","chat_name":"news","chat_key":"7702","chat_type":"3""#, "news 7702 channel"),
        ("", "alice, bob - group"),
    ])
    func `a group has its name and id, or is called by its people`(fields: String, room: String) throws {
        let bob = Self.alice.replacing("alice", with: "bob")
        let message = try #require(try read(bob, Self.alice, Self.me, row(fields)).messages.first)
        #expect("\(message.room) \(message.roomKey ?? "-") \(message.roomKind)" == room)
    }

    @Test func `a person's last reaction counts, and one that was taken back does not`() throws {
        func reaction(_ text: String, _ person: String, own: String = "0") -> String {
            #"{"table":"reaction","id":"100","person":"\#(person)","own":"\#(own)","time":"1795242200000","text":"\#(text)"}"#
        }
        let read = try read(
            reaction("1", "alice"), reaction("👍", "alice"), reaction("2", "bob"), reaction("0", "bob"),
            reaction("3", "me", own: "1"), row(), #"{"table":"message","event":"3","type":"0","text":"100","id":"102"}"#
        )
        #expect(read.messages.count == 1 && read.unreadable == [])
        let reactions = try #require(read.messages.first).reactions
        #expect(reactions.map { "\($0.user) \($0.text)" } == ["alice 👍", "you :3:"])
        #expect(reactions.first?.at?.short == "21T06:23:20")
    }

    @Test func `an edit is a newer text of its message, and a deleted message has no text`() throws {
        let edit = #","info":"{\"edit\":{\"token\":\"100\"}}""#
        let later = row(edit, text: "ho", id: "101").replacing("1795242191123", with: "1795242200000")
        let messages = try read(row(), later, row(text: "", id: "103", type: "72")).messages
        #expect(messages.map(\.remoteID) == ["100", "100", "103"])
        #expect(messages[1].body == "ho" && messages[1].time == messages[0].time)
        #expect(messages[1].editedAt?.short == "21T06:23:20")
        #expect(messages[2].body == nil && messages[2].deletedAt == messages[2].time)
        #expect(try read(later).messages.map(\.replyTo) == ["100"])
    }

    @Test(arguments: [
        (
            "9", #","info":"{\"URL\":\"https://example.org/\",\"Title\":\"Plans\"}""#, "",
            "alice: https://example.org/\nPlans"
        ),
        ("4", "", "", "alice: [sticker]"), ("15", "", "joined", "action alice: joined"),
        ("1", #","info":"{\"quote\":{\"text\":\"a\\nb\",\"token\":\"99\"}}""#, "yes", "alice: > a\n> b\nyes"),
        ("1", #","info":"not JSON""#, "hi", "alice: hi"), ("1", #","subject":"look""#, "hi", "alice: look\nhi"),
    ])
    func `the type of a message gives its text`(type: String, fields: String, text: String, told: String) throws {
        #expect(try read(row(fields, text: text, type: type)).told == [told])
    }

    @Test func `a file has its name, and the report counts it`() throws {
        let path = #","path":"C:\\Users\\alice\\ViberDownloads\\a.jpg""#
        let read = try read(
            row(path, text: ""), row(#","info":"{\"fileInfo\":{\"FileName\":\"b.pdf\"}}""# + path, text: "see"))
        #expect(read.messages.map { $0.files.map(\.path) } == [["a.jpg"], ["b.pdf"]])
        #expect(read.messages.map(\.body) == [nil, "see"] && read.assumptions.count == 1)
    }

    @Test func `the tables of old versions have no ids, and their reactions are actions`() throws {
        let old = row().replacing(#","id":"100""#, with: "")
        let read = try read(old, old.replacing(#""event":"0""#, with: #""event":"3""#))
        #expect(read.told == ["alice: hi", "action alice: reacted"])
        #expect(read.messages.map(\.remoteID) == [nil, nil])
    }

    @Test(arguments: [
        (#"{"table":"message","time":"soon","person":"a"}"#, "its time is not a number"),
        (#"{"table":"other"}"#, "it has no known table"), ("{}", "it has no known table"),
    ])
    func `an invalid row is reported once with the reason`(row: String, reason: String) throws {
        let read = try read(row, self.row())
        #expect(read.unreadable == [reason] && read.messages.count == 1)
    }
}
