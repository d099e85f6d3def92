import ChatModel
import Foundation
import Testing

@testable import Rendering
@testable import Settings

/// Lists in text, for people.
struct ListingTextTests {
    @Test func `a list in text is a table aligned by display width`() {
        let text = Room.listing(time: LocalTime(zone: .gmt)).render(
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
        let text = Room.listing(time: LocalTime(zone: .gmt)).render([direct], format: .text, width: 80)
        #expect(
            text == """
                WORKSPACE  ROOM       ID  MESSAGES  UNREAD  LAST                 STATE
                우리 회사  직장/민수  12         3       4  2026-11-21 06:23:11  left

                """)
    }

    @Test func `a long description is left out first, and alone if that suffices`() {
        var described = room("x")
        (described.description, described.owner) = (String(repeating: "plans ", count: 40), "alice")
        let listing = Room.listing(time: LocalTime(zone: .gmt))
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
        let listing = Gap.listing(time: LocalTime(zone: .gmt), now: end.advanced(byMicroseconds: 60_000_000))
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
        let text = AccountStatus.listing(time: LocalTime(zone: .gmt), now: sampleTime)
            .render([status], format: .text)
        #expect(text.contains("connected, by TLS as the server demands until 2026-11-21"), "\(text)")
        #expect(JSONValue(status).text.hasSuffix("\"tls_until\": \"2026-11-21T06:23:11.123456Z\"}"))
    }

    @Test func `status has one line of 80 columns per account, and details below`() {
        var status = AccountStatus(account: "libera", network: "irc", state: .waiting)
        (status.since, status.nextTry) = (sampleTime, sampleTime.advanced(byMicroseconds: 60_000_000))
        status.lastError = "connection refused"
        let text = AccountStatus.listing(time: LocalTime(zone: .gmt), now: sampleTime)
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
        let listing = Room.listing(time: LocalTime(zone: .gmt))
        let lines = listing.render(rooms, format: .text).split(separator: "\n")
        #expect(lines[0].contains("MESSAGES  UNREAD  FIRST"))
        #expect(lines[1].contains("3    100+  2026") && lines[2].contains("3          2026"))
        #expect(lines[3].contains("3       7  2026"))
        #expect(listing.render(rooms, format: .jsonl).contains(#""unread": 100, "has_more_unread": true"#))
    }

    @Test(arguments: [(nil, "connected "), (1, "connected, fetching 1 room "), (1200, "fetching 1,200 rooms ")])
    func `status shows the number of rooms whose history is being fetched`(rooms: Int?, says: String) {
        var status = AccountStatus(account: "demo", network: "streamchat", state: .connected)
        status.backfill = rooms.map { BackfillProgress(rooms: $0) }
        let text = AccountStatus.listing(time: LocalTime(zone: .gmt), now: sampleTime)
            .render([status], format: .text)
        #expect(text.contains(says), "\(text)")
    }
}
