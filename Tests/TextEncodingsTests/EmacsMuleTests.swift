import Testing

@testable import TextEncodings

struct EmacsMuleTests {
    @Test(arguments: [
        ([0x93, 0xC7, 0xD1, 0x93, 0xB1, 0xB9], "한국"), ([0x92, 0xC6, 0xFC, 0x92, 0xCB, 0xDC], "日本"),
        ([0x91, 0xC8, 0xD5], "日"), ([0x81, 0xE9], "é"), ([0x8C, 0xEF, 0x8C, 0xF0], "я№"), ([0x89, 0xB1], "ｱ"),
        ([0x9C, 0xF4, 0xF2, 0xED], "\u{200D}"), ([0x98, 0xA6, 0xA2], "一"),
        ([0x91, 0xC8, 0xD5, 0x91, 0xB1, 0xBE, 0x95, 0xEB, 0xA3], "日本語"), ([0x96, 0xA1, 0xA1], "乂"),
        ([0x68, 0x69, 0x20, 0x93, 0xBE, 0xC8, 0x93, 0xB3, 0xE7, 0x21], "hi 안녕!"),
    ])
    func `a character has its set before it`(bytes: [UInt8], text: String) {
        #expect(String(decoding: EmacsMule.decoded(bytes[...]).bytes, as: UTF8.self) == text)
        #expect(!bytes[...].isUTF8)
        #expect(EmacsMule.decoded(bytes[...]).isValid)
    }

    @Test(arguments: [
        ([0x93], "\u{FFFD}"), ([0x93, 0xC7], "\u{FFFD}\u{FFFD}"), ([0x93, 0x20, 0x41], "\u{FFFD} A"),
        ([0x9C, 0xF4, 0xF2], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xFF], "\u{FFFD}"),
        ([0x98, 0xA0, 0xA0], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0x95, 0xA0, 0xA0], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ])
    func `bytes that are no character are replaced, one by one`(bytes: [UInt8], text: String) {
        #expect(!EmacsMule.decoded(bytes[...]).isValid)
        #expect(String(decoding: EmacsMule.decoded(bytes[...]).bytes, as: UTF8.self) == text)
    }

    @Test func `no bytes make the decoder read beyond them`() {
        for first in UInt8.min...UInt8.max {
            for second: UInt8 in [0, 0x41, 0x93, 0xA0, 0xA1, 0xF2, 0xF4, 0xFF] {
                for length in 1...4 {
                    let bytes = [first] + Array(repeating: second, count: length - 1)
                    let text = String(decoding: EmacsMule.decoded(bytes[...]).bytes, as: UTF8.self)
                    #expect(!text.isEmpty)
                }
            }
        }
    }
}
