import ChatModel
import Rendering
import Testing

@testable import Operations

@Suite struct CrossTableTests {
    private func table(
        _ counts: [HitCount], by properties: [String], width: Int? = nil
    ) -> String? {
        CrossTable(counts, by: properties, of: "HITS", width: width)?.text(style: .plain)
    }

    private func count(_ count: Int64, _ names: String..., account: String? = "demo") -> HitCount {
        HitCount(account: account, names: names, count: count)
    }

    @Test func `the first property gives the rows, and both have sums`() {
        let counts = [count(2, "00", "alice"), count(1, "00", "민수"), count(10, "13", "민수")]
        #expect(
            table(counts, by: ["hour", "user"]) == """
                HOUR   민수  alice  HITS
                00        1      2     3
                13       10           10
                (all)    11      2    13

                """)
    }

    @Test func `rooms and people include their account if there are several`() {
        let counts = [count(1, "lobby", "2025", account: "a"), count(2, "lobby", "2026", account: "b")]
        #expect(
            table(counts, by: ["room", "year"]) == """
                ROOM     2025  2026  HITS
                b/lobby           2     2
                a/lobby     1           1
                (all)       1     2     3

                """)
    }

    @Test(arguments: [nil, 60, 80] as [Int?])
    func `people beyond the width share a column, and no line is too wide`(width: Int?) throws {
        let counts = (0..<24).flatMap { hour in
            (0..<40).map { count(Int64(1000 - $0), hour < 10 ? "0\(hour)" : "\(hour)", "person \($0)") }
        }
        for properties in [["hour", "user"], ["user", "hour"]] {
            let turned =
                properties[0] == "hour"
                ? counts : counts.map { HitCount(account: $0.account, names: $0.names.reversed(), count: $0.count) }
            let text = try #require(table(turned, by: properties, width: width))
            let lines = text.split(separator: "\n")
            #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= width ?? 80 })
            #expect(lines.count == 26 && lines[0].hasPrefix("HOUR") && lines[0].contains("(others)"), "\(text)")
            #expect(lines[25].hasSuffix(String(counts.reduce(0) { $0 + $1.count })))
        }
    }

    @Test func `times that don't fit become rows, and otherwise the result is a list`() {
        let hours = (0..<24).map { count(5, "alice", $0 < 10 ? "0\($0)" : "\($0)") }
        #expect(
            table(hours, by: ["user", "hour"], width: 80)?.hasPrefix("HOUR   alice  HITS\n00         5     5\n") == true
        )
        let days = (10..<40).flatMap { year in (10..<30).map { count(1, "20\(year)", "2026-11-\($0)") } }
        #expect(table(days, by: ["year", "day"], width: 80) == nil)
        #expect(table([count(1, "a", "b", "c")], by: ["user", "room", "day"]) == nil)
        #expect(table([], by: ["user", "room"]) == nil)
        let long = String(repeating: "이름", count: 30)
        #expect(table([count(1, "00", long)], by: ["hour", "user"], width: 80)?.hasPrefix("USER") != true)
    }

    @Test func `hostile names are escaped`() {
        let text = table([count(1, "\u{1B}[2Ja", "\u{202E}b")], by: ["user", "room"]) ?? ""
        #expect(!text.isEmpty && !text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }

    @Test func `a list of several properties has a column and a key for each`() {
        let listing = HitCount.crossListing(by: ["weekday", "hour", "user"], of: "MESSAGES")
        let counts = [count(3, "Monday", "09", "민수")]
        #expect(
            listing.render(counts, format: .text)
                == "WEEKDAY  HOUR  USER       MESSAGES\nMonday   09    demo/민수         3\n")
        #expect(
            listing.render(counts, format: .csv) == "account,weekday,hour,user,count\r\ndemo,Monday,09,민수,3\r\n")
        #expect(
            listing.render(counts, format: .jsonl)
                == #"{"account": "demo", "weekday": "Monday", "hour": "09", "user": "민수", "count": 3}"# + "\n")
    }

    @Test(arguments: ["", "minute", "hour,", "hour,hour", "hour, user", "room,user,day,hour"])
    func `unknown, repeated and too many properties are refused`(text: String) {
        #expect(throws: UsageError.self) { try SearchOperation.Groupings(parameter: text) }
    }

    @Test func `one property or up to three with commas are read`() throws {
        #expect(try SearchOperation.Groupings(parameter: "room").all == [.room])
        #expect(try SearchOperation.Groupings(parameter: "hour,user,weekday").all == [.hour, .user, .weekday])
    }

    @Test func `rows of one property are kept one by one, also those of people with the same name`() {
        let counts = [2, 1].map { HitCount(account: "demo", name: "alice", count: 3 - $0, id: $0) }
        #expect(SearchOperation.Groupings(.user).kept(1, of: counts) == [counts[0]])
        #expect(SearchOperation.Groupings(.day).kept(1, of: counts) == [counts[1]])
    }
}
