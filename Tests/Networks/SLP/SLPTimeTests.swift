import Foundation
import SLPWire
import TestSupport
import Testing

struct SLPTimeTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil), ("", nil), ("Sun", nil),
            ("Sun, 31 Feb 1994 08:49:37 GMT", nil), ("Sun, 06 Now 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT ", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil),
        ] as [(String, Int64?)])
    func `an HTTP date is an instant`(header: String, seconds: Int64?) {
        #expect(SLPTime.microseconds(ofDate: header) == seconds.map { $0 * 1_000_000 })
    }

    @Test(
        arguments: [
            ("2024-01-05T18:02:11.123+09:00", 1_704_445_331_123_000),
            ("2024-01-05 09:02:11.123456789Z", 1_704_445_331_123_456),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
        ] as [(String, Int64)])
    func `a time is an instant and keeps its spelling`(text: String, microseconds: Int64) throws {
        let time = try #require(SLPTime(text))
        #expect(time.microseconds == microseconds && time.text == text)
    }

    @Test(arguments: [
        "", "2024-01-05", "2024-01-05T09:02:11", "2024-01-05T09:02:60Z", "2024-01-05T09:02:11+09",
        "2024-02-30T00:00:00Z",
    ])
    func `a time without a full zone or in a leap second is invalid`(text: String) {
        #expect(SLPTime(text) == nil)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_704_445_331_123_999, "2024-01-05T09:02:11.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (.max, "9999-12-31T23:59:59.999Z"), (.min, "0001-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func `a cursor has milliseconds and is never later than its instant`(microseconds: Int64, text: String) {
        #expect(SLPTime.cursor(microseconds) == text)
    }

    @Test func `a cursor is read back as its instant, to the millisecond`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5000 {
            let instant = Int64.random(in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &random)
            let read = SLPTime(SLPTime.cursor(instant))?.microseconds
            #expect(read.map { (0..<1000).contains(instant - $0) } == true)
        }
    }
}
