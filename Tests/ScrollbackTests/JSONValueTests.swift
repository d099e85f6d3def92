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
}
