import ChatModel
import Foundation
import Testing

@testable import LogFormats

struct JSONValueTests {
    private func value(_ text: String) throws -> JSONValue {
        try JSONValue(LogLine(number: 1, bytes: Array(text.utf8)[...]), limit: 1000)
    }

    private func reason(_ body: () throws(UnreadablePiece) -> Void) -> String? {
        do throws(UnreadablePiece) {
            try body()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `an object's values are found by key, and null counts as missing`() throws {
        let json = try value(
            #" {"a": "x", "b": 7, "c": null, "d": [1, null, "y"], "e": {"a": true}, "\u0066": false, "g": -1.5e3} "#)
        #expect(try json.text("a") == "x")
        #expect(try (json.scalar("a")?.text, json.scalar("b")?.integer, json.scalar("g")?.text) == ("x", 7, "-1.5e3"))
        #expect(json["c"] == nil && json["z"] == nil)
        #expect(try json.list("d").map { try $0.scalar().text } == ["1", "y"])
        #expect(try json.list("z").isEmpty)
        #expect(try (json.object("e")?.isTrue("a"), json.isTrue("f"), json.isTrue("c")) == (true, false, false))
    }

    @Test func `a missing value or wrong type is named by its path`() throws {
        let json = try value(#"{"a": [{"b": [[0], {"c": 7}]}, 5], "d": {"e": {"f": "x"}}}"#)
        func reason(_ body: (JSONValue) throws(UnreadablePiece) -> Void) -> String? {
            self.reason { () throws(UnreadablePiece) in try body(json) }
        }
        #expect(reason { json throws(UnreadablePiece) in _ = try json.text("a") } == "its \"a\" has the wrong type")
        #expect(
            reason { json throws(UnreadablePiece) in _ = try json.objects("a") } == "its \"a[1]\" has the wrong type")
        #expect(
            reason { json throws(UnreadablePiece) in
                _ = try json.list("a")[0].list("b")[1].text("c")
            } == "its \"a[0].b[1].c\" has the wrong type")
        #expect(
            reason { json throws(UnreadablePiece) in
                _ = try json.object("d")?.object("e")?.isTrue("f")
            } == "its \"d.e.f\" has the wrong type")
        #expect(reason { json throws(UnreadablePiece) in _ = try json.required("z") } == "it has no \"z\"")
        #expect(
            reason { json throws(UnreadablePiece) in _ = try json.object("d")?.required("z") } == "it has no \"d.z\"")
        #expect(
            reason { json throws(UnreadablePiece) in _ = try json.list("a")[0].required("z") } == "it has no \"a[0].z\""
        )
    }

    @Test(arguments: [
        (#""a\nb\"\\\/\b\f\r\t""#, "a\nb\"\\/\u{8}\u{C}\r\t"), (#""\ud55c\uAE00 \ud83d\udc4b""#, "한글 👋"),
        (#""\x1F""#, "\u{1F}"), ("\"\t민수\"", "\t민수"), (#""""#, ""),
    ])
    func `a text is read without escapes`(json: String, text: String) throws {
        let value = try value(json)
        #expect(value.text == text)
        #expect(value.flags.isEmpty)
    }

    @Test func `half characters and invalid UTF-8 are replaced and flagged`() throws {
        let half = try value(#""a\ud83db\udc4bc\ud83d\u0041""#)
        #expect(half.text == "a\u{FFFD}b\u{FFFD}c\u{FFFD}A")
        #expect(half.flags == .invalidUTF8)
        let bytes: [UInt8] = [0x22, 0x61, 0xFF, 0x22]
        let invalid = try JSONValue(LogLine(number: 1, bytes: bytes[...]), limit: 10)
        #expect(invalid.flags.isEmpty, "no text was read yet")
        #expect(invalid.text == "a\u{FFFD}")
        #expect(invalid.flags == .invalidUTF8)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "]", "{}}", "[1 2]", "[1,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{1:2}", "\"",
        "\"\\\"",
        "\"\\q\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\x1\"", "tru", "truee", "01", "-", "1.", ".5", "1e", "1e+", "+1",
        "NaN", "1 x",
        "[}", "{]", "[\"a]",
    ])
    func `invalid JSON is refused`(text: String) {
        #expect(reason { () throws(UnreadablePiece) in _ = try JSONTree(Array(text.utf8)[...]) } == "it is not JSON")
    }

    @Test func `a piece that is cut, broken, too deep or too full is refused with the reason`() {
        func reason(of line: LogLine) -> String? {
            self.reason { () throws(UnreadablePiece) in _ = try JSONValue(object: line, limit: 10) }
        }
        #expect(reason(of: LogLine(number: 1, bytes: [0x7B], isCut: true)) == "longer than 10 bytes")
        #expect(reason(of: LogLine(number: 1, bytes: [0x37])) == "it is not a JSON object")
        let broken = JSONPieceCutter.brokenPlace
        #expect(reason(of: LogLine(number: 1, bytes: [], place: broken)) == "the file ends in the middle of its JSON")
        #expect(reason(of: LogLine(number: 1, bytes: [0x2C], place: broken)) == "the JSON is invalid here")
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect((try? JSONTree(nested(512)[...])) != nil)
        #expect((try? JSONTree(nested(513)[...])) == nil)
        let many = Array(("[" + String(repeating: "1,", count: 99_998) + "1]").utf8)
        #expect((try? JSONTree(many[...])) != nil)
        let more = Array(("[" + String(repeating: "1,", count: 99_999) + "1]").utf8)
        #expect(self.reason { () throws(UnreadablePiece) in _ = try JSONTree(more[...]) } == "more than 100000 values")
    }

    @Test(arguments: 0..<200)
    func `random documents give Foundation's values, and damaged ones are refused alike`(
        seed: Int
    ) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let document = JSONPieces.document(depth: 4, using: &random)
        let text = try JSONPieces.text(document)
        try expect(value(text), equals: document)
        for _ in 0..<20 {
            let bytes = Mutation.of(Array(text.utf8), using: &random)
            let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            let ours = try? JSONTree(bytes[...])
            // Foundation refuses what is no UTF-8, and numbers that it can't represent.
            if theirs != nil { #expect(ours != nil, "\(String(decoding: bytes, as: UTF8.self))") }
        }
    }

    private func expect(_ value: JSONValue, equals object: NSObject) throws {
        switch object {
        case let object as NSDictionary:
            #expect(value.isObject)
            for (key, inner) in object {
                let key = try #require(key as? String)
                let found = try #require(Self.keys.first { $0.description == key })
                if inner is NSNull { #expect(value[found] == nil) }
                if let inner = inner as? NSObject, !(inner is NSNull) {
                    try expect(#require(value[found]), equals: inner)
                }
            }
        case let list as NSArray:
            let elements = try value.allElements()
            #expect(elements.count == list.count)
            for (element, inner) in zip(elements, list) {
                if let element, let inner = inner as? NSObject { try expect(element, equals: inner) }
            }
        case let text as NSString: #expect(value.text == text as String)
        case is NSNull: #expect(value.isNull)
        default: #expect(value.text == nil && !value.isList && !value.isObject)
        }
    }

    private static let keys: [StaticString] = ["a", "b", "c", "d\"}", "민수", "name", "messages", "chats", "list", "x"]
}
