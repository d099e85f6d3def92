import ChatModel
import Foundation
import Testing

@testable import LogFormats

struct LogClockTests {
    /// As `21 03:41` in the zone; the day is the 21st unless another is given.
    private func read(_ times: [String], date: String = "2026-11-21", zone: String = "GMT") throws -> [String] {
        let zone = try #require(TimeZone(identifier: zone))
        var clock = LogClock(day: try #require(LocalDay(named: date, zone: zone)))
        return times.map { text in
            let parts = text.split(separator: ":").compactMap { Int($0) }
            return String(clock.read(parts[0] * 3600 + parts[1] * 60).description.dropFirst(8).prefix(8))
        }
    }

    @Test(arguments: [
        (["03:41", "03:41", "04:00"], ["21T03:41", "21T03:41", "21T04:00"]),
        (["11:59", "00:00", "01:00"], ["21T11:59", "21T12:00", "21T13:00"]),
        (["12:59", "01:00", "11:59"], ["21T12:59", "21T13:00", "21T23:59"]),
        (["10:50", "00:30"], ["21T10:50", "21T12:30"]),
        (["11:59", "00:00", "11:59", "00:00"], ["21T11:59", "21T12:00", "21T23:59", "22T00:00"]),
        (["12:59", "01:00", "12:59", "01:00"], ["21T12:59", "21T13:00", "22T00:59", "22T01:00"]),
        (["23:59", "00:00", "13:00", "12:00"], ["21T23:59", "22T00:00", "22T13:00", "22T13:00"]),
        (["13:00", "11:59", "00:00"], ["21T13:00", "22T11:59", "23T00:00"]),
        (["10:05", "10:04", "10:06"], ["21T10:05", "21T10:05", "21T10:06"]),
        (["23:00", "21:30"], ["21T23:00", "22T21:30"]),
    ])
    func `a clock that jumps back is mended as the order shows`(times: [String], expected: [String]) throws {
        #expect(try read(times) == expected)
    }

    @Test func `a time that occurs twice is the first one, unless the order shows the second`() throws {
        let berlin = "Europe/Berlin"
        #expect(
            try read(["01:59", "02:30", "02:59", "02:00", "02:30", "03:00"], date: "2026-10-25", zone: berlin)
                == ["24T23:59", "25T00:30", "25T00:59", "25T01:00", "25T01:30", "25T02:00"])
        #expect(try read(["02:30", "03:10"], date: "2026-10-25", zone: berlin) == ["25T00:30", "25T02:10"])
        #expect(
            try read(["01:30", "01:10"], date: "2026-11-01", zone: "America/New_York") == ["01T05:30", "01T06:10"])
    }

    @Test func `a time that is skipped is the one so much later`() throws {
        #expect(
            try read(["01:59", "02:30", "03:30"], date: "2026-03-29", zone: "Europe/Berlin")
                == ["29T00:59", "29T01:30", "29T01:30"])
    }

    @Test(arguments: [
        "GMT", "Asia/Seoul", "America/St_Johns", "Pacific/Kiritimati", "Europe/Berlin", "Australia/Lord_Howe",
    ])
    func `a day's times come out in order in every zone, and as that zone's clock shows them`(zone: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        for day in stride(from: 1, through: 365, by: 61) {
            let (month, date) = (day / 31 + 1, day % 28 + 1)
            let local = try #require(LocalDay(year: 2026, month: month, day: date, zone: zone))
            var clock = LogClock(day: local)
            let times = (0..<1440).map { clock.read($0 * 60) }
            #expect(times == times.sorted())
            #expect(times[720].since(times[0]) >= .seconds(11 * 3600))
        }
    }

    @Test func `whatever the clock shows, order is kept`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var clock = LogClock(day: try #require(LocalDay(named: "2026-10-25", zone: .gmt)))
            let times = (0..<50).map { _ in clock.read(Int.random(in: 0..<86_400, using: &generator)) }
            #expect(times == times.sorted())
        }
    }
}
