import ChatModel
import Foundation
import Testing

@testable import Rendering
@testable import Settings

/// Pages, lists and changes in the machine formats.
struct MachineFormatTests: MachineFormatSuite {
    @Test func `a page in JSON is one document with ordered keys`() {
        var renderer = renderer(.json)
        let rendered = renderer.render(page)
        #expect(rendered.notes.isEmpty)
        #expect(
            rendered.output == #"""
                {"messages": [\#(JSONValue(page.messages[0]).text)], "older": "2026-11-21T06:23:11.123456Z", "newer": null, \#
                "gaps": [{"account": "demo", "room": "lobby", "from": "2026-11-21T06:23:11.123456Z", \#
                "to": "2026-11-21T06:25:40.123456Z", "state": "lost", "reason": "closed", "next_try": null, \#
                "unfilled": null, "detail": null, "imported": [], "configured": null, "purged": null, \#
                "replayed": 0, "has_more_replayed": false}], \#
                "left_out": [], "day": null}

                """#)
    }

    @Test func `a message in JSON has ordered keys`() {
        #expect(
            JSONValue(page.messages[0]).text.hasPrefix(
                #"""
                {"id": "2026-11-21T06:23:11.123456Z", "account": "demo", "network": "streamchat", "workspace": null, \#
                "room": "lobby", "kind": "message", "sender": {"id": 7, "name": "alice", "is_self": false}, \#
                "body": "안녕, \"you\"", "remote_id": null, "received_at": "2026-11-21T06:23:11.123456Z", \#
                "edited_at": null, "deleted_at": null, "reply_to": null, "attachments": [], \#
                "flags": ["maybe_coalesced"], "reply_to_remote_id": null, "reactions": []
                """#))
    }

    @Test func `a page in JSON names the skipped accounts`() {
        var renderer = renderer(.json)
        var page = Page(messages: [], older: nil, newer: nil, gaps: [])
        page.skipped = [
            SkippedAccount(account: "old", reason: "cold", detail: "account 'old' is compressed"),
            SkippedAccount(account: nil, reason: "corrupt", detail: "x is no archive"),
        ]
        let leftOut = #"""
            [{"account": "old", "reason": "cold", "detail": "account 'old' is compressed"}, \#
            {"account": null, "reason": "corrupt", "detail": "x is no archive"}]
            """#
        for groups in [nil, []] as [[HitGroup]?] {
            #expect(
                renderer.render(hits: page, groups: groups).output.hasSuffix(
                    "\"left_out\": \(leftOut), \"day\": null}\n"))
        }
        #expect(renderer.render(page).output.hasSuffix("\"left_out\": \(leftOut), \"day\": null}\n"))
    }

    @Test func `a page of a day has the day, its ends and the nearest days with messages`() throws {
        var json = renderer(.json)
        let day = #"""
            "day": {"day": "2026-11-21", "previous": "2026-11-19", "next": null, \#
            "from": "2026-11-21T00:00:00.000000Z", "to": "2026-11-22T00:00:00.000000Z"}}

            """#
        #expect(json.render(dayPage).output.hasSuffix(day))
        #expect(try document("docs/json.md").contains(day.dropLast(2)))
        var stream = HistoryStream(renderer(.json), isSearch: false)
        _ = stream.render(dayPage)
        #expect(stream.end().output.hasSuffix(day))
        for format in [OutputFormat.text, .csv, .jsonl] {
            var renderer = HistoryRenderer(
                format: format, text: renderer(format).text,
                nextCommand: NextCommand(subject: ["demo/lobby"], options: ["-n", "1"], before: "2026-11-22"))
            let notes = renderer.render(dayPage).notes
            let hint = "previous day: scrollback history demo/lobby --day 2026-11-19 -n 1\n"
            let newer = "newer: scrollback history demo/lobby --after \(sampleTime) --before 2026-11-22 -n 1\n"
            #expect(notes.hasSuffix(newer + hint))
            var stream = HistoryStream(renderer, isSearch: false)
            _ = stream.render(dayPage)
            #expect(stream.end().notes == hint)
        }
    }

    @Test func `a thread's page has its first message, or the reason why it is missing`() throws {
        var json = renderer(.json)
        let end =
            #""day": null, "root": null, "root_remote_id": "x\u001b", "root_state": "missing", "count": 1, "cut": true}"#
        #expect(json.render(thread).output.hasSuffix(end + "\n"))
        var stream = HistoryStream(renderer(.json), isSearch: true)
        var last = thread
        last.page.older = nil
        _ = stream.render(last.page)
        #expect(stream.end(last).output.hasSuffix(end + "\n"))
        var whole = thread
        (whole.root, whole.outline.rootState, whole.outline.isCut) = (page.messages[0], .found, false)
        #expect(JSONValue(whole).text.contains(#""root": \#(JSONValue(page.messages[0]).text), "#))
        for format in [OutputFormat.text, .csv, .jsonl] {
            var renderer = renderer(format)
            let notes = renderer.render(thread).notes
            #expect(notes.contains("is not archived (remote id x\\u{1B})\nthis thread has more than 100,000 messages;"))
            #expect(notes.hasPrefix("1 gap in the time of this page;"))
            #expect(!renderer.render(whole).notes.contains("thread"))
        }
        let documentation = try document("docs/json.md")
        let keys = try documentedKeys(under: "A conversation", in: documentation)
        #expect(JSONValue(page).members.map(\.key) + keys == JSONValue(thread).members.map(\.key))
        for state in ThreadOutline.RootState.allCases { #expect(documentation.contains("`\(state.rawValue)`")) }
    }

    @Test func `a message's file has its state`() {
        var message = message("hi")
        message.attachments = [stored.attachment, ChatModel.Attachment(path: "/static/b", state: .tooLarge)]
        #expect(
            JSONValue(message).text.contains(
                #"""
                "attachments": [{"path": "/static/%EA%B0%80.png", "name": "가.png", "kind": "image", "bytes": 3, \#
                "sha256": "ab", "state": "here"}, {"path": "/static/b", "name": "b", "kind": "file", "bytes": null, \#
                "sha256": null, "state": "too_large"}]
                """#))
    }

    @Test func `a list of files has every known detail`() {
        let listing = StoredAttachment.listing(time: LocalTime(zone: .gmt))
        #expect(
            listing.render([stored], format: .jsonl) == #"""
                {"message": "2026-11-21T06:23:11.123456Z", "account": "work", "network": "slp", "room": "일반", \#
                "sender": "alice", "path": "/static/%EA%B0%80.png", "name": "가.png", "kind": "image", "bytes": 3, \#
                "sha256": "ab", "state": "here", "error": null, "attempts": 1, \#
                "tried_at": "2026-11-21T06:23:11.123456Z", "next_try": null, "file": "data/ab"}

                """#)
        #expect(listing.keys == JSONValue(stored).members.map(\.key))
        var failed = stored
        failed.attachment = ChatModel.Attachment(path: "/static/b", state: .gone)
        (failed.error, failed.file) = ("\u{1B}[2Jit is\ngone", nil)
        let text = listing.render([failed], format: .text)
        #expect(text.contains("gone: ") && !text.contains("\u{1B}") && !text.contains("FILE"))
    }

    @Test(arguments: [OutputFormat.jsonl, .csv])
    func `times of edit and deletion are shown`(format: OutputFormat) {
        var renderer = renderer(format)
        let (edited, deleted) = (sampleTime.advanced(by: .seconds(1)), sampleTime.advanced(by: .seconds(2)))
        let output = renderer.render(
            Page(
                messages: [message("hi", editedAt: edited, deletedAt: deleted)], older: nil, newer: nil, gaps: [])
        ).output
        #expect(
            output.contains(
                format == .csv
                    ? "2026-11-21T06:23:12.123456Z,2026-11-21T06:23:13.123456Z,,,,,,"
                    : #""edited_at": "2026-11-21T06:23:12.123456Z", "deleted_at": "2026-11-21T06:23:13.123456Z""#))
    }

    @Test func `jsonl has only messages, and everything else is on stderr`() {
        var renderer = renderer(.jsonl)
        let rendered = renderer.render(page)
        #expect(rendered.output == JSONValue(page.messages[0]).text + "\n")
        #expect(
            rendered.notes.contains("older: scrollback history demo/lobby --before 2026-11-21T06:23:11.123456Z -n 1"))
        #expect(rendered.notes.contains("gap in demo/lobby"))
    }

    @Test func `csv has one header, quotes, and no cell that a spreadsheet executes`() {
        var renderer = renderer(.csv)
        _ = renderer.render(page)
        let rendered = renderer.render(
            Page(messages: [message("=1+1,\"x\"\n\u{1B}", sender: "@eve")], older: nil, newer: nil, gaps: []))
        #expect(
            rendered.output.hasPrefix(
                """
                2026-11-21T06:23:11.123456Z,demo,streamchat,,lobby,message,7,'@eve,\
                "'=1+1,""x""\\u{A}\\u{1B}",,2026-11-21T06:23:11.123456Z,,,,,,,
                """))
        #expect(rendered.output.hasSuffix(",false\r\n"))
    }

    @Test func `an accented quote is doubled`() {
        let record = CSV.record(["a\"\u{301},=1+1", "b"])
        #expect(record.unicodeScalars.elementsEqual("\"a\"\"\u{301},=1+1\",b\r\n".unicodeScalars))
    }

    @Test(arguments: [OutputFormat.text, .json, .jsonl, .csv])
    func `an empty list is empty in every format`(format: OutputFormat) {
        let listing = Room.listing(time: LocalTime(zone: .gmt))
        let expected: [OutputFormat: String] = [
            .json: "{\"rooms\": [], \"left_out\": []}\n", .csv: listing.keys.joined(separator: ",") + "\r\n",
        ]
        #expect(listing.render([], format: format) == expected[format, default: ""])
    }

    @Test func `a list in JSON names the skipped accounts after its totals`() {
        let leftOut = [SkippedAccount(account: "잠긴", reason: "locked", detail: "account '잠긴' is in use")]
        let rooms = Room.listing(time: LocalTime(zone: .gmt)).render([], leftOut: leftOut, format: .json)
        let account = #"{"account": "잠긴", "reason": "locked", "detail": "account '잠긴' is in use"}"#
        #expect(rooms == "{\"rooms\": [], \"left_out\": [\(account)]}\n")
        var failed = result
        (failed.state, failed.error, failed.figures.messages) = (.failed, "locked", nil)
        let results = AccountResult.listing.render([result, failed], leftOut: leftOut, format: .json)
        let totals = #"{"accounts": 2, "failed": 1, "messages": 12, "rooms": null, "bytes": 240, "cold_bytes": null"#
        #expect(results.contains(#""totals": "# + totals), "\(results)")
        #expect(results.hasSuffix(", \"left_out\": [\(account)]}\n"))
        #expect(
            AccountResult.listing.render([result], leftOut: leftOut, format: .jsonl) == JSONValue(result).text
                + "\n")
    }

    @Test func `a change has its subject's state, or null if it is gone`() {
        let (text, json) = (
            FeedText(format: .text, style: .plain, zone: .gmt), FeedText(format: .jsonl, style: .plain, zone: .gmt)
        )
        let message = page.messages[0]
        let head = #"{"kind": "stored", "position": "e:7", "account": "demo", "subject": "#
        let named = JSONValue(room("x")).text.dropLast()
        for (subject, line, shown) in [
            (
                FeedChange.Subject.message(message.id, message),
                #""message", "id": "\#(message.id)", "state": \#(JSONValue(message).text)}"#,
                "\(message.id)  demo/lobby  alice  안녕, \"you\" [glued?]"
            ),
            (
                .message(message.id, nil), #""message", "id": "\#(message.id)", "state": null}"#,
                "demo  message \(message.id)  gone"
            ),
            (
                .user(7, user("ali\nce")), #""user", "id": 7, "state": \#(JSONValue(user("ali\nce")).text)}"#,
                "demo  user 7  ali\\u{A}ce"
            ),
            (
                .room(1, room("x"), gaps: [gap()]),
                #""room", "id": 1, "state": \#(named), "gaps": [\#(JSONValue(gap()).text)]}}"#, "demo  room 1  x"
            ),
        ] {
            #expect(json.render([change(subject)]).output == head + line + "\n")
            #expect(text.render([change(subject)]).output == "e:7  stored  \(shown)\n")
        }
        let reset =
            #"{"kind": "reset", "position": "e:7", "account": "demo", "subject": null, "id": null, "state": null}"#
        #expect(json.render([change(.account, .reset)]).output == reset + "\n")
        #expect(text.render([change(.account, .reset)]).output == "e:7  reset  demo\n")
    }
}
