import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of libpurple (github.com/tieto/pidgin, libpurple/plugins/log_reader.c: `trillian_logger_list`,
/// `trillian_logger_read`), of github.com/Lucent/trillian-log-join (merge-by-date.php, README.md) and of
/// github.com/tdauth/qronicle (README.md).
struct TrillianTextTests {
    private static let start = "Session Start (ICQ - 1000:Bob): Sat Nov 21 06:23:11 2026\n"
    private static let close = "Session Close (Bob): Sat Nov 21 07:00:00 2026\n"

    private func read(_ text: String, path: String = "logs/ICQ/Query/2000.log", zone: String = "GMT") throws
        -> LogReading
    {
        try LogReading(TrillianTextFormat.self, text, path: path, zone: zone)
    }

    @Test func `a message has the contact's room, its sender and the local time of the session's day`() throws {
        let reading = try read(Self.start + "[06:24] Bob: 안녕: hi\n" + Self.close, zone: "Asia/Seoul")
        let time = try #require(Export.time("2026-11-20T21:24:00.000000Z"))
        #expect(
            reading.messages == [
                ImportedMessage(
                    room: "2000", roomKind: .direct, kind: .message, sender: "Bob", body: "안녕: hi", time: time,
                    resolution: .minute)
            ])
        #expect(reading.unreadable.isEmpty)
    }

    @Test(arguments: [
        ("[06:24] Bob: hi", "Bob: hi"), ("[06:24] Me: ", "Me: "),
        ("[06:24] *** Bob signed off.", "system: Bob signed off."),
        ("[06:24] without a name", "system: without a name"), ("[06:24] *** ", "system: ***"),
    ])
    func `a line is of a person or of the program`(line: String, told: String) throws {
        #expect(try read(Self.start + line + "\n").told == [told])
    }

    @Test func `a contact's name can have a colon`() throws {
        let text = "Session Start (MSN - a@example.org:Bob: away): Sat Nov 21 06:23:11 2026\n[06:24] Bob: away: hi\n"
        #expect(try read(text).told == ["Bob: away: hi"])
        #expect(try read(text).messages.map(\.sender) == ["Bob: away"])
    }

    @Test(arguments: [
        ("[06:24]", "21T06:24:00"), ("[06:24:05]", "21T06:24:05"), ("[6:24 PM]", "21T18:24:00"),
        ("[11/21/2026 06:24 AM]", "21T06:24:00"), ("[21/11/2026 06:24]", "21T06:24:00"), ("[오전 6:24]", "21T06:24:00"),
    ])
    func `a line's time has the form that the user chose`(stamp: String, time: String) throws {
        #expect(try read(Self.start + "\(stamp) Bob: hi\n").times == [time])
    }

    @Test func `a session that passes midnight goes on with the next day`() throws {
        let start = "Session Start (ICQ - 1000:Bob): Sat Nov 21 23:59:50 2026\n"
        #expect(try read(start + "[23:59] Bob: a\n[00:01] Me: b\n").times == ["21T23:59:00", "22T00:01:00"])
        #expect(try read(start + "[00:01] Me: b\n").times == ["22T00:01:00"])
    }

    @Test func `each step back of more than an hour within a session begins the next day`() throws {
        let text = """
            Session Start (AIM - alice:bob): Fri Nov 20 23:40:00 2026
            [23:50] bob: a
            [08:00] bob: b
            [23:59] bob: c
            [00:10] bob: d
            Session Close (bob): Sun Nov 22 00:21:00 2026

            """
        #expect(try read(text).times == ["20T23:50:00", "21T08:00:00", "21T23:59:00", "22T00:10:00"])
    }

    @Test(arguments: [
        // The clock was set back by less than an hour.
        ("[06:50] Bob: a\n[06:05] Me: b\n", ["21T06:50:00", "21T06:05:00 after 21T06:50:00"]),
        // A clock of 12 hours without its half.
        ("[11:50] Bob: a\n[00:30] Me: b\n", ["21T11:50:00", "21T12:30:00"]),
    ])
    func `another step back within a session stays on its day`(lines: String, times: [String]) throws {
        #expect(try read(Self.start + lines).times == times)
    }

    @Test func `a session that begins before the end of the one above keeps its day`() throws {
        let text = Self.start + "[18:00] Bob: a\n" + Self.close + Self.start + "[06:24] Bob: b\n"
        #expect(try read(text).times == ["21T18:00:00", "21T06:24:00 after 21T18:00:00"])
    }

    @Test func `an hour that occurs twice does not begin the next day`() throws {
        let start = "Session Start (ICQ - 1000:Bob): Sat Oct 24 23:23:11 2026\n"
        let reading = try read(
            start + "[23:30] Bob: a\n[02:50] Me: b\n[02:10] Me: c\n[02:20] Me: d\n", zone: "Europe/Berlin")
        #expect(reading.times == ["24T21:30:00", "25T00:50:00", "25T01:10:00", "25T01:20:00"])
    }

    @Test func `a line without a time continues a message with one`() throws {
        let reading = try read(Self.start + "[06:24] Bob: a\nPS: b\n\nc\n\n[06:25] Me: d\n" + Self.close)
        #expect(reading.told == ["Bob: a\nPS: b\n\nc", "Me: d"])
    }

    @Test func `lines of a session without times are at its beginning, each from a name on`() throws {
        let reading = try read(
            Self.start + "Bob: a\nb\n*** Bob signed off.\nMe: c\n" + Self.close
                + Self.start.replacing("06:", with: "07:")
                + "[07:24] Bob: d\nMe: e\n")
        #expect(reading.told == ["Bob: a\nb", "system: Bob signed off.", "Me: c", "Bob: d\nMe: e"])
        #expect(reading.times == ["21T06:23:11", "21T06:23:11", "21T06:23:11", "21T07:24:00"])
        #expect(
            reading.assumptions == [
                "lines without a time, which get the time at which their session began: 3, the first is line 2"
            ])
    }

    @Test(arguments: [
        ("(Link: http://a/)http://a/ b", "http://a/ b"), ("see (Link: http://a/)this", "see this (http://a/)"),
        ("(Link: http://a/", "(Link: http://a/"), ("(Link: a)a (Link: b)b", "a b"),
    ])
    func `a link is its address, or words with the address`(text: String, body: String) throws {
        #expect(try read(Self.start + "[06:24] Bob: \(text)\n").messages.map(\.body) == [body])
    }

    @Test(arguments: [
        ("[06:24] Bob: hi\n", ["no session that gives its date begins before it"]),
        (
            "Session Start (a:b): some time\n[06:24] Bob: hi\n",
            [
                "can't read its date", "no session that gives its date begins before it",
            ]
        ),
        (
            "Session Start (a:b): Sat Nov 31 06:23:11 2026\nb: hi\n",
            [
                "can't read its date", "no session that gives its date begins before it",
            ]
        ),
        (start + "continues\n", ["it has no time and continues no earlier message"]), (close + "\n \n", []),
    ])
    func `a line without a day is reported`(text: String, reasons: [String]) throws {
        let reading = try read(text)
        #expect(reading.unreadable == reasons && reading.messages.isEmpty)
    }

    @Test(arguments: ["Session", "\u{FEFF}Session", "\u{FEFF}sion"])
    func `a log is recognised by its first session, also behind a byte order mark that replaces its beginning`(
        beginning: String
    ) throws {
        let text = beginning + Self.start.dropFirst("Session".count) + "[06:24] *** Bob signed off.\n" + Self.close
        #expect(Export.recognising(text, path: "logs/ICQ/Query/2000.log") == ["trillian-log"])
        #expect(try read(text).told == ["system: Bob signed off."])
    }

    @Test func `another log with sessions is not recognised`() {
        #expect(
            Export.recognising("Session Start: Sat Nov 21 06:23:11 2026\n[06:24] <a> hi\n", path: "#a.log") == ["mirc"])
        #expect(Export.recognising("Session Start (later)\n[06:24] hi\n", path: "a.log") == [])
    }

    @Test func `the network is the account's name, and the XML beside a log is fuller`() throws {
        for (format, network) in zip(FormatSample.of("trillian-log"), ["icq", "aim"]) {
            #expect(TrillianTextFormat.accountName(in: LogReading.source(format.bytes, path: format.path)) == network)
        }
        #expect(TrillianTextFormat.fullerFile(beside: "2000.log") == "2000.xml")
        #expect(TrillianTextFormat.fullerFile(beside: "2000.txt") == nil)
    }

    @Test(arguments: [
        (#"<message type="incoming_privateMessage" time="1795242240" medium="ICQ" from="1000" text="hi"/>"#, true),
        // The zone of the log is assumed.
        (#"<message type="incoming_privateMessage" time="1795282240" medium="ICQ" from="1000" text="hi"/>"#, true),
        (#"<message type="incoming_privateMessage" time="1795442240" medium="ICQ" from="1000" text="hi"/>"#, false),
        (#"<session type="start" time="1795242191" medium="ICQ" to="1000" from="2000"/>"#, false),
        ("", false), ("<html>hi</html>", false),
    ])
    func `an XML log is fuller if it begins with the messages of the text`(xml: String, isFuller: Bool) {
        let text = LogReading.source(Array((Self.start + "[06:24] Bob: hi\n").utf8), path: "logs/ICQ/Query/2000.log")
        let file = LogReading.source(Array(xml.utf8), path: "logs/ICQ/Query/2000.xml")
        #expect(TrillianTextFormat.isFuller(file, than: text) == isFuller)
    }

    @Test(arguments: 0..<100)
    func `a damaged log never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("trillian-log") {
            _ = try LogReading(TrillianTextFormat.self, Mutation.of(sample.bytes, using: &random), path: sample.path)
        }
    }
}
