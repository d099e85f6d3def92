import Foundation
import Rendering
import Testing

@Suite struct LocalZoneTests {
    @Test func `the local zone is the one that Foundation finds`() {
        #expect(TimeZone.local.identifier == TimeZone.current.identifier)
    }

    @Test(arguments: [
        ("Asia/Seoul", 9 * 3600), (":Asia/Seoul", 9 * 3600), ("/usr/share/zoneinfo/Asia/Seoul", 9 * 3600),
        ("KST-9", 9 * 3600), ("<+0530>-5:30", 19_800), ("<-03>+3", -3 * 3600), ("UTC0", 0), ("EST5", -5 * 3600),
        ("Asia/Soul", nil), ("CET-1CEST,M3.5.0,M10.5.0/3", nil), ("KST-25", nil), ("K-9", nil), ("/etc/localtime", nil),
    ])
    func `TZ is read as the C library reads it, or refused`(variable: String, offset: Int?) {
        #expect(TimeZone(variable: variable)?.secondsFromGMT() == offset)
    }
}
