import Bytes
import ChatModel
import Foundation
import Testing

@testable import LogFormats

/// Times in the columns of tables.
struct ColumnTimeTests {
    /// The instant in Berlin, and its resolution; or the reason why there is none.
    private func read(_ text: String, pattern: String? = nil, after sample: String = "") throws -> String {
        var source = LogReading.source([], path: "a.csv", zone: "Europe/Berlin")
        source.choices.timePattern = try pattern.map { try TimePattern($0) }
        var clock = try TableClock(source, samples: [Array(sample.utf8)[...]])
        switch clock.resolve(Array(text.utf8)[...], line: 1) {
        case .time(let time, let resolution): return "\(time) \(resolution)"
        case .unreadable(let reason): return reason
        }
    }

    @Test(arguments: [
        ("2026-11-21T06:23:11.123Z", "2026-11-21T06:23:11.123000Z microsecond"),
        ("2026-11-21T06:23:11,123Z", "2026-11-21T06:23:11.123000Z microsecond"),
        ("2026-11-21 06:23:11", "2026-11-21T05:23:11.000000Z second"),
        ("2026-11-21 06:23", "2026-11-21T05:23:00.000000Z minute"),
        ("2026-11-21T06:23:11+09:00", "2026-11-20T21:23:11.000000Z second"),
        ("2026-11-21T06:23:11+0900", "2026-11-20T21:23:11.000000Z second"),
        ("2026-11-21 06:23:11+09", "2026-11-20T21:23:11.000000Z second"),
        ("2026-11-21 06:23:11 -0330", "2026-11-21T09:53:11.000000Z second"),
        ("2026-11-21 06:23:11 UTC", "2026-11-21T06:23:11.000000Z second"),
        ("2026-11-21 06:23:11 UTC+09:00", "2026-11-20T21:23:11.000000Z second"),
        ("2026/11/21 6:23:11", "2026-11-21T05:23:11.000000Z second"),
        ("2026.11.21. 06:23", "2026-11-21T05:23:00.000000Z minute"),
        ("20261121T062311Z", "2026-11-21T06:23:11.000000Z second"),
        ("20261121T0623", "2026-11-21T05:23:00.000000Z minute"),
        ("20261121 06:23:11", "2026-11-21T05:23:11.000000Z second"),
        ("20261121062311", "2026-11-21T05:23:11.000000Z second"),
        ("202611210623", "2026-11-21T05:23:00.000000Z minute"),
        ("1795242191", "2026-11-21T06:23:11.000000Z second"),
        ("1795242191.000200", "2026-11-21T06:23:11.000200Z microsecond"),
        ("1795242191123", "2026-11-21T06:23:11.123000Z microsecond"),
        ("1795242191123456", "2026-11-21T06:23:11.123456Z microsecond"),
        ("1795242191123456789", "2026-11-21T06:23:11.123456Z microsecond"),
        (" 1795242191 ", "2026-11-21T06:23:11.000000Z second"),
        ("Nov 21, 2026 6:23 AM", "2026-11-21T05:23:00.000000Z minute"),
        ("Nov 21 2026 at 6:23\u{202F}p.m.", "2026-11-21T17:23:00.000000Z minute"),
        ("21 November 2026, 18:23", "2026-11-21T17:23:00.000000Z minute"),
        ("21st Nov 26 18:23:11", "2026-11-21T17:23:11.000000Z second"),
        ("Sat, 21 Nov 2026 06:23:11 GMT", "2026-11-21T06:23:11.000000Z second"),
        ("Sat, 21 Nov 2026 06:23:11 +0100", "2026-11-21T05:23:11.000000Z second"),
        ("Sat Nov 21 06:23:11 2026", "2026-11-21T05:23:11.000000Z second"),
        ("Sa 21.11.2026 06:23", "2026-11-21T05:23:00.000000Z minute"),
        ("2026년 11월 21일 오후 6:23", "2026-11-21T17:23:00.000000Z minute"),
        ("2026년 11월 21일 토요일 오전 12:23", "2026-11-20T23:23:00.000000Z minute"),
        ("2026年11月21日 18:23:11", "2026-11-21T17:23:11.000000Z second"),
        ("2026年11月21日 (土) 午前6:23", "2026-11-21T05:23:00.000000Z minute"),
        ("06:23 21.11.2026", "2026-11-21T05:23:00.000000Z minute"),
        ("21/11/2026, 06:23", "2026-11-21T05:23:00.000000Z minute"),
        ("11/21/26 6:23 PM", "2026-11-21T17:23:00.000000Z minute"),
        ("05/05/2026 06:23", "2026-05-05T04:23:00.000000Z minute"),
        ("2026-07-01 06:23:60", "2026-07-01T04:24:00.000000Z second"),
    ])
    func `times are read as programs and people write them`(text: String, instant: String) throws {
        #expect(try read(text) == instant)
    }

