import ChatModel
import Foundation
import Testing

@testable import LogFormats

struct TelegramHTMLContentTests {
    private typealias Page = TelegramPage

    private func one(_ content: String, from name: String? = "alice") throws -> ImportedMessage {
        let export = try Export(TelegramHTMLFormat.self, Page.page(Page.day + Page.message(100, content, from: name)))
        #expect(export.unreadable.isEmpty)
        return try #require(export.messages.first)
    }

    @Test func `files have their paths, and missing ones are named`() throws {
        let parts = [
            "<div class=\"media_wrap clearfix\"><a class=\"photo_wrap clearfix pull_left\" href=\"photos/a.jpg\"><img class=\"photo\" src=\"photos/a_thumb.jpg\" style=\"width: 1px\"/></a></div>",
            "<div class=\"media_wrap\"><a class=\"video_file_wrap clearfix\" href=\"../../chats/chat_01/v.mp4\"><div class=\"video_play_bg\"><div class=\"video_play\"></div></div><div class=\"video_duration\">0:10</div><img src=\"t.jpg\"/></a></div>",
            Page.media("media_voice_message", "voice_messages/a.ogg", title: "Voice message", status: "00:05"),
            Page.media(
                "media_file", nil, title: "plan.pdf",
                description: "Not included, change data exporting settings to download.", status: "3 KB"),
            Page.media("media_photo", nil, title: "Photo", description: "Exceeds maximum size", status: "1x1, 2 MB"),
            "<a class=\"sticker_wrap clearfix pull_left\" href=\"stickers/a.webp\"><img class=\"sticker\" src=\"x\"/></a>",
        ]
        let export = try Export(
            TelegramHTMLFormat.self, Page.page(parts.enumerated().map { Page.message($0 + 1, $1) }.joined()))
        #expect(
            export.messages.map { $0.files.map(\.path) } == [
                ["photos/a.jpg"], ["chats/chat_01/v.mp4"], ["voice_messages/a.ogg"], ["plan.pdf"], ["photo"],
                ["stickers/a.webp"],
            ])
        #expect(export.messages.allSatisfy { $0.body == nil && $0.kind == .message })
        #expect(
            export.assumptions == [
                "files kept by name only, because the export has neither the file nor its address: 2"
            ])
    }

    @Test(
        arguments: [
            (Page.media("media_contact", "contacts/1.vcard", title: "bob ", status: "+00 1 - vCard"), "bob +00 1"),
            (
                Page.media(
                    "media_location", "https://maps.google.com/maps?q=52.5,13&ll=52.5,13&z=16", title: "Location",
                    status: "52.5, 13"), "52.5, 13"
            ),
            (
                Page.media(
                    "media_venue", "https://maps.google.com/maps?q=52.5,13&amp;ll=52.5,13", title: "Cafe",
                    description: "Street"), "Cafe, Street, 52.5, 13"
            ),
            (
                Page.media(
                    "media_game", "https://t.me/x?game=y", title: "Chess", description: "D", status: "https://t.me"),
                "Chess"
            ),
            (Page.media("media_invoice", nil, title: "Book", status: "1 €"), "Book"),
            (Page.media("media_photo", nil, title: "Sticker", description: "Not included", status: "👋, 12.3 KB"), "👋"),
            (Page.media("media_photo", "stickers/a.tgs", title: "Sticker", status: "👋"), "👋"),
            (
                "<div class=\"media_poll\"><div class=\"question bold\">\nwhen?\n</div><div class=\"details\">Anonymous poll</div><div class=\"answer\">\n- now <span class=\"details\">2 votes</span>\n</div><div class=\"answer\">- later</div><div class=\"total details\t\">2 votes</div></div>",
                "when?\n- now\n- later"
            ),
        ] as [(String, String)])
    func `content without text is described in words`(content: String, body: String) throws {
        #expect(try one(content).body == body)
    }

    @Test(arguments: [
        ("Outgoing (35 seconds)", "called: hangup, 35 seconds"), ("Missed", "called: missed"),
        ("Cancelled", "called: missed"),
        ("Declined", "called: busy"), ("Incoming", "called"),
    ])
    func `a call is an action`(status: String, body: String) throws {
        let message = try one(Page.media("media_call success", nil, title: "bob", status: status))
        #expect((message.kind, message.body, message.sender, message.files) == (.action, body, "alice", []))
    }

    @Test(
        arguments: [
            (
                "alice created group &laquo;New&raquo; with members bob and carol", "alice", .action,
                "created the group New"
            ),
            ("alice changed group title to &laquo;New&raquo;", "alice", .action, "changed the group's name to New"),
            ("Channel title changed to &laquo;New&raquo;", "Example", .action, "changed the group's name to New"),
            ("Channel &laquo;New&raquo; created", "Example", .action, "created the channel New"),
            ("alice invited bob, carol and dave", "alice", .invite, "bob, carol, dave"),
            ("alice invited alice", "alice", .join, nil),
            ("alice invited bob to the voice chat", "alice", .action, "invite to group call: bob"),
            ("alice removed bob", "alice", .kick, "bob"), ("alice removed alice", "alice", .leave, nil),
            ("alice joined group by link from bob", "alice", .join, nil),
            ("alice joined group by request", "alice", .join, nil),
            (
                "alice converted a basic group to this supergroup &laquo;Old&raquo;", "alice", .action,
                "migrate from group: Old"
            ),
            ("alice changed group photo", "alice", .action, "edit group photo"),
            ("alice took a screenshot", "alice", .action, "take screenshot"),
            ("alice changed topic title to &laquo;T&raquo;", "alice", .action, "topic edit: T"),
            ("alice set a new background for this chat", "alice", .action, "set chat wallpaper"),
            ("You have successfully transferred 1 €", nil, .system, "You have successfully transferred 1 €"),
            ("History cleared", nil, .system, "History cleared"),
        ] as [(String, String?, MessageKind, String?)])
    func `events are read as their kind`(text: String, sender: String?, kind: MessageKind, body: String?) throws {
        let export = try Export(TelegramHTMLFormat.self, Page.page(Page.day + Page.service(101, text)))
        let message = try #require(export.messages.first)
        #expect((message.kind, message.sender, message.body) == (kind, sender, body))
        #expect(message.remoteID == "101")
    }

    @Test func `reactions are stored for the named people`() throws {
        func reaction(_ emoji: String, _ names: [String], count: Int? = nil) -> String {
            let people = names.map {
                "<div class=\"userpic userpic1\"><div class=\"initials\" title=\"\($0)\">\nA\n</div></div>"
            }
            let number = count.map { "<span class=\"count\">\n\($0)\n</span>" } ?? ""
            return
                "<span class=\"reaction\"><span class=\"emoji\">\n\(emoji)\n</span><span class=\"userpics\">\(people.joined())</span>\(number)</span>"
        }
        let reactions = reaction("👍", ["bob ", "민수"]) + reaction("🎉", ["bob"], count: 3) + reaction("👋", [], count: 2)
        let content = Page.text("x") + "<span class=\"reactions\">\(reactions)</span>"
        let export = try Export(TelegramHTMLFormat.self, Page.page(Page.message(1, content)))
        #expect(
            export.messages.first?.reactions == [
                .init(text: "👍", user: "bob"), .init(text: "👍", user: "민수"), .init(text: "🎉", user: "bob"),
            ])
        #expect(export.assumptions == ["reactions skipped, because the export does not say whose they are: 4"])
    }
}
