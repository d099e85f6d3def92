import ChatModel
import Foundation
import TestSupport
import Testing

struct TimePhraseTests {
    /// A Saturday, 06:23:11.123456 UTC, 15:23 in Seoul and 01:23 in New York.
    private static let now = instant("2026-11-21T06:23:11.123456Z")
    private static let zones = ["UTC", "Asia/Seoul", "America/New_York"]

    private static func instant(_ text: String) -> Timestamp {
        Timestamp(cursor: text.count == 27 ? text : text + ".000000Z") ?? Timestamp(microseconds: 0)
    }

    private func phrase(_ text: String, _ zone: String = "UTC", now: Timestamp = now) throws -> TimePhrase {
        try TimePhrase(text, zone: try #require(Zone(identifier: zone)), now: now)
    }

    /// A phrase with its first and last moments in Seoul and New York; the second is nil for an instant.
    private static let table: [(text: String, seoul: (String, String?), newYork: (String, String?))] = [
        ("today", ("2026-11-20T15:00:00", "2026-11-21T15:00:00"), ("2026-11-21T05:00:00", "2026-11-22T05:00:00")),
        ("오늘", ("2026-11-20T15:00:00", "2026-11-21T15:00:00"), ("2026-11-21T05:00:00", "2026-11-22T05:00:00")),
        ("yesterday", ("2026-11-19T15:00:00", "2026-11-20T15:00:00"), ("2026-11-20T05:00:00", "2026-11-21T05:00:00")),
        ("어제", ("2026-11-19T15:00:00", "2026-11-20T15:00:00"), ("2026-11-20T05:00:00", "2026-11-21T05:00:00")),
        ("그저께", ("2026-11-18T15:00:00", "2026-11-19T15:00:00"), ("2026-11-19T05:00:00", "2026-11-20T05:00:00")),
        ("Saturday", ("2026-11-20T15:00:00", "2026-11-21T15:00:00"), ("2026-11-21T05:00:00", "2026-11-22T05:00:00")),
        (
            "last saturday", ("2026-11-13T15:00:00", "2026-11-14T15:00:00"),
            ("2026-11-14T05:00:00", "2026-11-15T05:00:00")
        ),
        ("monday", ("2026-11-15T15:00:00", "2026-11-16T15:00:00"), ("2026-11-16T05:00:00", "2026-11-17T05:00:00")),
        ("sun", ("2026-11-14T15:00:00", "2026-11-15T15:00:00"), ("2026-11-15T05:00:00", "2026-11-16T05:00:00")),
        ("월요일", ("2026-11-15T15:00:00", "2026-11-16T15:00:00"), ("2026-11-16T05:00:00", "2026-11-17T05:00:00")),
        ("this week", ("2026-11-15T15:00:00", "2026-11-22T15:00:00"), ("2026-11-16T05:00:00", "2026-11-23T05:00:00")),
        ("last week", ("2026-11-08T15:00:00", "2026-11-15T15:00:00"), ("2026-11-09T05:00:00", "2026-11-16T05:00:00")),
        ("지난주", ("2026-11-08T15:00:00", "2026-11-15T15:00:00"), ("2026-11-09T05:00:00", "2026-11-16T05:00:00")),
        ("지난 주", ("2026-11-08T15:00:00", "2026-11-15T15:00:00"), ("2026-11-09T05:00:00", "2026-11-16T05:00:00")),
        ("last month", ("2026-09-30T15:00:00", "2026-10-31T15:00:00"), ("2026-10-01T04:00:00", "2026-11-01T04:00:00")),
        ("지난달", ("2026-09-30T15:00:00", "2026-10-31T15:00:00"), ("2026-10-01T04:00:00", "2026-11-01T04:00:00")),
        ("this month", ("2026-10-31T15:00:00", "2026-11-30T15:00:00"), ("2026-11-01T04:00:00", "2026-12-01T05:00:00")),
        ("last year", ("2024-12-31T15:00:00", "2025-12-31T15:00:00"), ("2025-01-01T05:00:00", "2026-01-01T05:00:00")),
        ("작년", ("2024-12-31T15:00:00", "2025-12-31T15:00:00"), ("2025-01-01T05:00:00", "2026-01-01T05:00:00")),
        ("this year", ("2025-12-31T15:00:00", "2026-12-31T15:00:00"), ("2026-01-01T05:00:00", "2027-01-01T05:00:00")),
        ("now", ("2026-11-21T06:23:11.123456Z", nil), ("2026-11-21T06:23:11.123456Z", nil)),
        ("지금", ("2026-11-21T06:23:11.123456Z", nil), ("2026-11-21T06:23:11.123456Z", nil)),
        ("45s", ("2026-11-21T06:22:26.123456Z", nil), ("2026-11-21T06:22:26.123456Z", nil)),
        ("90m", ("2026-11-21T04:53:11.123456Z", nil), ("2026-11-21T04:53:11.123456Z", nil)),
        ("90 minutes ago", ("2026-11-21T04:53:11.123456Z", nil), ("2026-11-21T04:53:11.123456Z", nil)),
        ("an hour ago", ("2026-11-21T05:23:11.123456Z", nil), ("2026-11-21T05:23:11.123456Z", nil)),
        ("2h", ("2026-11-21T04:23:11.123456Z", nil), ("2026-11-21T04:23:11.123456Z", nil)),
        ("7d", ("2026-11-14T06:23:11.123456Z", nil), ("2026-11-14T06:23:11.123456Z", nil)),
        ("2 weeks ago", ("2026-11-07T06:23:11.123456Z", nil), ("2026-11-07T06:23:11.123456Z", nil)),
        ("2w", ("2026-11-07T06:23:11.123456Z", nil), ("2026-11-07T06:23:11.123456Z", nil)),
        ("3일 전", ("2026-11-18T06:23:11.123456Z", nil), ("2026-11-18T06:23:11.123456Z", nil)),
        ("2주 전", ("2026-11-07T06:23:11.123456Z", nil), ("2026-11-07T06:23:11.123456Z", nil)),
        // New York had summer time then: the same time of day is an hour earlier.
        ("3mo", ("2026-08-21T06:23:11.123456Z", nil), ("2026-08-21T05:23:11.123456Z", nil)),
        ("3개월 전", ("2026-08-21T06:23:11.123456Z", nil), ("2026-08-21T05:23:11.123456Z", nil)),
        ("1y", ("2025-11-21T06:23:11.123456Z", nil), ("2025-11-21T06:23:11.123456Z", nil)),
        ("1년 전", ("2025-11-21T06:23:11.123456Z", nil), ("2025-11-21T06:23:11.123456Z", nil)),
        // Seoul has reached 10:30 today; New York has not.
        ("10:30", ("2026-11-21T01:30:00", "2026-11-21T01:31:00"), ("2026-11-20T15:30:00", "2026-11-20T15:31:00")),
        ("9:05:07", ("2026-11-21T00:05:07", "2026-11-21T00:05:08"), ("2026-11-20T14:05:07", "2026-11-20T14:05:08")),
        (
            "yesterday 10:30", ("2026-11-20T01:30:00", "2026-11-20T01:31:00"),
            ("2026-11-20T15:30:00", "2026-11-20T15:31:00")
        ),
        ("어제 10:30", ("2026-11-20T01:30:00", "2026-11-20T01:31:00"), ("2026-11-20T15:30:00", "2026-11-20T15:31:00")),
        ("2010", ("2009-12-31T15:00:00", "2010-12-31T15:00:00"), ("2010-01-01T05:00:00", "2011-01-01T05:00:00")),
        ("2010-05", ("2010-04-30T15:00:00", "2010-05-31T15:00:00"), ("2010-05-01T04:00:00", "2010-06-01T04:00:00")),
        ("2010/05", ("2010-04-30T15:00:00", "2010-05-31T15:00:00"), ("2010-05-01T04:00:00", "2010-06-01T04:00:00")),
        ("May 2010", ("2010-04-30T15:00:00", "2010-05-31T15:00:00"), ("2010-05-01T04:00:00", "2010-06-01T04:00:00")),
        ("2010년 5월", ("2010-04-30T15:00:00", "2010-05-31T15:00:00"), ("2010-05-01T04:00:00", "2010-06-01T04:00:00")),
        ("2010-05-03", ("2010-05-02T15:00:00", "2010-05-03T15:00:00"), ("2010-05-03T04:00:00", "2010-05-04T04:00:00")),
        ("2010/5/3", ("2010-05-02T15:00:00", "2010-05-03T15:00:00"), ("2010-05-03T04:00:00", "2010-05-04T04:00:00")),
        ("20100503", ("2010-05-02T15:00:00", "2010-05-03T15:00:00"), ("2010-05-03T04:00:00", "2010-05-04T04:00:00")),
        ("2010. 5. 3.", ("2010-05-02T15:00:00", "2010-05-03T15:00:00"), ("2010-05-03T04:00:00", "2010-05-04T04:00:00")),
        ("May 3 2010", ("2010-05-02T15:00:00", "2010-05-03T15:00:00"), ("2010-05-03T04:00:00", "2010-05-04T04:00:00")),
        (
            "may 3rd, 2010", ("2010-05-02T15:00:00", "2010-05-03T15:00:00"),
            ("2010-05-03T04:00:00", "2010-05-04T04:00:00")
        ),
        ("3 May 2010", ("2010-05-02T15:00:00", "2010-05-03T15:00:00"), ("2010-05-03T04:00:00", "2010-05-04T04:00:00")),
        ("2010년 5월 3일", ("2010-05-02T15:00:00", "2010-05-03T15:00:00"), ("2010-05-03T04:00:00", "2010-05-04T04:00:00")),
        ("5월 3일", ("2026-05-02T15:00:00", "2026-05-03T15:00:00"), ("2026-05-03T04:00:00", "2026-05-04T04:00:00")),
        ("Dec 24", ("2025-12-23T15:00:00", "2025-12-24T15:00:00"), ("2025-12-24T05:00:00", "2025-12-25T05:00:00")),
        ("feb 29", ("2024-02-28T15:00:00", "2024-02-29T15:00:00"), ("2024-02-29T05:00:00", "2024-03-01T05:00:00")),
        (
            "2010-05-03 06:23", ("2010-05-02T21:23:00", "2010-05-02T21:24:00"),
            ("2010-05-03T10:23:00", "2010-05-03T10:24:00")
        ),
        (
            "2010-05-03T06:23:11", ("2010-05-02T21:23:11", "2010-05-02T21:23:12"),
            ("2010-05-03T10:23:11", "2010-05-03T10:23:12")
        ),
        (
            "2010-05-03T06:23Z", ("2010-05-03T06:23:00", "2010-05-03T06:24:00"),
            ("2010-05-03T06:23:00", "2010-05-03T06:24:00")
        ),
        ("2010-05-03T06:23:11.5+09:00", ("2010-05-02T21:23:11.500000Z", nil), ("2010-05-02T21:23:11.500000Z", nil)),
        ("1272867791", ("2010-05-03T06:23:11", nil), ("2010-05-03T06:23:11", nil)),
        ("999999999", ("2001-09-09T01:46:39", nil), ("2001-09-09T01:46:39", nil)),
        ("1272867791500", ("2010-05-03T06:23:11.500000Z", nil), ("2010-05-03T06:23:11.500000Z", nil)),
        // Summer time began on 2026-03-08 and ended on 2026-11-01 in New York.
        ("2026-03-08", ("2026-03-07T15:00:00", "2026-03-08T15:00:00"), ("2026-03-08T05:00:00", "2026-03-09T04:00:00")),
        (
            "2026-03-08 02:30", ("2026-03-07T17:30:00", "2026-03-07T17:31:00"),
            ("2026-03-08T07:30:00", "2026-03-08T07:31:00")
        ),
        ("2026-11-01", ("2026-10-31T15:00:00", "2026-11-01T15:00:00"), ("2026-11-01T04:00:00", "2026-11-02T05:00:00")),
        (
            "2026-11-01 01:30", ("2026-10-31T16:30:00", "2026-10-31T16:31:00"),
            ("2026-11-01T05:30:00", "2026-11-01T05:31:00")
        ),
    ]

    @Test(arguments: table.indices)
    func `each phrase has the right bounds in Seoul and New York`(index: Int) throws {
        let (text, seoul, newYork) = Self.table[index]
        for (zone, bounds) in [("Asia/Seoul", seoul), ("America/New_York", newYork)] {
            let start = Self.instant(bounds.0)
            let expected = bounds.1.map { TimePhrase.span(start..<Self.instant($0)) } ?? .instant(start)
            #expect(try phrase(text, zone) == expected, "\(text) in \(zone)")
        }
    }

    @Test func `a cursor excludes its own id`() throws {
        let cursor = try phrase("2026-11-21T06:23:11.123456Z")
        #expect(cursor == .cursor(MessageID(Self.now)))
        #expect(cursor.after == MessageID(Self.now))
        #expect(cursor.before == MessageID(Self.now))
    }

    @Test func `a message at the start of a day is after the day's bound, not before it`() throws {
        let day = try phrase("2026-11-21")
        let midnight = Self.instant("2026-11-21T00:00:00")
        #expect(day.after == MessageID(midnight.advanced(byMicroseconds: -1)))
        #expect(day.before == MessageID(midnight))
    }

    @Test func `a day begins at its first moment where clocks skip midnight`() throws {
        #expect(try phrase("2024-03-31", "Asia/Beirut").start == MessageID(Self.instant("2024-03-30T22:00:00")))
    }

    @Test func `a weekday is today or the latest past one, on each day of a week`() throws {
        for day in 16...22 {
            let now = Self.instant("2026-11-\(day)T12:00:00")
            #expect(try phrase("monday", now: now).start == MessageID(Self.instant("2026-11-16T00:00:00")))
            #expect(try phrase("this week", now: now).start == MessageID(Self.instant("2026-11-16T00:00:00")))
        }
    }

    @Test func `years are read from 1583 to 9999`() throws {
        #expect(try phrase("1583").start == MessageID(Self.instant("1583-01-01T00:00:00")))
        #expect(try phrase("9999-12-31T23:59:59").start == MessageID(Self.instant("9999-12-31T23:59:59")))
        #expect(throws: TimePhraseError("times before 1583 can't be read")) { try phrase("1582-12-31") }
        #expect(throws: TimePhraseError("times before 1583 can't be read")) { try phrase("999999999 years ago") }
        #expect(throws: TimePhraseError("times before 1583 can't be read")) { try phrase("999999999w") }
    }

    @Test(arguments: [
        ("2010-02-30", "February 2010 has 28 days"), ("2012/2/30", "February 2012 has 29 days"),
        ("20100431", "April 2010 has 30 days"), ("May 32 2010", "May 2010 has 31 days"),
        ("2010년 6월 31일", "June 2010 has 30 days"), ("2010-13", "months are 1 to 12"),
        ("2010-00-01", "months are 1 to 12"), ("20101301", "months are 1 to 12"),
        ("25:00", "a time of day is between 00:00 and 23:59:59"),
        ("2010-05-03 24:00", "a time of day is between 00:00 and 23:59:59"),
        ("2010-05-03T06:23:61", "a time of day is between 00:00 and 23:59:59"),
        ("2010-05 10:30", "a time of day needs a day before it"),
        ("last week 10:30", "a time of day needs a day before it"),
        ("2010-05-03T06:23+15:00", "offsets from UTC are between -14:00 and +14:00"),
        ("20105", "digits alone are a year (4), a date (8) or a Unix time (9, 10, or 13 with milliseconds)"),
    ])
    func `an error names the mistake`(text: String, reason: String) throws {
        #expect(throws: TimePhraseError(reason)) { try phrase(text) }
    }

    @Test(arguments: [
        "", " ", "x", "soon", "tomorrow", "next week", "2010-05/03", "2010-05-03T", "2010-05-03T06", "2010-05-03Z",
        "2010-05-03T06:23:11.1234567", "-2h", "2x", "5 ago", "ago", "a week", "Mayo 3 2010", "３일 전", "２０２６", "3 전", "월",
        "년", "12345678901d", "\u{1B}[2J", "2010-05-03 yesterday",
    ])
    func `other texts are not times`(text: String) throws {
        #expect(throws: TimePhraseError()) { try phrase(text) }
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: ["UTC", "Asia/Seoul", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"])
    func `every fifth hour of two years is read back as written`(name: String) throws {
        let zone = try #require(Zone(identifier: name))
        let format = Date.VerbatimFormatStyle(
            format:
                "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
            locale: Locale(identifier: "en_US_POSIX"), timeZone: try #require(TimeZone(identifier: name)),
            calendar: Calendar(identifier: .gregorian))
        for hour in stride(from: 0, to: 2 * 365 * 24, by: 5) {
            let instant = Self.instant("2025-01-01T00:00:00").advanced(by: .seconds(hour * 3600))
            let shown = Date(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000).formatted(format)
            let read = try TimePhrase(shown, zone: zone, now: Self.now).start.time
            // Where clocks go back, the second showing reads as the first.
            #expect([0, 1800, 3600].contains { read == instant.advanced(by: .seconds(-$0)) }, "\(shown)")
        }
    }
}
