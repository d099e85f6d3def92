import ChatModel
import Testing

@testable import LogFormats

struct NamedJSONTests {
    private func read(
        _ text: String, columns: String = "time=ts,sender=user.name,text=content.0.text", room: String? = "example"
    ) throws -> LogReading {
        try LogReading(
            NamedJSONFormat.self, text, path: "chat.jsonl", room: room,
            choices: SourceChoices(columns: try ColumnMapping(columns)))
    }

    @Test func `keys are read at any depth, in lists, and with dots in them`() throws {
        let read = try read(
            """
            {"ts": 1795242191123, "user": {"name": "alice"}, "content": [{"text": "hi\\nthere"}, {}]}
            {"ts": "2026-11-21T06:23:12Z", "user.name": "bob", "content.0": {"text": "ho"}}
            {"ts": 1795242193.5, "user": {"name": 7}, "content": [{"text": true}]}

            {"ts": 1795242194, "content": []}
            """)
        #expect(read.told == ["alice: hi\nthere", "bob: ho", "7: 1", "system"])
        #expect(read.times == ["21T06:23:11", "21T06:23:12", "21T06:23:13", "21T06:23:14"])
        #expect(read.unreadable == [])
    }

    @Test func `the owner's messages are by "you", even without a sender`() throws {
        let read = try read(
            """
            {"ts": 1795242191, "user": "bob", "out": true, "text": "hi"}
            {"ts": 1795242192, "user": "bob", "out": false, "text": "ho"}
            {"ts": 1795242193, "out": 1, "text": "hu"}
            """, columns: "time=ts,sender=user,text=text,own=out")
        #expect(read.told == ["you: hi", "bob: ho", "you: hu"])
    }

    @Test func `an invalid line is reported, and the next is read`() throws {
        let deep = String(repeating: "[", count: 100_000)
        let read = try read(
            """
            {"ts": 1795242191, "text"
            [1, 2]
            null
            {"user": {"name": "a"}}
            {"ts": \(deep)}
            {"ts": {"a": 1}, "content": [{"text": "x"}]}
            {"ts": 1795242191, "user": {"name": "a"}, "content": [{"text": "hi"}]}
            """)
        #expect(read.told == ["a: hi"])
        #expect(
            read.unreadable == Array(repeating: "it is not a JSON object", count: 3) + [
                "it has no time", "it is not a JSON object", "it has no time",
            ])
    }

    @Test func `long lines and texts are cut, and missing columns are an error with advice`() throws {
        let long = #"{"ts": 1795242191, "text": ""# + String(repeating: "x", count: NamedJSONFormat.maximumLine) + "\"}"
        let read = try read(
            long + "\n{\"ts\": 1795242192, \"text\": \"\(String(repeating: "y", count: 70_000))\"}",
            columns: "time=ts,text=text")
        #expect(read.unreadable == ["longer than 1048576 bytes"])
        #expect(read.messages.map { $0.body?.utf8.count } == [65_536])
        let text = #"{"meta": {"createdAt": 1795242191}, "from": {"username": "alice"}, "message": "hi"}"#
        #expect(
            throws: LogSourceError.unusable(
                reason: "its columns are not named",
                hint: "for example: --columns time=meta.createdAt,sender=from.username,text=message --room chat")
        ) { try LogReading(NamedJSONFormat.self, text, path: "chat.jsonl") }
    }
}
