import Testing

@testable import LogFormats

struct UnsupportedKindTests {
    private static let database = Array("SQLite format 3\0".utf8)

    @Test(
        arguments: [
            ("msgstore.db.crypt15", [1, 2, 3], "an encrypted WhatsApp backup"),
            ("msgstore.db", database, "a WhatsApp database"),
            ("ChatStorage.sqlite", database, "a WhatsApp database"),
            ("EnMicroMsg.db", [7, 7], "an encrypted WeChat database"),
            ("KakaoTalk.db", database, "a KakaoTalk database with encrypted messages"),
            ("chatLogs_123456.edb", [7, 7], "a KakaoTalk database with encrypted messages"),
            ("signal-2026-11-21-06-23-11.backup", [7, 7], "an encrypted Signal backup"),
            ("D877F783D5D3EF8C", Array("TDF$".utf8), "a data file of Telegram Desktop"),
            ("chat.db", database, "an iMessage database"),
            ("main.db", database, "a Skype database"),
            ("other.db", database, "a SQLite database of an unknown program"),
            ("mail.pst", Array("!BDN".utf8), "an Outlook mailbox"), ("talk.eml", Array("From: a".utf8), "a mail"),
            ("a.rar", Array("Rar!\u{1A}\u{7}\0".utf8), "a RAR archive"),
            ("a.7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27], "a 7-Zip archive"),
            ("a.log.xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "a file packed by xz"),
            ("a.bz2", Array("BZh9".utf8), "a file packed by bzip2"),
            ("a.zst", [0x28, 0xB5, 0x2F, 0xFD], "a file packed by zstd"),
            ("a.tar", [UInt8](repeating: 0x61, count: 257) + Array("ustar".utf8), "a tar archive"),
            ("a.pdf", Array("%PDF-1.7".utf8), "a PDF document"),
            ("a.docx", Array("PK\u{3}\u{4}".utf8), "a Word document"),
            ("a.xlsx", Array("PK\u{3}\u{4}".utf8), "a spreadsheet"),
            ("export.html", Array("<!DOCTYPE html>".utf8), "a web page"),
            ("a", [0xFF, 0xD8, 0xFF, 0xE0], "an image"), ("a.PNG", [], "an image"),
            ("a.mp4", Array("\0\0\0 ftypisom".utf8), "a video"),
            ("a.ogg", Array("OggS".utf8), "a sound"),
        ] as [(String, [UInt8], String)])
    func `a known kind is told by its name or its bytes`(name: String, beginning: [UInt8], what: String) {
        #expect(UnsupportedKind.find(name: name, beginning: beginning)?.what == what)
    }

    @Test(arguments: [
        ("notes.txt", "some words"), ("chat.db", "some words"), ("system.edb", "x"), ("a.backup", "x"),
        ("a.zip", "PK\u{3}\u{4}"), ("", ""),
    ])
    func `another file is unknown`(name: String, beginning: String) {
        #expect(UnsupportedKind.find(name: name, beginning: Array(beginning.utf8)) == nil)
    }

    @Test(arguments: Sample.all)
    func `no sample of a format is of such a kind by its bytes`(sample: Sample) {
        #expect(UnsupportedKind.find(name: "a", beginning: sample.bytes) == nil)
    }

    @Test func `each kind has an article and an advice`() {
        for kind in UnsupportedKind.all {
            #expect(kind.what.hasPrefix("a ") || kind.what.hasPrefix("an "))
            #expect(!kind.advice.isEmpty && !kind.advice.hasSuffix("."))
        }
    }

    @Test func `a picture that a person gave comes with its chat's file, and another kind has one advice`() throws {
        let image = try #require(UnsupportedKind.find(name: "IMG_0001.jpg", beginning: []))
        #expect(image.adviceForGiven == "import the chat's file, or its folder; the files beside it come with it")
        #expect(image.advice == "messages that name it keep its name")
        let archive = try #require(UnsupportedKind.find(name: "a", beginning: Array("Rar!\u{1A}\u{7}\0".utf8)))
        #expect(archive.adviceForGiven == archive.advice)
    }

    @Test func `documents that are archives inside are no archives`() {
        #expect(UnsupportedKind.isPackedDocument(name: "a.DOCX"))
        #expect(!UnsupportedKind.isPackedDocument(name: "a.zip") && !UnsupportedKind.isPackedDocument(name: "a.jpg"))
    }
}
