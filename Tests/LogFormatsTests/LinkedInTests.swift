import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The form is that of github.com/silkyrich/linkedin-export-viewer (tool/generate_fixture.dart,
/// lib/models/entities/message.dart), of github.com/thephm/linkedin_md (linkedin_md.py) and of
/// linkedin.com/help/linkedin/answer/a1339364.
struct LinkedInTests {
    private static let header = """
        CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE URLS,DATE,SUBJECT,CONTENT,FOLDER

        """

    private func read(_ rows: String, header: String = header) throws -> Export {
        try Export(LinkedInFormat.self, header + rows, path: "messages.csv")
    }

    @Test func `a message has its conversation's id, and is called by its people`() throws {
        let export = try read(
            "2-abc,,bob,https://x/in/bob,alice,https://x/in/alice,2026-11-21 06:23:11 UTC,,hi,INBOX\n")
        #expect(export.unreadable.isEmpty)
        let time = try #require(Export.time("2026-11-21T06:23:11.000000Z"))
        #expect(
            export.messages == [
                ImportedMessage(
                    room: "alice, bob", roomKey: "2-abc", roomKind: .direct, kind: .message, sender: "bob",
                    senderKey: "https://x/in/bob", body: "hi", time: time, resolution: .second)
            ])
    }

    @Test func `both directions of a conversation are in one room, and a group has its title`() throws {
        let export = try read(
            """
            c1,,alice,https://x/a,bob,https://x/b,2026-11-21 06:23:11 UTC,,ho,SENT
            c1,,bob,https://x/b,alice,https://x/a,2026-11-21 06:23:10 UTC,,hi,INBOX
            c2,plans,bob,https://x/b,"alice,carol","https://x/a,https://x/c",2026-11-21 06:23:09 UTC,,hi,INBOX
            """)
        #expect(export.messages.map(\.room) == ["alice, bob", "alice, bob", "plans"])
        #expect(export.messages.map(\.roomKind) == [.direct, .direct, .group])
    }

    @Test(arguments: [
        (",\"a, \"\"b\"\"\nc\"", "a, \"b\"\nc"), ("plan,hi", "plan\nhi"), (",<p>a</p><p>b &amp; c</p>", "a\nb & c"),
        (",a < b", "a < b"),
    ])
    func `a text has its subject first, and no marks of HTML`(fields: String, text: String) throws {
        let export = try read("c1,,bob,,alice,,2026-11-21 06:23:11 UTC,\(fields),INBOX\n")
        #expect(export.messages.map(\.body) == [text])
    }

    @Test(arguments: ["true,", "Yes,No", "No,Yes", "TRUE,FALSE"])
    func `a draft is skipped and counted`(marks: String) throws {
        let header = Self.header.replacing("FOLDER", with: "FOLDER,ATTACHMENTS,IS MESSAGE DRAFT,IS CONVERSATION DRAFT")
        let row = "c1,,bob,,alice,,2026-11-21 06:23:11 UTC,,hi,INBOX,,"
        let export = try read("\(row)No,No\n\(row)\(marks)\n", header: header)
        #expect(export.messages.count == 1 && export.assumptions == ["drafts skipped: 1"])
    }

    @Test func `a group's addresses are separated by commas or spaces`() throws {
        let rows = ["https://x/a,https://x/c", "https://x/a https://x/c", "https://x/a"].map {
            "c1,,bob,,alice,\"\($0)\",2026-11-21 06:23:11 UTC,,hi,INBOX\n"
        }
        #expect(try read(rows.joined()).messages.map(\.roomKind) == [.group, .group, .direct])
    }

    @Test func `columns are found by their names`() throws {
        let export = try read("2026-11-21 06:23:11,hi,c1,bob\n", header: "DATE,CONTENT,CONVERSATION ID,FROM\n")
        #expect(export.messages.map(\.told) == ["bob: hi"])
    }

    @Test(arguments: [
        ("c1,,bob,,alice,,soon,,hi,INBOX", "its \"DATE\" is not a time"),
        (",,bob,,alice,,2026-11-21 06:23:11 UTC,,hi,INBOX", "its \"CONVERSATION ID\" is empty"),
        ("c1", "its \"DATE\" is not a time"),
    ])
    func `an invalid row is reported once with the reason`(row: String, reason: String) throws {
        let export = try read(row + "\nc1,,bob,,alice,,2026-11-21 06:23:11 UTC,,hi,INBOX\n")
        #expect(export.unreadable == [reason] && export.messages.map(\.body) == ["hi"])
    }

    @Test(arguments: 0..<100)
    func `a damaged table never traps`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for sample in FormatSample.of("linkedin") {
            _ = try Export(LinkedInFormat.self, files: [(nil, Mutation.of(sample.bytes, using: &random))])
        }
    }

    @Test func `a table is recognised by its header`() {
        #expect(Export.recognising(Self.header, path: "messages.csv") == ["linkedin"])
        #expect(Export.recognising("FROM,TO,DATE,CONTENT\n", path: "messages.csv") == [])
    }
}
