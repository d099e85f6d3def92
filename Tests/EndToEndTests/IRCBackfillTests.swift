import ChatModel
import Foundation
import TestSupport
import Testing

/// `scrollback backfill`, `gaps` and `status` beside a listener whose server has history.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct IRCBackfillTests {
    private let scrollback: Program

    init() throws {
        scrollback = try Program()
    }

    private func configure(port: Int, besides lines: String = "") throws {
        try scrollback.write(
            """
            [[account]]
            name = "libera"
            network = "irc"
            server = "irc://127.0.0.1:\(port)"
            nick = "archiver"
            rooms = ["#example"]
            sign_of_life_seconds = 1
            \(lines)

            """, to: "scrollback.toml")
    }

    private func holds(_ words: String) async throws {
        var text = ""
        try await eventually("\(words) is stored", state: { text }) {
            text = try await scrollback("history", "example", "-n", "1000").output
            return text.contains(words) ? true : nil
        }
    }

    @Test func `missed messages are fetched automatically, and older ones by backfill`() async throws {
        let server = HistoryServer(.ids)
        let before = server.now - 600_000
        for minute in 0..<5 { try await server.say("옛 \(minute)", at: before + Int64(minute) * 60_000) }
        try await server.run { port in
            try configure(port: port, besides: "history_days = 0")
            let listener = try await scrollback.startListener()
            try await eventually("the room is joined") { server.isJoined ? true : nil }
            try await server.say("지금")
            try await holds("지금")
            #expect(try await !scrollback("history", "example").output.contains("옛"))
            try await server.isAway(for: 3600) { server in
                for number in 0..<12 { try await server.say("없는 동안 \(number)") }
            }
            try await holds("없는 동안 11")
            let again = try await scrollback("backfill", "example", "--after", "1h")
            #expect(again.status == 0 && again.errors.hasSuffix("no gaps are left\n"), "\(again)")
            #expect(try await scrollback("history", "example", "-n", "1000").output.contains("옛 0"))
            let all = try await scrollback("backfill")
            // The room of the server itself has no history, and no gap of the outage.
            #expect(
                all.status == 0 && all.errors == "libera: requested the history of 1 room\nno gaps are left\n",
                "\(all)")
            let status = try await scrollback("status", "--format", "json").output
            #expect(status.contains(#""backfill": {"rooms": 0, "room": null"#))
            _ = try await listener.stop()
        }
        let stopped = try await scrollback("backfill", "example")
        #expect(stopped.status == 1 && stopped.errors.contains("no listener runs for account \"libera\""))
        #expect(stopped.errors.contains("[no-listener]"))
    }

    @Test func `the time between an old log and listening is a gap until the server's history fills it`()
        async throws
    {
        let server = HistoryServer(.ids)
        let before = server.now - 600_000
        for minute in 0..<5 { try await server.say("옛 \(minute)", at: before + Int64(minute) * 60_000) }
        let log = [before - 60_000, before + 120_000].map { Timestamp(microseconds: $0 * 1000).description }
        try scrollback.write(
            log.map {
                ##"{"id": "\##($0)", "room": "#example", "kind": "message", "sender": {"name": "alice"}, "body": "log"}"##
                    + "\n"
            }
            .joined(), to: "log.jsonl")
        try await server.run { port in
            try configure(port: port, besides: "history_days = 0")
            let imported = try await scrollback("import", "jsonl", "log.jsonl", "-a", "libera")
            #expect(imported.status == 0, "\(imported.errors)")
            let listener = try await scrollback.startListener()
            try await eventually("the room is joined") { server.isJoined ? true : nil }
            try await server.say("지금")
            try await holds("지금")
            let gaps = try await scrollback("gaps", "example", "--format", "json").output
            #expect(gaps.contains(##""from": "\##(log[1])", "to": "20"##), "\(gaps)")
            #expect(gaps.matches(of: /"state": "not_archived", "reason": null/).count == 1, "\(gaps)")
            let table = try await scrollback("gaps", "example")
            #expect(table.output.contains("after the imported log, before listening began"), "\(table)")
            #expect(table.errors.hasSuffix("1 imported span not listed; to list them, add --imported\n"), "\(table)")
            let history = try await scrollback("history", "example", "-n", "1000").output
            let lines = history.split(separator: "\n").map { $0.dropFirst(21) }
            let place = try #require(lines.firstIndex { $0.hasPrefix("-- gap ") }, "\(history)")
            #expect(lines[place].hasSuffix("): after the imported log, before listening began"), "\(history)")
            #expect(lines[..<place].last == "alice  log" && lines[place...].last == "alice  지금", "\(history)")
            try await eventually("nothing is wrong") {
                try await scrollback("status", "--check").output == "OK: 1 account connected\n" ? true : nil
            }
            let missing = try await scrollback("backfill", "example")
            #expect(missing.errors.hasSuffix("no gaps are left\n"), "it was not requested: \(missing)")
            let fetched = try await scrollback("backfill", "example", "--after", "1h")
            #expect(fetched.status == 0 && fetched.errors.hasSuffix("no gaps are left\n"), "\(fetched)")
            #expect(try await !scrollback("history", "example", "-n", "1000").output.contains("before listening began"))
            _ = try await listener.stop()
        }
    }

    @Test func `gaps and rooms show the server's refusal with the time of the next try`() async throws {
        let server = HistoryServer(.times)
        try await server.run { port in
            try configure(port: port)
            let listener = try await scrollback.startListener()
            try await eventually("the room is joined") { server.isJoined ? true : nil }
            try await server.say("전")
            try await holds("전")
            server.fails { $0.refusals = .max }
            try await server.isAway(for: 600)
            var gaps = ""
            try await eventually("the refusal is listed", state: { gaps }) {
                gaps = try await scrollback("gaps", "example").output
                return gaps.contains("지금은 안 된다") ? true : nil
            }
            #expect(gaps.contains("the server refused to give its history"))
            let json = try await scrollback("gaps", "example", "--format", "json").output
            #expect(json.contains(#""state": "open""#) && json.contains(#""unfilled": "refused""#))
            #expect(!json.contains(#""next_try": null"#))
            let rooms = try await scrollback("rooms", "--format", "json").output
            #expect(rooms.contains("no_history"))
            _ = try await listener.stop()
        }
    }

    @Test(.enabled(if: IRCServer.Kind.ngircd.isAvailable, "needs ngircd, which .ci/fetch-tools fetches"))
    func `backfill from a server without history is an error`() async throws {
        let server = try await IRCServer.start(.ngircd)
        try configure(port: server.port)
        let listener = try await scrollback.startListener()
        try await eventually("the room is joined") {
            try await scrollback("rooms").output.contains("#example") ? true : nil
        }
        let asked = try await scrollback("backfill", "example")
        #expect(asked.status == 1)
        #expect(asked.errors.contains("the server of account \"libera\" can't be asked for history"), "\(asked)")
        #expect(asked.errors.contains("[listener-refused]"))
        let typo = try await scrollback("backfill", "exmaple")
        #expect(typo.status == 1 && typo.errors.contains("example"), "\(typo)")
        _ = try await listener.stop()
    }
}
