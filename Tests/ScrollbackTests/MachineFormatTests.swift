import ChatModel
import Foundation
import Testing

@testable import Rendering
@testable import Settings

struct MachineFormatTests {
    private func renderer(_ format: OutputFormat) -> HistoryRenderer {
        HistoryRenderer(
            format: format,
            text: TextRenderer(
                time: LocalTime(zone: .gmt), style: .plain, now: sampleTime, options: TextRenderer.Options()),
            nextCommand: NextCommand(subject: ["demo/lobby"], options: ["-n", "1"]))
    }

    private var page: Page {
        Page(
            messages: [message("안녕, \"you\"", flags: .maybeCoalesced)], older: MessageID(sampleTime), newer: nil,
            gaps: [gap()])
    }

    @Test func `a page in JSON is one document with ordered keys`() {
        var renderer = renderer(.json)
        let rendered = renderer.render(page)
        #expect(rendered.notes.isEmpty)
        #expect(
            rendered.output == #"""
                {"messages": [{"id": "2026-11-21T06:23:11.123456Z", "account": "demo", "network": "streamchat", \#
                "workspace": null, "room": "lobby", "kind": "message", "sender": {"id": 7, "name": "alice", "is_self": false}, \#
                "body": "안녕, \"you\"", "remote_id": null, "received_at": "2026-11-21T06:23:11.123456Z", \#
                "edited_at": null, "deleted_at": null, "reply_to": null, "attachments": [], \#
                "flags": ["maybe_coalesced"], "reply_to_remote_id": null, "reactions": []}], "older": "2026-11-21T06:23:11.123456Z", "newer": null, \#
                "gaps": [{"account": "demo", "room": "lobby", "from": "2026-11-21T06:23:11.123456Z", \#
                "to": "2026-11-21T06:25:40.123456Z", "state": "lost", "reason": "closed", "next_try": null, \#
                "unfilled": null, "detail": null, "imported": [], "configured": null, "purged": null, \#
                "replayed": 0, "has_more_replayed": false}], \#
                "left_out": [], "day": null}

                """#)
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

    private var dayPage: Page {
        var page = page
        let day = CivilDay(containing: sampleTime, in: .gmt)
        let earlier = CivilDay(containing: sampleTime.advanced(by: .seconds(-172_800)), in: .gmt)
        (page.older, page.newer, page.day) = (nil, MessageID(sampleTime), Page.Day(day, previous: earlier, next: nil))
        return page
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

    private var thread: MessageThread {
        let id = MessageID(sampleTime)
        let outline = ThreadOutline(
            account: "demo", room: 1, rootState: .missing, root: nil, rootRemoteID: "x\u{1B}", ids: [id], isCut: true)
        return MessageThread(outline: outline, root: nil, page: page)
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

    private var stored: StoredAttachment {
        StoredAttachment(
            account: "work", network: "slp", room: "일반", message: MessageID(sampleTime), sender: "alice",
            attachment: ChatModel.Attachment(path: "/static/%EA%B0%80.png", sha256: "ab", size: 3), attempts: 1,
            triedAt: sampleTime,
            file: "data/ab")
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
        let listing = Listing<StoredAttachment>.attachments(time: LocalTime(zone: .gmt))
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
                    ? "2026-11-21T06:23:12.123456Z,2026-11-21T06:23:13.123456Z,,,,,,false\r\n"
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
            rendered.output == """
                2026-11-21T06:23:11.123456Z,demo,streamchat,,lobby,message,7,'@eve,\
                "'=1+1,""x""\\u{A}\\u{1B}",,2026-11-21T06:23:11.123456Z,,,,,,,,false\r\n
                """)
    }

    @Test func `an accented quote is doubled`() {
        let record = CSV.record(["a\"\u{301},=1+1", "b"])
        #expect(record.unicodeScalars.elementsEqual("\"a\"\"\u{301},=1+1\",b\r\n".unicodeScalars))
    }

    @Test func `the csv header has the columns of the rows`() {
        #expect(HistoryRenderer.csvHeader == CSV.header(of: JSONValue(message("x"))))
        #expect(HistoryRenderer.csvHeader == CSV.header(of: JSONValue(message("x", sender: nil))))
        #expect(Listing<Room>.rooms(time: LocalTime(zone: .gmt)).keys == CSV.header(of: JSONValue(room("x"))))
        #expect(
            Listing<Gap>.gaps(time: LocalTime(zone: .gmt), now: sampleTime).keys == CSV.header(of: JSONValue(gap())))
        #expect(
            Listing<AccountStatus>.status(time: LocalTime(zone: .gmt), now: sampleTime).keys
                == CSV.header(of: JSONValue(status)))
        #expect(Listing<UnreadRoom>.unread(time: LocalTime(zone: .gmt)).keys == CSV.header(of: JSONValue(unread(2))))
    }

    @Test func `the service's count follows ours, with the difference`() throws {
        let listing = Listing<ComparedUnread>.unread(time: LocalTime(zone: .gmt))
        func compared(_ answer: UnreadAnswer?) -> ComparedUnread { ComparedUnread(room: unread(2), answer: answer) }
        let added = try documentedKeys(under: "What is unread, and the service's count", in: document("docs/json.md"))
        for answer in [nil, UnreadAnswer(room: 1, count: 3), UnreadAnswer(room: 1, error: "x")] {
            #expect(listing.keys == CSV.header(of: JSONValue(compared(answer))))
            #expect(listing.keys == CSV.header(of: JSONValue(unread(2))) + added)
        }
        let shown = [2, 5, 0].map { compared(UnreadAnswer(room: 1, count: $0)).shown }
        #expect(shown == ["2", "5 (+3)", "0 (-2)"])
        #expect(compared(nil).shown == "-" && compared(UnreadAnswer(room: 1, error: "no")).shown == "?")
        let errors = ComparedUnread.errors((0..<5).map { _ in compared(UnreadAnswer(room: 1, error: "no")) })
        #expect(errors == ["demo/lobby, demo/lobby, demo/lobby and 2 more: no"])
    }

    @Test func `the csv header has the columns of accounts`() {
        #expect(
            Listing<AccountSummary>.accounts(time: LocalTime(zone: .gmt)).keys
                == CSV.header(of: JSONValue(sampleAccount)))
    }

    @Test func `the csv header has the columns of users, in a room and outside`() {
        let listing = Listing<User>.users(time: LocalTime(zone: .gmt), showsAccounts: true, showsRoom: false)
        #expect(listing.keys == CSV.header(of: JSONValue(user("alice"))))
        let member = User.Membership(room: "lobby", joinedAt: nil, leftAt: nil)
        #expect(listing.keys == CSV.header(of: JSONValue(user("alice", membership: member))))
    }

    @Test func `the csv header has the columns of checks`() {
        #expect(Listing<AccountCheck>.checks.keys == CSV.header(of: JSONValue(sampleCheck)))
        #expect(Listing<AccountResult>.results.keys == CSV.header(of: JSONValue(result)))
    }

    @Test(arguments: [OutputFormat.text, .json, .jsonl, .csv])
    func `an empty list is empty in every format`(format: OutputFormat) {
        let listing = Listing<Room>.rooms(time: LocalTime(zone: .gmt))
        let expected: [OutputFormat: String] = [
            .json: "{\"rooms\": [], \"left_out\": []}\n", .csv: listing.keys.joined(separator: ",") + "\r\n",
        ]
        #expect(listing.render([], format: format) == expected[format, default: ""])
    }

    @Test func `a list in JSON names the skipped accounts after its totals`() {
        let leftOut = [SkippedAccount(account: "잠긴", reason: "locked", detail: "account '잠긴' is in use")]
        let rooms = Listing<Room>.rooms(time: LocalTime(zone: .gmt)).render([], leftOut: leftOut, format: .json)
        let account = #"{"account": "잠긴", "reason": "locked", "detail": "account '잠긴' is in use"}"#
        #expect(rooms == "{\"rooms\": [], \"left_out\": [\(account)]}\n")
        var failed = result
        (failed.state, failed.error, failed.figures.messages) = (.failed, "locked", nil)
        let results = Listing<AccountResult>.results.render([result, failed], leftOut: leftOut, format: .json)
        let totals = #"{"accounts": 2, "failed": 1, "messages": 12, "rooms": null, "bytes": 240, "cold_bytes": null"#
        #expect(results.contains(#""totals": "# + totals), "\(results)")
        #expect(results.hasSuffix(", \"left_out\": [\(account)]}\n"))
        #expect(
            Listing<AccountResult>.results.render([result], leftOut: leftOut, format: .jsonl) == JSONValue(result).text
                + "\n")
    }

    @Test func `the key of each command's list is the documented one`() throws {
        let text = try document("docs/json.md")
        let time = LocalTime(zone: .gmt)
        let names: [(String, String)] = [
            ("accounts", Listing<AccountSummary>.accounts(time: time).name),
            ("archive check", Listing<AccountCheck>.checks.name),
            ("archive compress", Listing<AccountResult>.results.name),
            ("attachments", Listing<StoredAttachment>.attachments(time: time).name),
            ("gaps", Listing<Gap>.gaps(time: time, now: sampleTime).name),
            ("rooms", Listing<Room>.rooms(time: time).name),
            ("search --count", Listing<HitCount>.hits(by: "", of: "HITS", chart: nil).name),
            ("status", Listing<AccountStatus>.status(time: time, now: sampleTime).name),
            ("unread", Listing<UnreadRoom>.unread(time: time).name),
            ("users", Listing<User>.users(time: time, showsAccounts: true, showsRoom: false).name),
        ]
        for (command, key) in names {
            let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(command)`") && $0.contains("](#") }
            #expect(row?.contains("| `\(key)` |") == true, "\(command)")
        }
    }

    private var result: AccountResult {
        var result = AccountResult("demo", .done, detail: "compressed")
        (result.figures.messages, result.figures.bytes) = (12, 120)
        return result
    }

    @Test func `a list in text is a table aligned by display width`() {
        let text = Listing<Room>.rooms(time: LocalTime(zone: .gmt)).render(
            [room("우리집"), room("x", id: 12)], format: .text)
        #expect(
            text == """
                ROOM         ID  KIND     MESSAGES  FIRST                LAST  ARCHIVED SINCE
                demo/우리집   1  channel         3  2026-11-21 06:23:11  -     2026-11-21 06:23:11
                demo/x       12  channel         3  2026-11-21 06:23:11  -     2026-11-21 06:23:11

                """)
    }

    @Test func `on a narrow terminal, a room keeps one line and loses the least important columns`() {
        var direct = room("민수", id: 12, account: "직장", unread: UnreadCount(count: 4, hasMore: false))
        (direct.workspace, direct.lastMessage, direct.leftAt) = ("우리 회사", MessageID(sampleTime), sampleTime)
        let text = Listing<Room>.rooms(time: LocalTime(zone: .gmt)).render([direct], format: .text, width: 80)
        #expect(
            text == """
                WORKSPACE  ROOM       ID  MESSAGES  UNREAD  LAST                 STATE
                우리 회사  직장/민수  12         3       4  2026-11-21 06:23:11  left

                """)
    }

    @Test func `a long description is left out first, and alone if that suffices`() {
        var described = room("x")
        (described.description, described.owner) = (String(repeating: "plans ", count: 40), "alice")
        let listing = Listing<Room>.rooms(time: LocalTime(zone: .gmt))
        func heading(_ width: Int?) -> String {
            String(listing.render([described], format: .text, width: width).prefix { $0 != "\n" })
        }
        let usual = "ROOM    ID  KIND     MESSAGES  FIRST                LAST  ARCHIVED SINCE"
        #expect(heading(nil).hasPrefix(usual) && heading(nil).contains("OWNER  DESCRIPTION"))
        #expect(heading(100) == usual)
        #expect(heading(60) == "ROOM    ID  MESSAGES  LAST")
    }

    private func gaps(width: Int) -> String {
        let end = sampleTime.advanced(byMicroseconds: 149_000_000)
        var filled = gap(from: sampleTime, to: end, state: .lost, reason: "closed")
        filled.missing?.unfilled = "unsupported"
        let open = gap(from: end, to: nil, state: .current, reason: "stopped")
        let listing = Listing<Gap>.gaps(time: LocalTime(zone: .gmt), now: end.advanced(byMicroseconds: 60_000_000))
        return listing.render([filled, open], format: .text, width: width)
    }

    @Test func `on a narrow terminal, a gap's reason is below its row`() {
        #expect(
            gaps(width: 80) == """
                ROOM        FROM                 TO                   LENGTH  STATE
                demo/lobby  2026-11-21 06:23:11  2026-11-21 06:25:40   2 min  lost
                  reason: the server closed the connection; the server has no history
                demo/lobby  2026-11-21 06:25:40  now                   1 min  current
                  reason: the listener was stopped

                """)
        #expect(
            gaps(width: 66) == """
                ROOM        FROM                 TO                   LENGTH
                demo/lobby  2026-11-21 06:23:11  2026-11-21 06:25:40   2 min
                  state: lost; reason: the server closed the connection; the
                  server has no history
                demo/lobby  2026-11-21 06:25:40  now                   1 min
                  state: current; reason: the listener was stopped

                """)
    }

    @Test(arguments: [30, 40, 50, 60, 70, 80, 100, 120, 140])
    func `no line of a list is longer than the terminal, and no word is lost`(width: Int) {
        let lines = gaps(width: width).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
        let words = Set(lines.flatMap { $0.split { " ;:".contains($0) } })
        #expect(words.isSuperset(of: ["lost", "connection", "history", "stopped", "current"]), "\(lines)")
    }

    @Test func `status shows a server's demand for TLS and its end`() {
        var status = AccountStatus(account: "libera", network: "irc", state: .connected)
        status.tlsUntil = sampleTime
        let text = Listing<AccountStatus>.status(time: LocalTime(zone: .gmt), now: sampleTime)
            .render([status], format: .text)
        #expect(text.contains("connected, by TLS as the server demands until 2026-11-21"), "\(text)")
        #expect(JSONValue(status).text.hasSuffix("\"tls_until\": \"2026-11-21T06:23:11.123456Z\"}"))
    }

    @Test func `status has one line of 80 columns per account, and details below`() {
        var status = AccountStatus(account: "libera", network: "irc", state: .waiting)
        (status.since, status.nextTry) = (sampleTime, sampleTime.advanced(byMicroseconds: 60_000_000))
        status.lastError = "connection refused"
        let text = Listing<AccountStatus>.status(time: LocalTime(zone: .gmt), now: sampleTime)
            .render([status], format: .text, width: 80)
        #expect(
            text == """
                ACCOUNT  NETWORK  STATE    HEARD  LAST MESSAGE  MESSAGES  GAPS  FAILURES
                libera   irc      waiting  -      -                    0     0         0
                  since: 2026-11-21 06:23:11; next try: 2026-11-21 06:24:11; last error:
                  connection refused

                """)
    }

    @Test func `rooms show the unread count up to its limit, and nothing if all is read`() {
        let rooms = [
            room("우리집", unread: UnreadCount(count: 100, hasMore: true)),
            room("x", unread: UnreadCount(count: 0, hasMore: false)),
            room("y", unread: UnreadCount(count: 7, hasMore: false)),
        ]
        let listing = Listing<Room>.rooms(time: LocalTime(zone: .gmt))
        let lines = listing.render(rooms, format: .text).split(separator: "\n")
        #expect(lines[0].contains("MESSAGES  UNREAD  FIRST"))
        #expect(lines[1].contains("3    100+  2026") && lines[2].contains("3          2026"))
        #expect(lines[3].contains("3       7  2026"))
        #expect(listing.render(rooms, format: .jsonl).contains(#""unread": 100, "has_more_unread": true"#))
    }

    @Test(arguments: [(nil, "connected "), (1, "connected, fetching 1 room "), (1200, "fetching 1,200 rooms ")])
    func `status shows the number of rooms whose history is being fetched`(rooms: Int?, says: String) {
        var status = status
        status.state = .connected
        status.backfill = rooms.map { BackfillProgress(rooms: $0) }
        let text = Listing<AccountStatus>.status(time: LocalTime(zone: .gmt), now: sampleTime)
            .render([status], format: .text)
        #expect(text.contains(says), "\(text)")
    }

    @Test func `every format has the documented keys in their order`() throws {
        let text = try document("docs/json.md")
        let expected: [(String, JSONValue)] = [
            ("A page", JSONValue(page)), ("A message", JSONValue(page.messages[0])), ("A gap", JSONValue(gap())),
            ("A room", JSONValue(room("x"))), ("An account's status", JSONValue(status)),
            ("An account", JSONValue(sampleAccount)), ("A user", JSONValue(user("alice"))),
            ("A count of hits", JSONValue(HitCount(account: "demo", name: "lobby", count: 12))),
            ("What is unread in a room", JSONValue(unread(2))),
            ("A change", JSONValue(change(.message(page.messages[0].id, page.messages[0])))),
            ("A removal", Listing<Purge>.purges(time: LocalTime(zone: .gmt), isPlan: false).json(samplePurge)),
            ("A hold", Listing<AccountHold>.holds(time: LocalTime(zone: .gmt)).json(sampleHold)),
            ("A check", JSONValue(sampleCheck)), ("A result", JSONValue(result)),
        ]
        for (heading, value) in expected {
            guard case .object(let members) = value else { continue }
            #expect(try documentedKeys(under: heading, in: text) == members.map(\.key), "\(heading)")
        }
        let dayKeys = JSONValue(dayPage).members.last?.value.members.map(\.key)
        #expect(try documentedKeys(under: "A day of a page", in: text) == dayKeys)
        guard case .object(let whole) = JSONValue(sampleDetail) else { return }
        let messageKeys = try documentedKeys(under: "A message", in: text)
        let parts = try documentedKeys(under: "One message whole", in: text)
        #expect(messageKeys + parts == whole.map(\.key) + coverageKeys)
        let group = HitGroup(messages: page.messages, hits: [], gaps: [])
        let hitKeys = page.messages[0].json(in: group, number: 1, ranges: { _ in [] }).members.map(\.key)
        #expect(try messageKeys + documentedKeys(under: "A message among hits", in: text) == hitKeys)
        #expect(text.contains(HistoryRenderer.csvHeader.joined(separator: ",")))
        for absence in MessageDetail.Raw.Absence.allCases { #expect(text.contains("`\(absence.rawValue)`")) }
        for kind in FeedChange.Kind.allCases { #expect(text.contains("`\(kind.rawValue)`")) }
        for state in AccountCheck.State.allCases { #expect(text.contains("`\(state.rawValue)`")) }
        for kind in MessageKind.allCases { #expect(text.contains("`\(kind.rawValue)`")) }
        for reason in EndReason.allCases { #expect(text.contains("`\(reason.rawValue)`")) }
        for flag in MessageFlags(rawValue: -1).names { #expect(text.contains("`\(flag)`")) }
    }

    private func change(_ subject: FeedChange.Subject, _ kind: FeedChange.Kind = .stored) -> FeedChange {
        FeedChange(kind: kind, account: "demo", position: FeedPosition(epoch: "e", seq: 7), subject: subject)
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

    private var coverageKeys: [String] {
        guard case .object(let members) = JSONValue(sampleDetail.coverage) else { return [] }
        return members.map(\.key)
    }

    /// The first column of the table below a heading.
    private func documentedKeys(under heading: String, in text: String) throws -> [String] {
        let start = try #require(text.range(of: "\n## \(heading)\n")).upperBound
        let section = text[start...].prefix(upTo: text[start...].range(of: "\n## ")?.lowerBound ?? text.endIndex)
        return section.split(separator: "\n").compactMap { $0.wholeMatch(of: /\| `([a-z0-9_]+)` \|.*/)?.1 }.map(
            String.init)
    }

    private var status: AccountStatus {
        AccountStatus(
            account: "demo", network: "streamchat", state: .offline, since: nil, lastSignOfLife: nil, lastMessage: nil,
            messages: 0, openGaps: 0, failures: 0, lastError: nil, nextTry: nil)
    }
}

private let samplePurge = Purge(
    account: "demo", room: "lobby", part: .messages,
    rule: RetentionRule(text: "max_age = \"90d\"", age: .seconds(7_776_000)),
    first: sampleTime, last: sampleTime, count: 1, at: sampleTime)
private let sampleHold = AccountHold(account: "demo", room: nil, hold: Hold(name: "case", setAt: sampleTime))
