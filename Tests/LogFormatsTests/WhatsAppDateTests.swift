import ChatModel
import TestSupport
import Testing

@testable import LogFormats

struct WhatsAppDateTests {
    /// 2026-11-28.
    private static let now = Timestamp(microseconds: 1_795_824_000_000_000)

    private func read(
        _ dates: [String], then end: String = ", 06:23 - Alice: hi", path: String = "my chat.txt",
        order: DateOrder? = nil
    ) throws -> LogReading {
        try LogReading(
            WhatsAppFormat.self, dates.map { $0 + end }.joined(separator: "\n"), path: path,
            choices: SourceChoices(dateOrder: order), now: Self.now)
    }

    private func days(_ read: LogReading) -> [String] { read.messages.map { String($0.time.description.prefix(10)) } }

    @Test func `a Korean phone writes the year first, with two digits, and AM or PM before the hour`() throws {
        let read = try LogReading(
            WhatsAppFormat.self,
            """
            24/8/21 PM 1:28 - 메시지와 통화는 종단간 암호화됩니다.
            24/8/21 PM 1:28 - Alice: hi
            24/8/22 AM 9:05 - Bob: morning
            24/9/1 PM 12:10 - Alice: one
            24/12/31 AM 12:01 - Bob: late
            25/1/2 PM 3:00 - Alice: new year
            """, path: "Example님과의 WhatsApp 대화.txt", now: Self.now)
        #expect(
            read.messages.map { String($0.time.description.prefix(16)) } == [
                "2024-08-21T13:28", "2024-08-21T13:28", "2024-08-22T09:05", "2024-09-01T12:10", "2024-12-31T00:01",
                "2025-01-02T15:00",
            ])
        #expect(read.messages.map(\.room) == Array(repeating: "Example", count: 6))
        #expect(read.assumptions == [])
    }

    /// The dates that the order alone does not decide: the form of the date or the name of the file does.
    @Test(arguments: [
        (["24/8/21"], " PM 1:28 - a: b", "c.txt", ["2024-08-21"]),
        (["24/8/21"], " 오후 1:28 - a: b", "c.txt", ["2024-08-21"]),
        (["24/8/21"], " 13:28 - a: b", "Example님과의 WhatsApp 대화.txt", ["2024-08-21"]),
        (["24. 8. 21."], " 13:28 - a: b", "Example님과의 WhatsApp 대화.txt", ["2024-08-21"]),
        (["24년 8월 21일"], " 오후 1:28 - a: b", "c.txt", ["2024-08-21"]),
        (["24/8/21"], ", 13:28 - a: b", "c.txt", ["2021-08-24"]),
        (["21.11.26"], ", 13:28 - a: b", "c.txt", ["2026-11-21"]),
        (["1/2/26"], ", 6:23 AM - a: b", "c.txt", ["2026-01-02"]),
        (["01/02/26"], ", 6:23 PM - a: b", "c.txt", ["2026-02-01"]),
        (["1/2/26"], ", 6:23 p. m. - a: b", "c.txt", ["2026-02-01"]),
        (["1/2/2026"], ", 13:28 - a: b", "c.txt", ["2026-02-01"]),
        (["1-2-26"], ", 13:28 - a: b", "c.txt", ["2026-02-01"]),
        (["1/2/26"], ", 13:28 - a: b", "Chat de WhatsApp con Ana.txt", ["2026-02-01"]),
        (["1/2/26", "1/3/26"], ", 13:28 - a: b", "c.txt", ["2026-01-02", "2026-01-03"]),
        (["1/2/26", "2/2/26"], ", 13:28 - a: b", "c.txt", ["2026-02-01", "2026-02-02"]),
        (["2/2/26"], ", 13:28 - a: b", "c.txt", ["2026-02-02"]),
    ])
    func `dates in the known forms of phones are read`(dates: [String], end: String, path: String, expected: [String])
        throws
    {
        #expect(try days(read(dates, then: end, path: path)) == expected)
    }

    /// Dates that only one order reads without a fault, with a clock that says nothing.
    @Test(arguments: [
        (["24/8/21", "24/9/1"], ["2024-08-21", "2024-09-01"]),
        (["24/8/1", "24/8/2", "24/8/13"], ["2024-08-01", "2024-08-02", "2024-08-13"]),
        (["24/8/26", "24/8/27", "24/8/28", "24/8/29"], ["2024-08-26", "2024-08-27", "2024-08-28", "2024-08-29"]),
        (["5/6/25", "13/6/25"], ["2025-06-05", "2025-06-13"]),
        (["6/5/25", "6/13/25"], ["2025-06-05", "2025-06-13"]),
        (["11/30/25", "12/1/25"], ["2025-11-30", "2025-12-01"]),
        // The twelfth month of this year is not yet here.
        (["5/12/26"], ["2026-05-12"]),
    ])
    func `the dates of the whole file decide their order`(dates: [String], expected: [String]) throws {
        let read = try read(dates)
        #expect(days(read) == expected)
        #expect(read.assumptions == [])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a late date decides, and a pasted line does not`() throws {
        let first = Array(repeating: ["1/2/25", "1/3/25"], count: 3000).flatMap(\.self)
        #expect(try days(read(first + ["1/13/25"])).last == "2025-01-13")
        let day = (1...9).map { "0\($0)/02/2025" } + ["02/28/2025", "10/02/2025", "13/02/2025", "14/02/2025"]
        #expect(try days(read(day)).first == "2025-02-01")
        #expect(try days(read(day)).last == "2025-02-14")
    }

    @Test(arguments: [
        ["1/2/26"], ["24/8/21", "24/8/22", "24/8/23"], ["1/2/26", "1/2/26"], ["1/2/2025", "1/3/2025"],
    ])
    func `ambiguous dates are refused, and --date-order decides`(dates: [String]) throws {
        let error = #expect(throws: LogSourceError.self) { try self.read(dates) }
        guard case .unusable(let reason, let hint)? = error else { return }
        #expect(reason.hasPrefix("can't tell day, month and year in its dates apart, such as \(dates.last ?? "")"))
        #expect(hint == "name their order: --date-order dmy, mdy or ymd")
        for order in DateOrder.allCases where order != .ymd || dates[0].hasPrefix("24") {
            let read = try read(dates, order: order)
            #expect(read.messages.count + read.unreadable.count == dates.count)
            #expect(read.assumptions.allSatisfy { !$0.contains("no date shows") })
        }
    }

    @Test(arguments: [(DateOrder.dmy, "2003-02-01"), (.mdy, "2003-01-02"), (.ymd, "2001-02-03")])
    func `a given order is used`(order: DateOrder, expected: String) throws {
        #expect(try days(read(["01/02/03"], order: order)) == [expected])
    }

    @Test(arguments: [
        ("12/3/2567", "2024-03-12"), ("[3/18/2565 BE", "2022-03-18"), ("[18/3/2565 พ.ศ.", "2022-03-18"),
        ("[3/18/R4", "2022-03-18"), ("[3/18/H31", "2019-03-18"), ("[R4/3/8", "2022-03-08"),
        ("[R8. 3. 18.", "2026-03-18"),
    ])
    func `Buddhist and Japanese years are read`(date: String, expected: String) throws {
        let end = date.hasPrefix("[") ? ", 14:56:01] สมชาย: สวัสดี" : ", 14:05 - สมชาย: สวัสดี"
        #expect(try days(read([date], then: end)) == [expected])
    }

    @Test func `an era before an impossible year is not a date`() {
        for date in ["[R123/1/2", "[R/1/2", "[1/R2/2022", "[X4/1/2"] {
            #expect(WhatsAppHeader(Array("\(date), 06:23:00] Alice: hi".utf8)[...]) == nil, "\(date)")
        }
    }

    @Test func `a year of one digit is not a date`() throws {
        #expect(try read(["1/2/3"]).messages.isEmpty)
    }

    @Test func `lines with a date and a time in another form are counted`() throws {
        let read = try read(["21/11/2026, 06:22 - Bob: one\n21/11/2026 quarter 6:23 XM - Alice: hi", "21/11/2026"])
        #expect(
            read.assumptions == [
                "lines that begin with a date and a time, read as text of the message above: 1, the first is line 2"
            ])
    }
}
