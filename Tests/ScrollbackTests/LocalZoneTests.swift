import ChatModel
import Foundation
import Rendering
import Testing

@Suite struct LocalZoneTests {
    @Test func `the local zone is the same as Foundation's`() {
        #expect(Zone.local.identifier == TimeZone.current.identifier)
    }

    /// Values of `TZ`, and their offsets from UTC in seconds.
    private static let variables: [(String, Int?)] = [
        ("Asia/Seoul", 32_400), (":Asia/Seoul", 32_400), ("/usr/share/zoneinfo/Asia/Seoul", 32_400), ("KST-9", 32_400),
        ("<+0530>-5:30", 19_800), ("<-03>+3", -10_800), ("UTC0", 0), ("EST5", -18_000), ("GMT+9", -32_400),
        ("Etc/GMT+9", -32_400), ("Asia/Soul", nil),
        ("CET-1CEST,M3.5.0,M10.5.0/3", nil), ("KST-25", nil), ("K-9", nil),
    ]

    @Test(arguments: variables)
    func `TZ is read as in the C library, or refused`(variable: String, offset: Int?) {
        #expect(Zone(variable: variable)?.secondsFromGMT() == offset)
    }
}
