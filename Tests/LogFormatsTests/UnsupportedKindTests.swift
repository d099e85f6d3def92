import TestSupport
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
            ("main.db", database, "a Skype database"), ("viber_messages", database, "a Viber database"),
            ("viber.db", [7, 7], "an encrypted Viber database"),
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
    func `a known kind is recognised by its name or bytes`(name: String, beginning: [UInt8], what: String) {
        #expect(UnsupportedKind.find(name: name, beginning: beginning)?.what == what)
    }

    @Test(arguments: [
        ("notes.txt", "some words"), ("chat.db", "some words"), ("system.edb", "x"), ("a.backup", "x"),
        ("a.zip", "PK\u{3}\u{4}"), ("", ""),
    ])
    func `another file is unknown`(name: String, beginning: String) {
        #expect(UnsupportedKind.find(name: name, beginning: Array(beginning.utf8)) == nil)
    }

    @Test(
        arguments: [
            // Logs of clients.
            (
                "2000-assets.xml", #"<asset medium="ICQ" name="1000" link="C%3A%5Ca%2Epng"/>"#,
                "a list of Trillian's pictures, without messages"
            ),
            ("bob (2005-01-02).AdiumHTMLLog", "<div>", "a log of Adium from before version 1.0"),
            ("chat.txt", "06:23:11 From  Alice  to  Everyone : hi\n", "a chat of a Zoom meeting, which has no dates"),
            (
                "chat.txt", "06:23:11\t From Alice to Everyone:\n\thi\n06:23:12\t From Bob to Everyone:\n\tho\n",
                "a chat of a Zoom meeting, which has no dates"
            ),
            ("chat.txt", "00:01:02\tAlice:\thi\n", "a chat of a Zoom recording in the cloud"),
            // Exports. Those of Element: github.com/element-hq/element-web, src/utils/exportUtils.
            (
                "matrix - plans - Chat Export - 2026-11-21T06-30-00.000Z.txt",
                "11/21/2026, 6:23:11 AM - alice: hi\n11/21/2026, 6:23:12 AM - bob joined the room\n",
                "a text export of Element"
            ),
            (
                "messages.html",
                "\n <!DOCTYPE html><html><body><section id=\"matrixchat\"><main class=\"mx_RoomView\"></main></body></html>",
                "a page of an Element export"
            ),
            (
                "group_info.json", #"{"members": [{"name": "a", "email": "a@b", "user_type": "Human"}]}"#,
                "a file of Google Chat (Takeout) without messages"
            ),
            (
                "a.json", #"{"weflow": {"version": "1", "format": "arkme-json"}, "session": {}, "messages": []}"#,
                "a WeChat export of WeFlow as arkme JSON"
            ),
            (
                "manifest.json", #"{"metadata": {"name": "QQChatExporter"}, "chatInfo": {"name": "a"}, "chunked": {}}"#,
                "a list of the chunks of qq-chat-exporter"
            ),
            (
                "tweets.js", "window.YTD.tweets.part0 = [ {", "a file without messages of your X (Twitter) archive"
            ),
            ("message_1.html", "<html><head></head>", "a page of a Messenger or Instagram download"),
            // Databases.
            (
                "libera_#example.txt", "\n*** Logging started at 2026-11-21 10:00:00\n\n[10:00:01] alice: hi\n",
                "a log of tiny"
            ),
            (
                "26.11.21",
                "00:00:00 --- log: started example/26.11.21\n00:00:02 --- join: bob (~bob@host) joined #example\n",
                "a log of the bot clog"
            ),
            (
                "#example.2026-11-21.log", "00:00:01 <alice> hi\n00:00:02 --- join: bob (~bob@host) joined #example\n",
                "a log of the bot clog"
            ),
            (
                "#example.log", "### Log session started at Sat Nov 21 06:23:11 2026 ###\n[06:23:11] <alice> hi\n",
                "a log of KVIrc 3"
            ),
            (
                "USER1.LOG", "2026-11-21-06-23-11:#example::alice!~alice@host PRIVMSG #example :hi\n", "a log of psyBNC"
            ),
            ("#example", "@1795242191 <alice!~alice@host> hi\n", "a log of dircproxy"),
            ("#example", "<alice!~alice@host> [06:23] hi\n", "a log of dircproxy"),
            ("a 2026-11-21.colloquyTranscript", "<?xml version=\"1.0\"?>\n<log began=\"2026\">", "a log of Colloquy"),
        ])
    func `a program's file is recognised by its unique content`(name: String, text: String, what: String) {
        #expect(UnsupportedKind.find(name: name, beginning: Array(text.utf8))?.what == what)
        // None of them is readable, so none is claimed by a format.
        let claims = KnownLogFormats.all.filter { $0.recognises(LogReading.source(Array(text.utf8), path: name)) }
        #expect(claims.map { $0.name } == [])
    }

    @Test(arguments: ["matrix - plans - Chat Export - 2026.txt", "Element - plans - Chat Export - 2026/export.txt"])
    func `a text export of Element is not taken for one of WhatsApp`(path: String) {
        let text = "11/21/2026, 6:23:11 AM - alice: hi\n11/21/2026, 6:23:12 AM - bob: ho\n"
        #expect(Export.recognising(text, path: path) == [])
        let name = String(path.split(separator: "/").last ?? "")
        #expect(UnsupportedKind.find(name: name, beginning: Array(text.utf8))?.what == "a text export of Element")
        #expect(Export.recognising(text, path: "WhatsApp Chat with bob.txt") == ["whatsapp"])
    }

    @Test(arguments: [
        // Look-alikes of logs and plain texts.
        ("notes.txt", "On bip one sees\n21-11-2026 06:23:11 < alice!~a@host: hi\nand more\nand more\n"),
        ("notes.txt", "Conversation with bob about the weather\n"), ("2026-11-21.txt", "(06:23:11) alice: hi\n"),
        ("list.txt", "1 [06:23:11] <alice> hi\n2 [06:23:12] <bob> ho\n"),
        ("chat.txt", "[06:23:11] <alice> hi\n[06:23:12] <bob> Action: go\n[06:23:13] <bob> Nick change: a -> b\n"),
        ("chat.txt", "[06:23] alice joined the game.\n[06:24] <bob> I joined #fun.\n"),
        ("app.log", "2026-11-21T06:23:11.123456-09:30 - INFO: started\n"),
        ("2026_11_21.log", "started\nstopped\n"), ("table.txt", "|2026-11-21T06:23:11|1|2|3|\n"),
        ("a.log", "1795242191 <alice> hi\n"), ("out", "built\nlinked\n"), ("chat.txt", "06:23 <alice> hi\n"),
        ("diary.txt", "[Sat Nov 21 2026]\nSlept long.\nAte well.\n"), ("mail!a@b.txt", "Dear all,\nthanks.\n"),
        ("a.txt", "IRC log started badly\n"), ("a.txt", "T 1000 is a film\n"),
        ("a.txt", "Session Start: Sat Nov 21 06:23:11 2026\n"), ("diary.txt", "Nov 21, 2026\nSlept long.\n"),
        ("a.txt", "消息对象:小明\n"), ("a.txt", "Conversation: the weather\nSent: yesterday\n"),
        ("log.txt", "06:23:11 From the cellar came a noise\n06:23:12 then silence\n"),
        ("app.log", "[2026-11-21] [06:23:11] INFO\tstarted\n"),
        // Look-alikes of exports.
        ("a.json", #"{"text": "{\"exportDate\": 1, \"conversations\": [], \"userId\": []}"}"#),
        ("a.txt", #"the keys "exportDate", "conversations" and "userId""#),
        ("a.json", #"{"messages": [{"creator": "a", "text": "hi"}]}"#), ("a.csv", "ID,Timestamp,Contents\n"),
        ("a.xml", "<log><message/></log>"), ("a.jsonl", #"{"type":"message","version":1}"#),
        ("a.js", "window.alert(1)"),
    ])
    func `a look-alike is not attributed to a program`(name: String, text: String) {
        #expect(UnsupportedKind.find(name: name, beginning: Array(text.utf8)) == nil)
    }

    @Test(arguments: FormatSample.all)
    func `no sample of a format is attributed to a program`(sample: FormatSample) {
        let name = sample.path.split(separator: "/").last.map(String.init) ?? ""
        let file = UnsupportedKind.Beginning(name: name, sample.bytes)
        let kinds = UnsupportedKind.programs.filter { $0.signs.contains { $0.fits(file) } }
        #expect(kinds.allSatisfy { Self.comesAfterFormats($0.noun) })
    }

    @Test func `a shape is compared in bounded time, and must match a whole name`() {
        let shape: TextShape = "…a…a…a…b"
        #expect(!shape.fits(Array(repeating: UInt8(ascii: "a"), count: 4096)[...]))
        #expect(shape.fits(Array("xaaab".utf8)[...]) && !shape.fits(Array("xaaabc".utf8)[...]))
        #expect(!("9-?" as TextShape).fits(Array("a-x".utf8)[...]) && ("9-?" as TextShape).fits(Array("1-x".utf8)[...]))
        #expect(!("…" as TextShape).fits(Array(repeating: 0, count: 1_000_000)[...]))
    }

    @Test(arguments: FormatSample.all)
    func `no sample of a format has the bytes of an unsupported kind`(sample: FormatSample) {
        let noun = UnsupportedKind.find(name: "a", beginning: sample.bytes)?.noun ?? ""
        #expect(noun.isEmpty || noun == "web page" || Self.comesAfterFormats(noun))
    }

    /// Returns true for a kind of file that a format may read: it is found where no format has recognised the file.
    private static func comesAfterFormats(_ noun: String) -> Bool {
        noun.contains("without messages") || noun == "chat of a Zoom meeting, which has no dates"
            || noun == "page of a Messenger or Instagram download"
    }

    @Test func `each kind has an article and an advice`() {
        for kind in UnsupportedKind.all {
            #expect(kind.what.hasPrefix("a ") || kind.what.hasPrefix("an "))
            #expect(!kind.advice.isEmpty && !kind.advice.hasSuffix("."))
        }
    }

    @Test func `a given picture has its own advice, and another kind has one advice`() throws {
        let image = try #require(UnsupportedKind.find(name: "IMG_0001.jpg", beginning: []))
        #expect(image.adviceForGiven == "import the chat's file, or its folder; the files beside it come with it")
        #expect(image.advice == "messages that name it keep its name")
        let archive = try #require(UnsupportedKind.find(name: "a", beginning: Array("Rar!\u{1A}\u{7}\0".utf8)))
        #expect(archive.adviceForGiven == archive.advice)
    }

    @Test func `documents that are archives inside don't count as archives`() {
        #expect(UnsupportedKind.isPackedDocument(name: "a.DOCX"))
        #expect(!UnsupportedKind.isPackedDocument(name: "a.zip") && !UnsupportedKind.isPackedDocument(name: "a.jpg"))
    }
}
