import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of synctech.com.au/sms-backup-restore/fields-in-xml-backup-files and of
/// github.com/kenn-io/msgvault (internal/synctechsms/parser.go); the lines of SMS Import / Export are those of
/// github.com/tmo1/sms-ie (README, "(ND)JSON Structure") and of its tool v1-v2-convert.py.
struct SMSTests {
    private func backup(_ elements: String, root: String = "smses") throws -> Export {
        try Export(SMSBackupFormat.self, "<?xml version='1.0'?>\n<\(root) count=\"1\">\n\(elements)\n</\(root)>\n")
    }

    private static let head = #"address="+15550100" date="1795242191123""#

    @Test func `a text message has the contact's name, the number and its time`() throws {
        let export = try backup(
            #"<sms \#(Self.head) type="1" subject="null" body="hi&#10;there" contact_name="alice" />"#)
        #expect(export.unreadable.isEmpty && export.assumptions.isEmpty)
        let time = try #require(Export.time("2026-11-21T06:23:11.123000Z"))
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "alice", roomKey: "+15550100", roomKind: .direct, kind: .message, sender: "alice",
                    senderKey: "+15550100", body: "hi\nthere", time: time, resolution: .microsecond)
            ])
    }

    @Test(arguments: [
        ("&#55357;&#56832;", "😀"), ("&#xD83D;&#xDE00;", "😀"), ("&#128512;", "😀"), ("&#55357;", "\u{FFFD}"),
        ("&#55357;x", "\u{FFFD}x"), ("&#56832;&#55357;", "\u{FFFD}\u{FFFD}"), ("&#55357;&amp;", "\u{FFFD}&"),
        ("&lt;b&gt; &unknown;", "<b> &unknown;"), ("null", "null"), ("민수", "민수"),
    ])
    func `characters that are written as numbers are read, also as halves of a pair`(written: String, text: String)
        throws
    {
        #expect(try backup("<sms \(Self.head) type=\"1\" body=\"\(written)\" />").messages.map(\.body) == [text])
    }

    @Test(arguments: [
        ("1", ["alice: hi"], []), ("2", ["you: hi"], []), ("3", [], ["drafts skipped: 1"]),
        ("4", ["you: [not sent]\nhi"], []), ("5", ["you: [not sent]\nhi"], []), ("6", ["you: [not sent]\nhi"], []),
    ])
    func `the box says whose message it is`(type: String, told: [String], assumptions: [String]) throws {
        let export = try backup(#"<sms \#(Self.head) type="\#(type)" body="hi" contact_name="alice" />"#)
        #expect(export.messages.map(\.told) == told && export.assumptions == assumptions)
    }

    @Test(arguments: [
        ("+1 (555) 01-00", "+15550100"), ("5550100", "5550100"), ("VERIFY", "verify"), ("A@b.example", "a@b.example"),
        (" +15550100 ", "+15550100"),
    ])
    func `a number is known without its spaces and marks`(address: String, key: String) throws {
        let export = try backup(#"<sms address="\#(address)" date="1795242191123" type="1" body="hi" />"#)
        #expect(export.messages.map(\.roomKey) == [key])
    }

    private static func mms(_ parts: String, box: String = "1", address: String = "+15550100~+15550101") -> String {
        """
        <mms date="1795242193000" msg_box="\(box)" address="\(address)" sub="plan" contact_name="alice, bob">
          <parts><part ct="application/smil" text="&lt;smil/&gt;" />\(parts)</parts>
          <addrs><addr address="+15550101" type="137" /><addr address="+15550100" type="151" /></addrs>
        </mms>
        """
    }

    @Test func `a multimedia message of a group has its sender, its texts and the names of its files`() throws {
        let picture = #"<part ct="image/jpeg" name="null" cl="IMG_1.jpg" text="null" data="/9j/4AAQ" />"#
        let known = #"<sms address="+15550101" date="1795242190000" type="1" body="x" contact_name="bob" />"#
        let export = try backup(known + Self.mms(picture + #"<part ct="text/plain" cl="text.txt" text="look" />"#))
        let message = try #require(export.messages.last)
        #expect(message.told == "bob: plan\nlook" && message.senderKey == "+15550101")
        #expect((message.room, message.roomKind) == ("alice, bob", .group))
        #expect(message.roomKey == "+15550100~+15550101" && message.files == [.init(path: "IMG_1.jpg")])
        #expect(
            export.assumptions == ["files kept by name only, because their bytes are inside of the backup: 1"])
        #expect(try backup(Self.mms("", box: "2")).messages.map(\.told) == ["you: plan"])
    }

    @Test func `the bytes of files are not held, however long they are`() throws {
        let bytes = String(repeating: "A", count: 3 * SMSBackupFormat.maximumLine)
        let text = "<smses>" + Self.mms("<part ct=\"image/png\" cl=\"a.png\" data=\"\(bytes)\" />") + "</smses>"
        for size in [1000, text.utf8.count] {
            let pieces = JSONPieces.cut(Array(text.utf8), by: size, SMSBackupFormat.cutter())
            #expect(pieces.count == 1 && pieces.allSatisfy { !$0.isCut && $0.bytes.count < 1000 })
        }
        let long = try backup(
            "<sms \(Self.head) type=\"1\" body=\"\(bytes)\" /><sms \(Self.head) type=\"1\" body=\"hi\" />")
        #expect(long.unreadable == ["longer than 1048576 bytes"] && long.messages.map(\.body) == ["hi"])
    }

    @Test(arguments: [
        ("1", "alice", "called (35 seconds)"), ("2", "you", "called (35 seconds)"), ("3", "alice", "called: missed"),
        ("5", "alice", "called: rejected"),
    ])
    func `a call is an action of the one who called`(type: String, sender: String, words: String) throws {
        let call =
            #"<call number="+15550100" duration="35" date="1795242191123" type="\#(type)" contact_name="alice" />"#
        let message = try #require(try backup(call, root: "calls").messages.first)
        #expect((message.kind, message.sender, message.body, message.room) == (.action, sender, words, "alice"))
    }

    @Test(arguments: [
        (#"<sms date="1" type="1" body="x" />"#, "it has no \"address\""),
        (#"<sms address="1" type="1" body="x" />"#, "it has no \"date\""),
        (#"<sms address="1" date="soon" type="1" />"#, "its \"date\" is not a whole number"),
        (#"<sms address="1" date="1" type="9" />"#, "its box is unknown"),
        ("<sms body=\"x<", "the XML is invalid here"), ("<mms date=\"1\"><parts>", "the XML is invalid here"),
    ])
    func `an invalid message is reported once with the reason, and the next one is read`(
        element: String, reason: String
    )
        throws
    {
        let export = try backup(element + "<sms \(Self.head) type=\"1\" body=\"hi\" />")
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["hi"])
    }

    @Test func `a backup that breaks off gives its whole messages and one error`() throws {
        let sms = "<sms \(Self.head) type=\"1\" body=\"hi\" />"
        let bytes = Array("<smses>\(sms)\(sms)</smses>".utf8)
        for end in 8..<bytes.count {
            let export = try Export(SMSBackupFormat.self, files: [(nil, Array(bytes[..<end]))])
            #expect(export.unreadable == ["the file ends in the middle of its XML"], "\(end)")
            #expect(export.messages.allSatisfy { $0.body == "hi" })
        }
    }

    @Test(arguments: 0..<200)
    func `a damaged backup never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("sms-backup", "sms-ie") {
            let bytes = Mutation.of(sample.bytes, using: &random)
            if sample.format == "sms-backup" {
                _ = try Export(SMSBackupFormat.self, files: [(nil, bytes)])
            } else {
                _ = try Export(SMSExportFormat.self, files: [(nil, bytes)])
            }
        }
    }

    // MARK: - SMS Import / Export

    private func lines(_ lines: String...) throws -> Export {
        try Export(SMSExportFormat.self, lines.joined(separator: "\n"), path: "messages.ndjson")
    }

    @Test func `a text message is the same in both exports`() throws {
        let line = try lines(
            #"{"_id":"1","thread_id":"1","address":"+15550100","date":"1795242191123","type":"1","body":"hi","__display_name":"alice"}"#
        )
        let element = try backup(#"<sms \#(Self.head) type="1" body="hi" contact_name="alice" />"#)
        #expect(line.messages.count == 1 && line.messages == element.messages)
    }

    private static func group(_ id: Int, _ box: Int, from sender: String, to receivers: String...) -> String {
        let others = receivers.map { #"{"address":"\#($0)","type":"151"}"# }.joined(separator: ",")
        return """
            {"_id":"\(id)","thread_id":"7","date":"1795242193","msg_box":"\(box)",\
            "__sender_address":{"address":"\(sender)","__display_name":"\(sender == "+15550101" ? "bob" : "")"},\
            "__recipient_addresses":[\(others)],"__parts":[{"ct":"text/plain","text":"look"},\
            {"ct":"image/png","_data":"/data/app_parts/PART_1.png"}]}
            """
    }

    @Test func `a multimedia message has whole seconds, and its files lie in the folder data`() throws {
        let export = try lines(
            Self.group(1, 2, from: "insert-address-token", to: "+15550101", "+15550102"),
            Self.group(2, 1, from: "+15550101", to: "+15550199", "+15550102"))
        #expect(export.unreadable.isEmpty)
        #expect(export.messages.map(\.told) == ["you: look", "bob: look"])
        #expect(export.messages.allSatisfy { $0.roomKey == "thread:7" && $0.roomKind == .group })
        #expect(export.messages.allSatisfy { $0.files == [.init(path: "data/PART_1.png")] && $0.resolution == .second })
    }

    @Test func `a multimedia message of two is in the conversation of the other person`() throws {
        let export = try lines(
            Self.group(1, 1, from: "+15550101", to: "+15550199"), Self.group(2, 2, from: "+15550199", to: "+15550101"))
        #expect(export.messages.map(\.room) == ["bob", "bob"] && export.messages.allSatisfy(\.isDirect))
        #expect(export.messages.map(\.sender) == ["bob", "you"])
    }

    @Test(arguments: [
        ("{}", "its box is unknown"), ("words", "it is not JSON"),
        (#"{"type":"1","body":"x"}"#, "it has no \"address\""),
        (#"{"msg_box":"1","date":"1"}"#, "it names nobody"),
    ])
    func `a line that is not a message is invalid`(line: String, reason: String) throws {
        #expect(try lines(line).unreadable == [reason])
    }

    @Test func `both exports are recognised by their beginning`() {
        #expect(Export.recognising("<smses><sms /></smses>", path: "a.xml") == ["sms-backup"])
        #expect(Export.recognising("\u{FEFF}<?xml version='1.0'?>\n<!--a--><smses />", path: "") == ["sms-backup"])
        #expect(Export.recognising("<calls><call number=\"1\"/></calls>", path: "calls.xml") == ["sms-backup"])
        #expect(Export.recognising("<calls><phone/></calls>", path: "a.xml") == [])
        #expect(Export.recognising("He wrote <smses>", path: "a.xml") == [])
        #expect(Export.recognising(#"{"_id": 1, "thread_id": 2, "date": 3}"#, path: "a.ndjson") == [])
    }
}