    @Test(arguments: [
        "yesterday", "21/11/2026", "06:23", "2026-11-21", "20261121", "1.2.3 10:00", "21 Foo 2026 10:00",
        "10:00 10:00 2026-11-21",
        "2026-11-21 6:3", "Nov Dec 2026 06:23", "12345", "123456789012345678901", "2026-11-21 06:23:11 +99:99", "\u{0}",
        "2026-11-21 06:23 AM PM", "2026-11-21 13:23 PM", "🙂", "2026-11-21 06:23:11 and more",
        String(repeating: "1 ", count: 200),
    ])
    func `an incomplete time is reported`(text: String) throws {
        #expect(try read(text) == "can't read its time; --time-format gives the form")
    }

    @Test(arguments: [
        "2026-02-30 06:23", "2026-13-01 06:23", "0000-01-01 06:23", "20261301 06:23", "2026-11-21 06:23:61",
    ])
    func `an impossible time is reported`(text: String) throws {
        #expect(try !read(text).hasPrefix("20"))
    }

    @Test(arguments: [
        ("03/04/2026 06:23", "21/11/2026 06:23", "2026-04-03"), ("03/04/2026 06:23", "11/21/2026 06:23", "2026-03-04"),
        ("03.04.26 06:23", "21.11.26 06:23", "2026-04-03"),
    ])
    func `a date that proves the order of day and month decides for the others`(
        text: String, sample: String, date: String
    ) throws {
        #expect(try read(text, after: sample).hasPrefix(date))
    }

