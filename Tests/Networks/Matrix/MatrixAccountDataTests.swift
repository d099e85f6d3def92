import Testing

@testable import MatrixWire

/// The account's own settings and receipts, as homeservers and other programs write them.
struct MatrixAccountDataTests {
    private func read(_ text: String) -> MatrixAccountData? { MatrixAccountData(event: Array(text.utf8)) }

    @Test func `only direct rooms and ignored people are read`() {
        #expect(
            read(#"{"type": "m.direct", "content": {"@b:x": ["!1:x", "!2:x"], "@a:x": ["!2:x"]}}"#)
                == .direct(["!1:x": "@b:x", "!2:x": "@a:x"]))
        #expect(
            read(#"{"type": "m.ignored_user_list", "content": {"ignored_users": {"@spam:x": {}, "@a:x": {"why": 1}}}}"#)
                == .ignored(["@a:x", "@spam:x"]))
        #expect(MatrixAccountData(type: "m.direct", content: Array("{}".utf8)) == .direct([:]))
        for text in [
            "", "{}", "[]", #"{"type": "m.direct"}"#, #"{"type": "m.direct", "content": {"@a:x": "!1:x"}}"#,
            #"{"type": "m.ignored_user_list", "content": {}}"#, #"{"type": "m.push_rules", "content": {}}"#,
            #"{"type": 1}"#,
        ] { #expect(read(text) == nil, "\(text)") }
    }

    @Test func `the account's latest receipt counts, except for threads`() {
        func latest(_ text: String) -> MatrixReceipt? { MatrixReceipt.latest(in: Array(text.utf8), of: "@me:x") }
        let receipts = """
            {"type": "m.receipt", "content": {
              "$1": {"m.read": {"@me:x": {"ts": 100}, "@other:x": {"ts": 900}}},
              "$2": {"m.read.private": {"@me:x": {"ts": 300, "thread_id": "main"}}},
              "$3": {"m.read": {"@me:x": {"ts": 800, "thread_id": "$root"}}},
              "$4": {"org.example": {"@me:x": {"ts": 999}}}}}
            """
        #expect(latest(receipts) == MatrixReceipt(event: "$2", milliseconds: 300))
        #expect(latest(#"{"content": {"$1": {"m.read": {"@me:x": {}}}}}"#) == MatrixReceipt(event: "$1"))
        for text in ["", "{}", #"{"content": []}"#, #"{"content": {"$1": {"m.read": {"@other:x": {"ts": 1}}}}}"#] {
            #expect(latest(text) == nil, "\(text)")
        }
    }

    @Test func `an invitation's event is read, with names cut`() {
        func event(_ name: String) -> MatrixStrippedEvent? {
            MatrixStrippedEvent(
                Array(
                    #"{"type": "m.room.name", "state_key": "", "sender": "@a:x", "content": {"name": "\#(name)"}}"#.utf8
                ))
        }
        #expect(event("가족")?.content.name == "가족")
        #expect(event(String(repeating: "가", count: 5000))?.content.name?.count == 256)
        #expect(event("a\\u0000b")?.content.name == "ab")
        #expect(MatrixStrippedEvent(Array(#"{"type": "m.room.name"}"#.utf8)) == nil)
    }
}
