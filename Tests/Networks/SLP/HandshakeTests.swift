import SLPWire
import Testing

struct HandshakeTests {
    private static let example =
        #"{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":["websocket"],"pingInterval":25000,"pingTimeout":20000,"maxPayload":9}"#

    @Test func `a handshake opens a session with its times and limits`() throws {
        let handshake = try #require(Handshake(Array(Self.example)))
        #expect(handshake.session == "lv_VI97HAXpY6yYWAAAC")
        #expect(handshake.upgrades == ["websocket"])
        #expect(handshake.silenceLimit == .seconds(45))
        #expect(handshake.maximumPayload == 9)
    }

    @Test func `an interval under a second can be announced as zero`() {
        #expect(Handshake(Array(#"{"sid":"a","pingInterval":0,"pingTimeout":20000}"#))?.silenceLimit == .seconds(20))
    }

    @Test func `missing values have their defaults`() throws {
        let handshake = try #require(Handshake(Array(#"{"sid":"a","pingInterval":1,"pingTimeout":1,"more":{}}"#)))
        #expect(handshake.upgrades == [])
        #expect(handshake.maximumPayload == 1_000_000)
    }

    @Test(arguments: [
        "", "{}", "[]", "probe", #"{"sid":"","pingInterval":1,"pingTimeout":1}"#, #"{"sid":"a","pingInterval":1}"#,
        #"{"sid":1,"pingInterval":1,"pingTimeout":1}"#, #"{"sid":"a","pingInterval":1,"pingTimeout":0}"#,
        #"{"sid":"a","pingInterval":-1,"pingTimeout":1}"#, #"{"sid":"a","pingInterval":1e300,"pingTimeout":1}"#,
        #"{"sid":"a","pingInterval":3600001,"pingTimeout":1}"#,
        #"{"sid":"\#(String(repeating: "a", count: 257))","pingInterval":1,"pingTimeout":1}"#,
        String(repeating: "[", count: 10_000),
        #"{"sid":"a","pingInterval":1,"pingTimeout":1}"# + String(repeating: " ", count: 16_384),
    ])
    func `an implausible handshake is refused`(data: String) {
        #expect(Handshake(Array(data)) == nil)
    }

    @Test func `an incomplete handshake is refused`() {
        for split in Array(Self.example).splits.dropFirst() {
            #expect(Handshake(split[0]) == nil)
        }
    }
}