    @Test func `an unproven order is an error with advice`() throws {
        for samples in ["03/04/2026 06:23", ""] {
            let error = #expect(throws: LogSourceError.self) {
                let times = samples.isEmpty ? ["21/11/2026 06:23", "11/21/2026 06:23"] : [samples]
                _ = try TableClock(
                    LogReading.source([], path: "a.csv"), samples: times.map { Array($0.utf8)[...] })
            }
            guard case .unusable(let reason, let hint)? = error else { return }
            #expect(reason.hasPrefix("can't tell day and month in its dates apart"))
            #expect(hint?.contains("--time-format '%d/%m/%Y %H:%M' or --time-format '%m/%d/%Y %H:%M'") == true)
        }
        #expect(
            try read("03/04/2026 06:23") == "can't tell day and month in its date apart; --time-format gives the form")
        #expect(try read("31/04/2026 06:23") == "its date or its time of day does not exist")
    }

    @Test func `a time that the zone skips or repeats is reported`() throws {
        var clock = try TableClock(LogReading.source([], path: "a.csv", zone: "Europe/Berlin"), samples: [])
        var times: [TableClock.Reading] = []
        for (line, text) in ["2026-10-25 02:30", "2026-03-29 02:30", "2026-11-21 02:30Z"].enumerated() {
            times.append(clock.resolve(Array(text.utf8)[...], line: line + 1))
        }
        #expect(
            times.map { if case .time(let time, _) = $0 { time.short } else { "" } } == [
                "25T00:30:00", "29T01:30:00", "21T02:30:00",
            ])
        #expect(
            clock.assumptions == [
                "times without a zone, read as Europe/Berlin: 2, the first is line 1",
                "times that occur twice, read as the first: 1, the first is line 1",
                "times that the zone's clocks skip, moved later by the skipped span: 1, the first is line 2",
            ])
    }

    @Test(arguments: [
        ("%d/%m/%Y %H:%M", "03/04/2026 06:23", "2026-04-03T04:23:00.000000Z minute"),
        ("%m/%d/%y %I:%M %p", "3/4/26 6:23 pm", "2026-03-04T17:23:00.000000Z minute"),
        ("%m/%d/%y %I:%M %p", "3/4/26  12:23\u{202F}AM", "2026-03-03T23:23:00.000000Z minute"),
        ("%F %T", "2026-11-21 06:23:11", "2026-11-21T05:23:11.000000Z second"),
        ("%Y-%m-%dT%H:%M:%S.%f%z", "2026-11-21T06:23:11.1234567+0900", "2026-11-20T21:23:11.123456Z microsecond"),
        ("%Y%m%d%H%M%S", "20261121062311", "2026-11-21T05:23:11.000000Z second"),
        ("%a %b %e %T %Y", "Sat Nov  1 06:23:11 2026", "2026-11-01T05:23:11.000000Z second"),
        ("%d. %B %Y um %k.%M Uhr", "21. November 2026 um  6.23 Uhr", "2026-11-21T05:23:00.000000Z minute"),
        ("%Y년 %m월 %d일 %p %l:%M", "2026년 11월 21일 오후 6:23", "2026-11-21T17:23:00.000000Z minute"),
        ("%H:%M:%S %Z %d.%m.%Y", "06:23:11 UTC 21.11.2026", "2026-11-21T06:23:11.000000Z second"),
        ("%s", "1795242191.5", "2026-11-21T06:23:11.500000Z microsecond"),
        ("100%% %D %R", "100% 11/21/26 06:23", "2026-11-21T05:23:00.000000Z minute"),
    ])
    func `a form reads its times`(form: String, text: String, instant: String) throws {
        #expect(try read(text, pattern: form) == instant)
    }

    @Test(arguments: [
        ("%F %T", "2026-11-21 06:23"), ("%F %T", "2026-11-21 06:23:11Z"), ("%F %T", "x2026-11-21 06:23:11"),
        ("%F %T", "2026-02-30 06:23:11"), ("%F %T", "2026-11-21 24:23:11"), ("%F %T", ""),
        ("%d %b %Y %R", "21 Foo 2026 06:23"), ("%m/%d/%y %I:%M %p", "3/4/26 13:23 pm"), ("%s", "1 2"),
        ("%F %R %z", "2026-11-21 06:23 +9"),
    ])
    func `a time in another form is reported`(form: String, text: String) throws {
        #expect(
            try ["its time is not of the form of --time-format", "it has no time"].contains(read(text, pattern: form)))
    }

    @Test(arguments: [
        ("%Y-%m-%d", "it has no hour (%H)"), ("%H:%M", "it has no year (%Y)"), ("%F %H", "it has no minute (%M)"),
        ("%F %I:%M", "a clock of 12 hours (%I) needs AM or PM (%p)"), ("%F %T %", "it ends with %"),
        ("%F %Q", "%Q is unknown"),
        ("", "it has no year (%Y)"),
    ])
    func `a form without a complete time is refused`(form: String, reason: String) {
        #expect(throws: TimePatternError(reason)) { try TimePattern(form) }
    }

    @Test func `no text and no form trap`() throws {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "%", "Y", "%d", "%p", "%f", "%s", "%z", "9", "99999999999", ":", ".", "-", "+", "T", "pm", "Nov", "월", " ",
            "\u{301}", "é",
        ]
        for _ in 0..<3000 {
            func text() -> String { (0..<12).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined() }
            let bytes = Array(text().utf8)[...]
            _ = try? TimePattern(text() + " %s %F %T").match(bytes)
            _ = (FreeTime(bytes)?.date(.dayFirst), ColumnTime(digits: bytes))
        }
    }
}
