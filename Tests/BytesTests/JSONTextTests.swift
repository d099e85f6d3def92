import Bytes
import Foundation
import Testing

struct JSONTextTests {
    @Test(arguments: [
        #""""#, #""a b""#, #""한글 👋""#, #""a\nb\"\\\/\b\f\r\t""#, #""\ud55c\uAE00 \ud83d\udc4b""#, #""\u0000""#,
    ])
    func `a string is the text that Foundation reads`(json: String) throws {
        #expect(try JSONText.string(Array(json.utf8)) == JSONDecoder().decode(String.self, from: Data(json.utf8)))
    }

    @Test(arguments: [
        "", "\"", "a", "\"a", "a\"", #""a"b""#, #""\"#, #""\q""#, #""\x1F""#, #""\u12""#, #""\u12g4""#, #""\ud83d""#,
        #""\ud83d\u0041""#, #""\udc4b""#, "\"a\tb\"", "\"a\nb\"", "null", "7",
    ])
    func `a value other than a string has no text`(json: String) {
        #expect(JSONText.string(Array(json.utf8)) == nil)
        #expect((try? JSONDecoder().decode(String.self, from: Data(json.utf8))) == nil)
    }

    @Test func `bytes that are not UTF-8 have no text`() {
        #expect(JSONText.string([0x22, 0xFF, 0x22]) == nil)
    }
}
