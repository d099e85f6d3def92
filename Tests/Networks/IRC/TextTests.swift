import Bytes
import TestSupport
import Testing
import TextEncodings

@testable import IRCWire

struct TextTests {
    @Test(arguments: ["", "plain", "가나다 👨‍👩‍👧", "\u{301}", "\u{10FFFF}\u{0}"])
    func `valid UTF-8 is decoded as UTF-8`(text: String) {
        let decoded = DecodedText(Array(text))
        #expect(Array(decoded.text.utf8) == Array(text) && decoded.isUTF8)
    }

    @Test(
        arguments: [
            ([0x63, 0x61, 0x66, 0xE9], "café"), ([0x80, 0x9F, 0xFF], "€Ÿÿ"), ([0x81], "\u{81}"),
            ([0xC3], "Ã"), ([0xED, 0xA0, 0x80], "í\u{A0}€"), ([0xC0, 0x80], "À€"), ([0xB0, 0xA1, 0x0A], "°¡\n"),
        ] as [([UInt8], String)])
    func `invalid UTF-8 is read as windows-1252 and flagged`(bytes: [UInt8], text: String) {
        #expect(DecodedText(bytes) == DecodedText(bytes, fallback: .windows1252))
        #expect(DecodedText(bytes).text.unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(!DecodedText(bytes).isUTF8)
    }

    @Test(arguments: [TextEncoding.windows1252, .latin1, .latin9])
    func `every byte has a character in a Western fallback`(encoding: TextEncoding) {
        let bytes = Array(0x00...0xFF as ClosedRange<UInt8>)
        let scalars = DecodedText(bytes, fallback: encoding).text.unicodeScalars
        #expect(scalars.count == 256 && Set(scalars).count == 256)
    }

    @Test(
        arguments: [
            ("안녕하세요", "CP949", .cp949), ("привет, как дела?", "KOI8-R", .koi8R), ("はい、表", "CP932", .shiftJIS),
            ("你好", "GB18030", .gb18030), ("日本語 ok", "ISO-2022-JP", .iso2022JP),
        ] as [(String, String, TextEncoding)])
    func `the fallback can be any line encoding`(text: String, name: String, encoding: TextEncoding) throws {
        let decoded = DecodedText(try text.encoded(as: name), fallback: encoding)
        #expect(decoded.text == text && !decoded.isUTF8)
        #expect(DecodedText(Array(text.utf8), fallback: encoding).isUTF8)
        #expect(DecodedText(Array("plain \u{1B}[1m".utf8), fallback: encoding).isUTF8)
    }

    @Test func `bytes that are invalid in the fallback are replaced`() {
        #expect(DecodedText([0xBE, 0xC8, 0xFF], fallback: .cp949).text == "안\u{FFFD}")
    }

    @Test func `the fallback is configured per account`() {
        #expect(DecodedText([0xA4], fallback: .latin9).text == "€")
        #expect(DecodedText([0xA4], fallback: .latin1).text == "¤")
    }

    @Test(arguments: [
        ("\u{1}ACTION waves\u{1}", "ACTION", "waves"), ("\u{1}action  가 \u{1}", "ACTION", " 가 "),
        ("\u{1}ACTION waves", "ACTION", "waves"), ("\u{1}VERSION\u{1}", "VERSION", ""),
        ("\u{1}ACTION \u{1}", "ACTION", ""), ("\u{1}DCC SEND a 1 2\u{1} rest", "DCC", "SEND a 1 2"),
    ])
    func `a CTCP message has a command and a body`(text: String, command: String, body: String) {
        let message = CTCPMessage(Array(text))
        #expect(message?.command == command && message?.body == Array(body))
        #expect(message?.isAction == (command == "ACTION"))
    }

    @Test(arguments: [
        ("\u{1}version\u{1}", "CTCP VERSION"), ("\u{1}PING 12 34\u{1}", "CTCP PING 12 34"),
        ("\u{1}DCC SEND a.txt 1 2", "CTCP DCC SEND a.txt 1 2"),
    ])
    func `a CTCP message has a readable text`(sent: String, text: String) {
        #expect(CTCPMessage(Array(sent))?.text == Array(text))
    }

    @Test(arguments: [
        "", "\u{1}", "\u{1}\u{1}", "ACTION waves", " \u{1}ACTION waves\u{1}", "\u{1} a\u{1}", "\u{1}가\u{1}",
    ])
    func `a text without a command is not a CTCP message`(text: String) {
        #expect(CTCPMessage(Array(text)) == nil)
    }

    @Test(arguments: [
        ("plain 가", "plain 가"), ("\u{2}b\u{2} \u{1D}i\u{1D} \u{1F}u\u{F}", "b i u"), ("\u{3}4red\u{3}", "red"),
        ("\u{3}04,12both", "both"), ("\u{3}4,red", ",red"), ("\u{3},5x", ",5x"), ("\u{3}123", "3"), ("\u{3}1,234", "4"),
        ("\u{4}FF00aax", "x"), ("\u{4}FF0,1x", "FF0,1x"), ("\u{4}ff0000,00FF00x", "x"), ("\u{4}ff0000,00FFx", ",00FFx"),
        ("\u{11}m\u{16}r\u{1E}s", "mrs"), ("\u{3}", ""), ("a\u{3}", "a"), ("\u{1}\t", "\u{1}\t"), ("\u{3}4가", "가"),
    ])
    func `colours and styles are removed from text`(text: String, plain: String) {
        #expect(TextFormatting.strip(text) == plain)
        #expect(TextFormatting.strip(Array(text)) == Array(plain))
    }
}
