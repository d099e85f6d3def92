import Bytes
import ChatModel
import Foundation
import Testing

@testable import LogFormats

struct LogClockTests {
    /// As `21T03:41` in UTC, and `21T03:41 after 21T03:42` where the line keeps another's place; the day is the 21st unless
    /// another is given.
    private func read(_ times: [String], date: String = "2026-11-21", zone: String = "GMT") throws -> [String] {
        try clock(times, date: date, zone: zone).told
    }

    private func clock(
        _ times: [String], date: String = "2026-11-21", zone: String = "GMT"
    ) throws -> (told: [String], assumptions: [String]) {
        let zone = try #require(Zone(identifier: zone))
        var clock = LogClock(day: LocalDay(named: date, zone: zone), zone: zone)
        let told = try times.enumerated().map { index, text in
            var line = Array(text.utf8)[...]
            let stamp = try #require(LineStamp(taking: &line, brackets: .none))
            let read = clock.resolve(stamp, line: index + 1)
            let time = try #require(read)
            return String(time.time.short.prefix(8)) + (time.place.map { " after \($0.short.prefix(8))" } ?? "")
        }
        return (told, clock.assumptions)
    }

    @Test(arguments: [
        (["03:41", "03:41", "04:00"], ["21T03:41", "21T03:41", "21T04:00"]),
        (["11:59", "00:00", "01:00"], ["21T11:59", "21T12:00", "21T13:00"]),
        (["12:59", "01:00", "11:59"], ["21T12:59", "21T13:00", "21T23:59"]),
        (["11:50", "00:09"], ["21T11:50", "21T12:09"]), (["12:50", "01:09"], ["21T12:50", "21T13:09"]),
        (["10:50", "00:30"], ["21T10:50", "21T12:30"]),
        (["11:59", "00:00", "11:59", "00:00"], ["21T11:59", "21T12:00", "21T23:59", "22T00:00"]),
        (["12:59", "01:00", "12:59"], ["21T12:59", "21T13:00", "21T12:59 after 21T13:00"]),
        (["12:59", "01:00", "11:59", "12:00", "01:00"], ["21T12:59", "21T13:00", "21T23:59", "22T00:00", "22T01:00"]),
        (["23:59", "00:00", "13:00"], ["21T23:59", "22T00:00", "22T13:00"]),
        (
            ["23:01", "00:58", "23:50", "00:10"],
            ["21T23:01", "22T00:58", "21T23:50 after 22T00:58", "22T00:10 after 22T00:58"]
        ),
        (["11:59", "00:00", "13:00"], ["21T11:59", "21T12:00", "22T13:00"]),
    ])
    func `a clock that passes noon or midnight moves forward`(times: [String], expected: [String]) throws {
        #expect(try read(times) == expected)
    }

    @Test(arguments: [
        (["10:05", "10:04", "10:06"], ["21T10:05", "21T10:04 after 21T10:05", "21T10:06"]),
        (
            ["10:05", "10:03", "10:04", "10:05"],
            ["21T10:05", "21T10:03 after 21T10:05", "21T10:04 after 21T10:05", "21T10:05"]
        ),
        (["23:00", "21:30"], ["21T23:00", "21T21:30 after 21T23:00"]),
        (["13:00", "11:59", "00:00"], ["21T13:00", "21T11:59 after 21T13:00", "21T00:00 after 21T13:00"]),
        (["12:30", "00:10"], ["21T12:30", "21T00:10 after 21T12:30"]),
        (["10:05:30", "10:05", "10:05:31"], ["21T10:05", "21T10:05 after 21T10:05", "21T10:05"]),
    ])
    func `a clock that goes back otherwise keeps its time and the line's place`(times: [String], expected: [String])
        throws
    {
        #expect(try read(times) == expected)
    }

