import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

/// The texts of messages of Telegram, and content of unknown kinds.
struct TelegramTextTests {
    @Test(
        arguments: [
            (
                #""text": ["see ", {"type": "link", "text": "example.org"}, " or ", {"type": "text_link", "text": "this", "href": "https://example.org"}]"#,
                "see example.org or this (https://example.org)"
            ),
            (#""text": "", "text_entities": [{"type": "bold", "text": "hi"}]"#, "hi"), (#""text": [], "x": 1"#, nil),
            (#""text": "x", "forwarded_from": "bob""#, "[forwarded from bob]\nx"),
            (#""text": "x", "via_bot": "@gif""#, "[via @gif]\nx"),
            (#""text": "", "sticker_emoji": "👋", "media_type": "sticker""#, "👋"),
            (
                #""text": "", "poll": {"question": "when?", "closed": false, "answers": [{"text": "now", "voters": 2}, {"text": "later"}]}"#,
                "when?\n- now\n- later"
            ),
            (
                #""text": "", "place_name": "Cafe", "address": "", "location_information": {"latitude": 52.5, "longitude": 13}"#,
                "Cafe, 52.5, 13"
            ),
            (
                #""text": "", "contact_information": {"first_name": "bob", "last_name": "", "phone_number": "+00 1"}"#,
                "bob +00 1"
            ),
            (#""text": "a\x1Fb\ud83dc\ud83d\udc4b""#, "a\u{1F}b\u{FFFD}c👋"),
            (#""text": "", "location_information": null"#, "a place, but the export lacks where"),
            (#""text": "pay", "invoice_information": "{\n \"title\": \"Book\", \"amount\": 500\n}""#, "pay\nBook"),
            (#""text": "", "invoice_information": {"title": "Book"}"#, "Book"),
            (#""text": "", "invoice_information": "Book""#, "Book"),
            (
                #""text": "", "todo_list": {"title": "Trip", "answers": [{"text": ["see ", {"type": "bold", "text": "Rome"}], "id": 1}]}"#,
                "Trip\n- see Rome"
            ),
            (
                #""text": "", "giveaway_information": {"quantity": 5, "months": 3, "until_date": "2026-12-01T00:00:00", "additional_prize": "a mug", "stars": 0}"#,
                "giveaway: 5 winners, 3 months of Premium each, until 2026-12-01\na mug"
            ),
            (
                #""text": "", "giveaway_results": {"winners_count": 1, "stars": 50, "months": 0, "additional_prize": ""}"#,
                "results of a giveaway: 1 winner, 50 stars"
            ),
            (#""text": "", "paid_stars_amount": 10"#, "paid media: 10 stars"),
        ] as [(String, String?)])
    func `the text is what the message says in words`(text: String, body: String?) throws {
        #expect(try TelegramTests.one("{\(TelegramTests.head), \(text)}").body == body)
    }

    @Test func `a rich message has the text of its blocks`() throws {
        let message = """
            {\(TelegramTests.head), "rich_message": {"rtl": false, "blocks": [
             {"type": "heading", "level": 1, "text": {"type": "plain", "text": "Shopping"}},
             {"type": "paragraph", "text": {"type": "concat", "text": [{"type": "plain", "text": "buy "},
              {"type": "bold", "text": {"type": "plain", "text": "milk"}},
              {"type": "text_link", "href": "https://example.org", "text": {"type": "plain", "text": " here"}}]}},
             {"type": "list", "items": [{"task_state": "checked", "text": "eggs"}, {"task_state": "unchecked", "text": "bread"},
              {"content": "blocks", "blocks": [{"type": "paragraph", "text": "figs"}, {"type": "paragraph", "text": "two"}]}]},
             {"type": "table", "rows": [{"cells": [{"text": "a"}, {"text": "b"}]}]}, {"type": "divider"},
             {"type": "details", "summary": "more", "blocks": [{"type": "table", "cells": [[{"text": "c"}, {"text": "d"}]]}]},
             {"type": "photo", "caption": {"text": "view", "credit": "bob"}}, {"type": "math", "expression": "x^2"},
             {"type": "quote", "text": "so", "caption": {"type": "empty"}}, {"type": "map", "zoom": 3}]}}
            """
        let export = try Export(TelegramFormat.self, TelegramTests.chat(message))
        #expect(
            export.messages.map(\.body) == [
                "Shopping\nbuy milk here (https://example.org)\n[x] eggs\n[ ] bread\n- figs\ntwo\na | b\nmore\nc | d\nview\nbob\nx^2\nso"
            ])
        #expect(export.unknownKinds.counts == ["rich_message map": 1])
    }

    @Test(arguments: [(#"{"text": "#, "}"), (#"{"items": ["#, "]}"), (#"{"text": ["#, "]}")])
    func `an endlessly nested rich message is invalid`(start: String, end: String) throws {
        let text = String(repeating: start, count: 200) + #""x""# + String(repeating: end, count: 200)
        let message = #"{\#(TelegramTests.head), "rich_message": {"blocks": [\#(text)]}}"#
        let export = try Export(TelegramFormat.self, TelegramTests.chat(message))
        #expect(export.unreadable == ["its \"rich_message\" is nested too deeply"])
    }

    @Test(
        arguments: [
            (#""text": "", "dice_value": 4"#, ["dice_value": 1]), (#""text": "x", "level": 4"#, [:]),
            (#""text": "x", "quiz": {"a": 1}"#, ["quiz": 1]), (#""text": "", "photo": "a.jpg", "level": 4"#, [:]),
        ] as [(String, [String: Int])])
    func `content of an unknown kind is counted by name`(content: String, counts: [String: Int]) throws {
        let export = try Export(TelegramFormat.self, TelegramTests.chat("{\(TelegramTests.head), \(content)}"))
        #expect(export.unknownKinds.counts == counts)
    }

    @Test func `only a few names of unknown kinds are kept, and cut`() throws {
        let messages = (0..<30).map {
            #"{\#(TelegramTests.head), "text": "", "\#(String(repeating: "x", count: 100))": 1, "y\#($0)": 1}"#
        }
        let kinds = try Export(TelegramFormat.self, TelegramTests.chat(messages.joined(separator: ","))).unknownKinds
        #expect(kinds.counts.count == 20 && kinds.counts[String(repeating: "x", count: 64)] == 30)
        #expect(kinds.others == 11)
    }
}
