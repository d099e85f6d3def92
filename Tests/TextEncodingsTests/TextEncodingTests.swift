import Testing

@testable import TextEncodings

struct TextEncodingTests {
    @Test(
        arguments: [
            ("cp949", .cp949), ("EUC-KR", .cp949), ("euckr", .cp949), ("UHC", .cp949), ("ks_c_5601-1987", .cp949),
            ("sjis", .shiftJIS), ("Shift-JIS", .shiftJIS), ("shift_jis", .shiftJIS), ("EUC_JP", .eucJP),
            ("iso2022jp", .iso2022JP), ("GBK", .gb18030), ("gb2312", .gb18030), ("Big5", .big5), ("EUC-TW", .eucTW),
            ("koi8r", .koi8R),
            ("KOI8-R", .koi8R), ("cp1251", .windows1251), ("Windows-1252", .windows1252), ("latin1", .latin1),
            ("ISO-8859-15", .latin9), ("UTF8", .utf8), ("utf-16", .utf16), ("UTF-16LE", .utf16LittleEndian),
        ] as [(String, TextEncoding)])
    func `an encoding is found by its common names`(name: String, encoding: TextEncoding) {
        #expect(TextEncoding(name: name) == encoding)
    }

    @Test(arguments: ["", "utf", "cp", "949", "korean", "CP949\u{0}", "１２５２"])
    func `an unknown name has no encoding`(name: String) {
        #expect(TextEncoding(name: name) == nil)
    }

    @Test(arguments: TextEncoding.allCases)
    func `each encoding is found by its own name and its title`(encoding: TextEncoding) {
        #expect(TextEncoding(name: encoding.rawValue) == encoding)
        #expect(TextEncoding(name: encoding.title) == encoding)
    }

    @Test func `titles have the spelling of their standards`() {
        let titles = [TextEncoding.cp949, .shiftJIS, .eucJP, .big5, .koi8R, .windows1251].map(\.title)
        #expect(titles == ["CP949", "Shift_JIS", "EUC-JP", "Big5", "KOI8-R", "Windows-1251"])
    }
}