    @Test func `a repeated time is the first one, unless the order proves the second`() throws {
        let berlin = "Europe/Berlin"
        #expect(
            try read(["01:59", "02:30", "02:59", "02:00", "02:30", "03:00"], date: "2026-10-25", zone: berlin)
                == ["24T23:59", "25T00:30", "25T00:59", "25T01:00", "25T01:30", "25T02:00"])
        #expect(try read(["02:30", "03:10"], date: "2026-10-25", zone: berlin) == ["25T00:30", "25T02:10"])
        #expect(
            try read(["02:30:10", "02:30", "02:30:10"], date: "2026-10-25", zone: berlin).map { $0.prefix(8) }
                == ["25T00:30", "25T00:30", "25T00:30"])
        #expect(
            try read(["01:30", "01:10"], date: "2026-11-01", zone: "America/New_York") == ["01T05:30", "01T06:10"])
    }

    @Test func `a skipped time is moved forward by the gap`() throws {
        #expect(
            try read(["01:59", "02:30", "03:30"], date: "2026-03-29", zone: "Europe/Berlin")
                == ["29T00:59", "29T01:30", "29T01:30"])
    }

    @Test func `a leap second is the next second`() throws {
        #expect(try read(["23:59:59", "23:59:60", "00:00:00"]) == ["21T23:59", "22T00:00", "22T00:00"])
    }

    @Test func `assumptions are reported, and none without a reason`() throws {
        #expect(try clock(["03:41", "03:41:10", "03:41", "23:00"]).assumptions == [])
        #expect(try clock(["11:59", "00:00", "01:00"]).assumptions == ["a 12-hour clock, seen at line 2"])
        #expect(
            try clock(["13:00", "23:59", "00:00", "23:59", "00:01"]).assumptions == [
                "days assumed to begin at midnight, because no line gives the date: 1, the first is line 3",
                "lines with an earlier time than a line before, which get that line's time: 1, the first is line 4",
            ])
        #expect(
            try clock(["13:00", "12:00", "12:30", "13:00"]).assumptions == [
                "lines with an earlier time than a line before, which get that line's time: 2, the first is line 2"
            ])
        let summer = try clock(["02:30", "02:31"], date: "2026-10-25", zone: "Europe/Berlin").assumptions
        #expect(summer.first?.hasPrefix("lines at a time that occurs twice") ?? false)
        let skipped = try clock(["02:30"], date: "2026-03-29", zone: "Europe/Berlin").assumptions
        #expect(skipped.first?.contains("skip") ?? false)
    }

    @Test func `a line with its own date and zone needs no other`() throws {
        #expect(
            try read([
                "2026-11-22 10:00", "10:05", "2026-11-21 23:59", "2026-11-23T00:00:00.5+09:00", "2026-11-22 15:00:01Z",
            ])
                == [
                    "22T10:00", "22T10:05", "21T23:59 after 22T10:05", "22T15:00", "22T15:00",
                ])
        let zone = try #require(Zone(identifier: "Asia/Seoul"))
        var clock = LogClock(zone: zone)
        var line = Array("10:05 x".utf8)[...]
        let stamp = try #require(LineStamp(taking: &line, brackets: .none))
        #expect(clock.resolve(stamp, line: 1) == nil)
        clock.begin(CalendarDate(year: 2026, month: 11, day: 21))
        #expect(clock.resolve(stamp, line: 2)?.time.short == "21T01:05:00")
        clock.begin(nil)
        #expect(clock.resolve(stamp, line: 3) == nil)
    }

    @Test(arguments: [
        "GMT", "Asia/Seoul", "America/St_Johns", "Pacific/Kiritimati", "Europe/Berlin", "Australia/Lord_Howe",
    ])
    func `a day's times are in order in every zone, and match its clock`(zone: String) throws {
        let zone = try #require(Zone(identifier: zone))
        for day in stride(from: 1, through: 365, by: 61) {
            let date = CalendarDate(year: 2026, month: day / 31 + 1, day: day % 28 + 1)
            var clock = LogClock(day: LocalDay(date, zone: zone), zone: zone)
            let times = (0..<1440).compactMap { minute in
                clock.resolve(LineStamp(seconds: minute * 60, resolution: .minute), line: minute)?.time
            }
            #expect(times == times.sorted())
            #expect(times[720].since(times[0]) >= .seconds(11 * 3600))
        }
    }

    @Test func `for any times, order is kept and a known beginning stays the same`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let day = try #require(LocalDay(named: "2026-10-25", zone: .gmt))
            let shown = (0..<50).map { _ in Int.random(in: 0..<86_400, using: &generator) }
            func times(_ count: Int) -> [LineTime] {
                var clock = LogClock(day: day, zone: .gmt)
                return shown.prefix(count).compactMap {
                    clock.resolve(LineStamp(seconds: $0, resolution: .second), line: 1)
                }
            }
            let whole = times(50)
            let places = whole.map { $0.place ?? $0.time }
            #expect(places == places.sorted())
            #expect(times(20) == Array(whole.prefix(20)))
            #expect(whole.allSatisfy { $0.place ?? .init(microseconds: .max) > $0.time })
        }
    }

    @Test func `a clock that passes midnight endlessly stays in the calendar`() throws {
        let end = CalendarDate(year: 9999, month: 12, day: 30)
        var clock = LogClock(day: LocalDay(end, zone: .gmt), zone: .gmt)
        var last: LineTime?
        for index in 0..<10 {
            last = clock.resolve(LineStamp(seconds: index % 2 == 0 ? 86_399 : 0, resolution: .second), line: index)
        }
        #expect(last != nil)
    }
}
