import ChatModel
import Foundation
import Testing

@testable import Rendering
@testable import Scrollback

struct TimeArgumentTests {
    private func time(_ text: String, in name: String = "UTC", now: Timestamp = sampleTime) throws -> TimeArgument {
        try TimeArgument(text, zone: try zone(name), now: now)
    }

    @Test func `only a cursor is exclusive at its own id`() throws {
        let cursor = try time("2026-11-21T06:23:11.123456Z")
        #expect(cursor == .cursor(MessageID(sampleTime)))
        #expect(cursor.after == MessageID(sampleTime))
        #expect(cursor.before == MessageID(sampleTime))
    }

    @Test func `a message at the start of a day is after it and not before it`() throws {
        let day = try time("2026-11-21")
        let midnight = try #require(Timestamp(cursor: "2026-11-21T00:00:00.000000Z"))
        #expect(day.after < MessageID(midnight))
        #expect(day.after == MessageID(midnight.advanced(byMicroseconds: -1)))
        #expect(day.before == MessageID(midnight))
    }

    @Test(arguments: [
        ("2026", "UTC", "2026-01-01T00:00:00.000000Z"),
        ("2026-11", "UTC", "2026-11-01T00:00:00.000000Z"),
        ("2026-11-21", "Asia/Seoul", "2026-11-20T15:00:00.000000Z"),
        ("2026-11-21T06:23", "UTC", "2026-11-21T06:23:00.000000Z"),
        ("2026-11-21 06:23:11", "America/New_York", "2026-11-21T11:23:11.000000Z"),
        ("2026-11-21T06:23:11.5Z", "Asia/Seoul", "2026-11-21T06:23:11.500000Z"),
        ("2026-11-21T06:23Z", "Asia/Seoul", "2026-11-21T06:23:00.000000Z"),
        ("2026-11-21T06:23:11+09:00", "UTC", "2026-11-20T21:23:11.000000Z"),
        ("2026-11-21T06:23-0330", "UTC", "2026-11-21T09:53:00.000000Z"),
        // Summer time begins at 02:00 on 2026-03-08 and ends on 2026-11-01 in New York.
        ("2026-03-08", "America/New_York", "2026-03-08T05:00:00.000000Z"),
        ("2026-03-09", "America/New_York", "2026-03-09T04:00:00.000000Z"),
        ("2026-03-08T02:30", "America/New_York", "2026-03-08T07:30:00.000000Z"),
        ("2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00.000000Z"),
        // Lebanon's clocks skip midnight: that day begins at 01:00.
        ("2024-03-31", "Asia/Beirut", "2024-03-30T22:00:00.000000Z"),
        ("1583", "UTC", "1583-01-01T00:00:00.000000Z"),
        ("9999-12-31T23:59:59", "UTC", "9999-12-31T23:59:59.000000Z"),
        ("now", "UTC", "2026-11-21T06:23:11.123456Z"),
        ("today", "UTC", "2026-11-21T00:00:00.000000Z"),
        ("today", "Asia/Seoul", "2026-11-20T15:00:00.000000Z"),
        ("yesterday", "UTC", "2026-11-20T00:00:00.000000Z"),
        ("45s", "UTC", "2026-11-21T06:22:26.123456Z"),
        ("30m", "UTC", "2026-11-21T05:53:11.123456Z"),
        ("2h", "UTC", "2026-11-21T04:23:11.123456Z"),
        ("7d", "UTC", "2026-11-14T06:23:11.123456Z"),
        ("1w", "UTC", "2026-11-14T06:23:11.123456Z"),
        ("23161w", "UTC", "1583-01-01T06:23:11.123456Z"),
    ])
    func `a time is its start in the zone`(text: String, zone: String, instant: String) throws {
        let argument = try time(text, in: zone)
        #expect(argument == .instant(try #require(Timestamp(cursor: instant))))
    }

    @Test(arguments: [
        "", " ", "x", "26", "2026-13", "2026-00", "2026-02-31", "2026-2-1", "2026-11-21T", "2026-11-21T24:00",
        "2026-11-21T06", "2026-11-21T06:60", "2026-11-21T06:23:61", "2026-11-21T06:23:11.1234567", "0000-01-01",
        "1582-12-31",
        "2026-11-21T06:23+15:00", "-2h", "2y", "2 h", "9999999999999999999d", "999999999w", "999999999d", "23162w",
        "tomorrow", "2026-11-21Z", "\u{1B}[2J",
        "２０２６",
    ])
    func `what is no time is refused with what is taken`(text: String) throws {
        let error = try #require(throws: CommandError.self) { try time(text) }
        #expect(error.description.contains("2026-11-21T06:23"))
        #expect(!error.description.unicodeScalars.contains(where: Sanitizer.isHostile))
    }

    @Test(arguments: ["UTC", "Asia/Seoul", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"])
    func `every fifth hour of two years reads back as it is shown`(name: String) throws {
        let local = LocalTime(zone: try zone(name))
        let start = try #require(Timestamp(cursor: "2025-01-01T00:00:00.000000Z"))
        var previous = start
        for hour in stride(from: 0, to: 2 * 365 * 24, by: 5) {
            let instant = start.advanced(by: .seconds(hour * 3600))
            let shown = local.dayAndSecond(instant)
            let read = try time(shown, in: name).instant.time
            // Where clocks go back the second showing reads as the first.
            #expect(local.dayAndSecond(read) == shown)
            #expect(
                read == instant || read == instant.advanced(by: .seconds(-3600))
                    || read == instant.advanced(by: .seconds(-1800)))
            #expect(previous <= instant)
            previous = instant
        }
    }
}
