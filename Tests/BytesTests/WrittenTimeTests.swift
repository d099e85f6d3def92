import Bytes
import TestSupport
import Testing

struct WrittenTimeTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2024-02-29T23:59:59.999Z", 1_709_251_199_999_000),
            ("2024-01-05T18:02:11.123+09:00", 1_704_445_331_123_000),
            ("2024-01-05T03:32:11-0530", 1_704_445_331_000_000),
            ("1969-12-31T23:59:59.5Z", -500_000), ("2024-01-05 09:02:11.123456789Z", 1_704_445_331_123_456),
            ("2024-02-29T23:59:60Z", 1_709_251_200_000_000), ("2024-01-05T09:02:11", nil),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000), ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
        ] as [(String, Int64?)])
    func `a time with a zone is an instant`(text: String, microseconds: Int64?) throws {
        let time = try #require(WrittenTime(text.utf8))
        #expect(time.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "2024", "2024-01-05", "2024-01-05T09:02Z", "2024-01-05T09:02:11.Z", "2024-02-30T00:00:00Z",
        "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-05T24:00:00Z",
        "2024-01-05T09:60:00Z", "2024-01-05T09:02:61Z", "2024-01-05T09:02:11Zx", " 2024-01-05T09:02:11Z",
        "2024-01-05T09:02:11+25:00", "2024-01-05T09:02:11+09:60", "2024-01-05T09:02:11+09", "20a4-01-05T09:02:11Z",
        "+024-01-05T09:02:11Z", "2024-01-05_09:02:11Z", "2024-01-05T09:02:11.1x3Z", "٢٠٢٤-01-05T09:02:11Z",
        "2024-01-05T09:02:11Z\u{301}",
    ])
    func `anything else is not a time`(text: String) {
        #expect(WrittenTime(text.utf8) == nil)
    }

    @Test func `a zone without minutes is read on request`() {
        #expect(WrittenTime("2024-01-05T18:02:11-09".utf8, hoursAlone: true)?.offset == -32_400)
        #expect(WrittenTime("2024-01-05T18:02:11-0930".utf8, hoursAlone: true)?.offset == -34_200)
        #expect(WrittenTime("2024-01-05T18:02:11-9".utf8, hoursAlone: true) == nil)
    }

    @Test func `an instant is read as written`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5000 {
            let instant = Int64.random(in: -62_167_219_200_000_000...253_402_300_799_999_999, using: &random)
            #expect(WrittenTime(WrittenTime.utc(microseconds: instant))?.microseconds == instant)
            let milliseconds = instant.dividedDown(by: 1000).quotient
            #expect(WrittenTime(WrittenTime.utc(milliseconds: milliseconds))?.microseconds == milliseconds * 1000)
        }
    }

    @Test(arguments: [Int64.min, .max, .min + 1]) func `every instant can be written`(instant: Int64) {
        #expect(WrittenTime.utc(microseconds: instant).last == UInt8(ascii: "Z"))
        #expect(WrittenTime.utc(milliseconds: instant).last == UInt8(ascii: "Z"))
    }

    @Test func `days follow each other through the calendar's leap years`() {
        let first = CalendarDate(year: 0, month: 1, day: 1).daysSince1970
        let last = CalendarDate(year: 9999, month: 12, day: 31).daysSince1970
        #expect(first == -719_528 && last == 2_932_896)
        for days in Array(stride(from: -719_528, through: 2_932_896, by: 61)) + Array(-30_000...30_000) {
            #expect(CalendarDate(daysSince1970: days).daysSince1970 == days)
        }
    }

    @Test(arguments: [(1900, 2, 29), (2023, 2, 29), (2024, 4, 31), (-1, 1, 1), (10_000, 1, 1), (.max, .max, .max)])
    func `a date that is not in the calendar is not a day`(year: Int, month: Int, day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day).daysSince1970 == nil)
    }
}
