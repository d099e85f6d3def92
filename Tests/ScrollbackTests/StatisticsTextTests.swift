import ChatModel
import Foundation
import Testing

@testable import Rendering

struct StatisticsTextTests {
    private func text(limit: Int? = 10, width: Int? = nil) -> StatisticsText {
        StatisticsText(time: LocalTime(zone: .gmt), style: .plain, limit: limit, width: width)
    }

    private var statistics: Statistics {
        var statistics = Statistics()
        (statistics.messages, statistics.people) = (1200, 2)
        (statistics.first, statistics.last) = (MessageID(sampleTime), MessageID(sampleTime.advanced(by: .seconds(60))))
        func counts(_ counts: KeyValuePairs<String, Int64>, account: String? = nil) -> [HitCount] {
            counts.map { HitCount(account: account, name: $0.key, count: $0.value) }
        }
        statistics.counts = [
            .room: counts(["lobby": 1200], account: "demo"),
            .user: counts(["김민수": 1100, "\u{1B}eve": 100], account: "demo"),
            .year: counts(["2026": 1200]), .month: counts(["2026-02": 1100, "2026-11": 100]),
            .day: counts(["2026-02-01": 1000, "2026-02-28": 100, "2026-11-21": 100]),
            .weekday: counts(["Saturday": 1200]), .hour: counts(["06": 1200]),
        ]
        statistics.days = [
            DayCount(day: "2026-11-19", messages: 0, isComplete: true),
            DayCount(day: "2026-11-20", messages: 0, isComplete: false),
            DayCount(day: "2026-11-21", messages: 100, isComplete: nil),
        ]
        return statistics
    }

    @Test func `ids distinguish people with one name, and others have none`() {
        var same = statistics
        same.counts[.user] = [
            HitCount(account: "demo", name: "민수", count: 700, id: 7),
            HitCount(account: "demo", name: "지아", count: 300, id: 8),
            HitCount(account: "demo", name: "민수", count: 200, id: 9),
            HitCount(account: "other", name: "민수", count: 100, id: 7),
        ]
        let names = text().text(same).matches(of: /(?:demo|other)\/(민수|지아)(?: \(id:\d\))?/).map { String($0.0) }
        #expect(names == ["demo/민수 (id:7)", "demo/지아", "demo/민수 (id:9)", "other/민수"])
        #expect(same.render(.csv, limit: nil, skipped: []).contains("user,demo,민수,200,,9\r\n"))
    }

    @Test func `a room's figures fit in forty columns`() {
        let shown = text().text(statistics)
        #expect(
            shown.replacing(#/ +\n/#, with: "\n") == """
                messages  1,200
                people    2
                first     2026-11-21 06:23:11
                last      2026-11-21 06:24:11
                complete  1 of 2 days

                DAYS OF THE MONTH (at most 1,000 a day)
                2026-02  █..........................▁
                2026-11  ....................▁.......

                HOURS    0     6     12    18
                         ......█.................

                WEEKDAY   MESSAGES
                Saturday      1200  ██████████

                USER            MESSAGES
                demo/김민수         1100  ██████████
                demo/\\u{1B}eve       100  █

                """)
        #expect(shown.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= 40 })
    }

    @Test(arguments: [30, 40]) func `lines fit a terminal, whatever the names`(width: Int) {
        var long = statistics
        long.counts[.user]?.append(
            HitCount(account: "demo", name: String(repeating: "n", count: 160), count: 10))
        long.counts[.day]?.append(HitCount(account: nil, name: "2026-02-02", count: 1_000_000))
        let lines = text(width: width).text(long).split(separator: "\n")
        #expect(lines.filter { DisplayWidth.of(String($0)) > width }.isEmpty)
        #expect(lines.joined().count { $0 == "n" } >= 160)
    }

    @Test func `on a narrow terminal, the days of a month continue below its first days`() {
        #expect(
            text(width: 30).text(statistics).contains(
                """
                DAYS OF THE MONTH
                (at most 1,000 a day)
                2026-02  █....................
                         ......▁
                2026-11  ....................▁
                         .......

                """))
    }

    @Test func `statistics without messages are empty, and many months are shown as years`() {
        #expect(text().text(Statistics()).isEmpty)
        var long = statistics
        long.counts[.month] = (1...24).map { number in
            let month = (number - 1) % 12 + 1
            return HitCount(
                account: nil, name: "\(number > 12 ? 2026 : 2025)-\(month < 10 ? "0" : "")\(month)", count: 50)
        }
        long.counts[.year] = ["2025", "2026"].map { HitCount(account: nil, name: $0, count: 600) }
        let shown = text(limit: 1).text(long)
        #expect(shown.contains("MONTHS OF THE YEAR\n2025  ████████████  600\n2026  ████████████  600\n"))
        #expect(!shown.contains("2025-12  ") && shown.contains("2026-01  ") && !shown.contains("eve"))
    }

    @Test func `machine formats have a row per count, with the documented keys`() throws {
        let skipped = [SkippedAccount(account: "old", reason: "cold", detail: "account 'old' is compressed")]
        let json = statistics.render(.json, limit: 1, skipped: skipped)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let keys = [
            "messages", "people", "first_message", "last_message", "counts", "left_out", "days", "earlier_days",
        ]
        #expect(Set(object.keys) == Set(keys))
        let documentation = try document("docs/json.md")
        let section = try #require(documentation.components(separatedBy: "\n## Statistics\n").last)
        for key in keys + ["by", "day", "complete"] { #expect(section.contains("`\(key)`"), "\(key)") }
        let rows = try #require(object["counts"] as? [[String: Any]])
        #expect(rows.count == 10 && rows.compactMap { $0["by"] as? String }.first == "room")
        let csv = statistics.render(.csv, limit: nil, skipped: []).split(separator: "\r\n")
        #expect(csv.count == 12 && csv[0] == "by,account,name,count,complete,id" && csv[1] == "room,demo,lobby,1200,,")
        #expect(csv.contains("day,,2026-11-21,100,,"))
        var proven = statistics
        proven.days[2].isComplete = true
        #expect(proven.render(.csv, limit: nil, skipped: []).contains("day,,2026-11-21,100,true,\r\n"))
        let days = #"""
            "days": [{"day": "2026-11-19", "messages": 0, "complete": true}, \#
            {"day": "2026-11-20", "messages": 0, "complete": false}, \#
            {"day": "2026-11-21", "messages": 100, "complete": null}], "earlier_days": 0}
            """#
        #expect(json.hasSuffix(days + "\n") && documentation.contains(days))
        #expect(statistics.render(.jsonl, limit: nil, skipped: []).split(separator: "\n").count == 11)
        #expect(Statistics().render(.jsonl, limit: nil, skipped: []).isEmpty)
    }
}
