import ChatModel
import Foundation
import TestSupport
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
            (1_795_242_191_123_456, "2026-11-21T06:23:11.123456Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        ] as [(Int64, String)])
    func `a time prints as RFC 3339 with six digits and is read back`(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).description == text)
        #expect(Timestamp(cursor: text)?.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T06:23:11Z", "2026-11-21T06:23:11.123Z", "2026-11-21T06:23:11.123456",
        "2026-11-21T06:23:11.123456+09:00", "2026-02-31T06:23:11.123456Z", "2026-11-21T24:00:00.000000Z",
        "2026-11-21 06:23:11.123456Z", "2026-11-21T06:23:11.12345６Z", "٢٠٢٦-11-21T06:23:11.123456Z", "NULL",
        "2026-11-21T06:23:11.123456ZZ", "+026-11-21T06:23:11.123456Z",
    ])
    func `another text is not a cursor`(text: String) {
        #expect(Timestamp(cursor: text) == nil)
    }

    @Test func `every time in four-digit years is read back as printed`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5_000 {
            let time = Timestamp(
                microseconds: Int64.random(in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &random))
            #expect(Timestamp(cursor: time.description) == time)
        }
    }

    @Test func `a year with more digits is printed completely`() {
        #expect(Timestamp(microseconds: 253_402_300_800_000_000).description == "10000-01-01T00:00:00.000000Z")
    }

    @Test func `arithmetic saturates instead of trapping`() {
        #expect(Timestamp(microseconds: .max).advanced(byMicroseconds: 1).microseconds == .max)
        #expect(Timestamp(microseconds: .min).advanced(by: .seconds(-1)).microseconds == .min)
        #expect(Timestamp(microseconds: 0).advanced(by: .seconds(Int64.max)).microseconds == .max)
        _ = Timestamp(microseconds: .min).description
        _ = Timestamp(microseconds: .max).description
    }
}
