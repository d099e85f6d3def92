import ChatModel
import Foundation
import Testing

@testable import Rendering

struct JSONValueTests {
    @Test func `any string gives valid JSON and is read back unchanged`() throws {
        let hostile = (0...0x2FF).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{2029}", "\u{202E}", "\u{10FFFF}"]
        let text = String(String.UnicodeScalarView(hostile)) + "\r\n\"\\/ 우리집 👨‍👩‍👧‍👦"
        let json = JSONValue.array([.string(text)]).text
        let back = try JSONDecoder().decode([String].self, from: Data(json.utf8))
        #expect(back.first.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
        #expect(!json.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) || $0.value < 0x20 })
        #expect(!json.unicodeScalars.contains("\u{2028}"))
    }

    @Test func `a line of an export has no control characters and is read back unchanged`()
        throws
    {
        let text = String(String.UnicodeScalarView((0...0x2FFF).compactMap(Unicode.Scalar.init))) + "우리집 👨‍👩‍👧‍👦 â\u{80}"
        let line = try JSONLine.bytes([text: [text]])
        #expect(line.last == UInt8(ascii: "\n"))
        let back = try JSONDecoder().decode([String: [String]].self, from: Data(line))
        #expect(back.values.first?.first.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
        let shown = String(decoding: line.dropLast(), as: UTF8.self).unicodeScalars
        #expect(!shown.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        #expect(!shown.contains { $0 == "\u{2028}" || $0 == "\u{2029}" })
    }

    @Test func `keys stay in the given order`() {
        let value = JSONValue.object(["b": .null, "a": .array([.bool(true), .number(-3)])])
        #expect(value.text == #"{"b": null, "a": [true, -3]}"#)
    }

    @Test(arguments: [
        ("", #""""#), ("민수 café", #""민수 café""#), ("“hi” – «b»", #""“hi” – «b»""#), ("a\"b\\\n", #""a\"b\\\n""#),
        ("\u{85}\u{2028}\u{301}", #""\u0085\u2028\#u{301}""#),
    ])
    func `characters that need no escape stay unescaped`(text: String, json: String) {
        #expect(Array(JSONValue.string(text).text.unicodeScalars) == Array(json.unicodeScalars))
    }

    @Test func `a code point in a text has the same escape as alone`() {
        for scalar in (0...0x2FFF).compactMap(Unicode.Scalar.init) + ["\u{FFFD}", "\u{10FFFF}"] {
            let json = JSONValue.string("a\(scalar)b\(scalar)").text
            let escape = JSONValue.escaped(scalar)
            #expect(json.utf8.elementsEqual("\"a\(escape)b\(escape)\"".utf8), "\(scalar.value)")
        }
    }

    @Test(arguments: [0, 7, -7, 10, 99, 100, -100, .max, .min] as [Int64])
    func `a number has the digits of its description`(number: Int64) {
        #expect(JSONValue.number(number).text == "\(number)")
    }

    @Test func `a message is the same as bytes and as a value`() {
        var full = message("“안녕”\n\u{2028}", flags: [.maybeCoalesced, .bot])
        full.workspace = "labour"
        full.sender?.picture = Picture(file: Attachment(path: "/p.png", sha256: "cd"))
        full.via = Message.Via(bot: "bridge", prefix: "<carol> ")
        (full.remoteID, full.editedAt, full.deletedAt) = ("m\"1", sampleTime, Timestamp(microseconds: -1))
        full.attachments = [Attachment(path: "/a.png", sha256: "ab", size: 3), Attachment(path: "/b")]
        full.reply = Message.Reply(remoteID: "m0", id: MessageID(sampleTime))
        full.reactions = [Message.Reaction(text: "👍", by: ["alice", "bob"]), Message.Reaction(text: "x", by: [])]
        var bare = Message.blank
        bare.id = MessageID(microseconds: .min)
        for message in [full, bare, message("hello", flags: [])] {
            var bytes: [UInt8] = [UInt8(ascii: "\n")]
            JSONBytes.append(to: &bytes) { $0.add(message) }
            #expect(String(decoding: bytes, as: UTF8.self) == "\n" + JSONValue(message).text)
        }
    }
}
