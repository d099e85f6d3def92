import Testing

@testable import IRCWire

struct ServerTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00.000Z", 0), ("2026-11-21T06:23:11.123Z", 1_795_242_191_123),
        ("2000-02-29T23:59:59.999Z", 951_868_799_999), ("1969-12-31T23:59:59.999Z", -1),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999), ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
    ])
    func `a time is read and written back`(text: String, milliseconds: Int64) {
        #expect(ServerTime.milliseconds(Array(text)) == milliseconds)
        #expect(ServerTime.text(milliseconds: milliseconds).text == text)
    }

    @Test(arguments: [
        ("2026-11-21T06:23:11Z", 1_795_242_191_000), ("2026-11-21T06:23:11.1Z", 1_795_242_191_100),
        ("2026-11-21T06:23:11.123999Z", 1_795_242_191_123), ("2016-12-31T23:59:60.500Z", 1_483_228_799_500),
    ])
    func `a fraction has any length, and a leap second is the second before`(text: String, milliseconds: Int64) {
        #expect(ServerTime.milliseconds(Array(text)) == milliseconds)
    }

    @Test func `microseconds are kept`() {
        #expect(ServerTime.microseconds(Array("2026-11-21T06:23:11.123456789Z")) == 1_795_242_191_123_456)
        #expect(ServerTime.milliseconds(Array("1969-12-31T23:59:59.999999Z")) == -1)
    }

    @Test(arguments: [
        "", "Z", "2026-11-21", "2026-11-21 06:23:11Z", "2026-11-21T06:23:11", "2026-11-21T06:23:11+00:00",
        "2026-02-29T06:23:11Z", "2026-11-21T06:23:11.Z", "2026-11-21T06:23:11.1234567890Z", "now",
    ])
    func `another text is not a time`(text: String) {
        #expect(ServerTime.milliseconds(Array(text)) == nil)
    }
}
