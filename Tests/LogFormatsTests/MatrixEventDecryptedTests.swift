import ChatModel
import LogFormats
import Testing

struct MatrixEventDecryptedTests {
    private static let room = "!r:example.org"

    private func read(_ inner: String, relation: String = "") throws -> MatrixEvent {
        let outer = """
             {"type": "m.room.encrypted", "event_id": "$1", "sender": "@alice:example.org", "origin_server_ts": 1795242191123,
              "content": {"algorithm": "x"\(relation)}, "unsigned": {"redacted_because": {"sender": "@bob:example.org"}}}
            """
        return try MatrixEvent(Array(outer.utf8), decrypted: Array(inner.utf8), room: Self.room)
    }

    private func inner(_ content: String) -> String {
        #"{"room_id": "\#(Self.room)", "type": "m.room.message", "content": \#(content)}"#
    }

    @Test func `an event has the decrypted content, and everything else of the encrypted event`() throws {
        let event = try read(inner(#"{"msgtype": "m.text", "body": "hi"}"#))
        #expect((event.id, event.type, event.sender) == ("$1", "m.room.message", "@alice:example.org"))
        #expect(event.meaning == .message(.init(kind: .message, body: "hi", flags: []), replyTo: nil))
    }

    @Test(arguments: [#", "m.relates_to": {"m.in_reply_to": {"event_id": "$0"}}"#])
    func `the relation comes from the encrypted event, unless the content has its own`(relation: String) throws {
        let event = try read(inner(#"{ "msgtype": "m.text", "body": "hi"}"#), relation: relation)
        #expect(event.meaning == .message(.init(kind: .message, body: "hi", flags: []), replyTo: "$0"))
        let own = #"{"msgtype": "m.text", "body": "hi", "m.relates_to": {"m.in_reply_to": {"event_id": "$9"}}}"#
        let other = try read(inner(own), relation: relation)
        #expect(other.meaning == .message(.init(kind: .message, body: "hi", flags: []), replyTo: "$9"))
        #expect(try read(inner("{}"), relation: relation).meaning == .nothing)
    }

    @Test(arguments: [
        "", "[]", #"{"type": "m.room.message", "content": 7}"#, #"{"content": {}}"#, #"{"type": 1, "content": {}}"#,
    ])
    func `a text of another form is not an event`(text: String) {
        #expect(reason { _ = try read(text) } == "its text has an unknown form")
    }

    @Test func `a text of another room is not an event`() {
        let text = #"{"room_id": "!other:example.org", "type": "m.room.message", "content": {}}"#
        #expect(reason { _ = try read(text) } == "it was encrypted for another room")
    }

    private func reason(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? MatrixEvent.Unreadable)?.reason }
        return nil
    }
}
