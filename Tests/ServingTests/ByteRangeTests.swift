import Testing

@testable import Serving

struct ByteRangeTests {
    @Test(arguments: [
        ("bytes=0-", ByteRange.part(0..<1000)), ("bytes=0-0", .part(0..<1)), ("bytes=-500", .part(500..<1000)),
        ("bytes=-5000", .part(0..<1000)), ("bytes=990-2000", .part(990..<1000)), ("bytes=1000-", .unsatisfiable),
        ("bytes=-0", .unsatisfiable), ("bytes=5-4", .whole), ("bytes=-", .whole), ("bytes=0-1,5-6", .whole),
        ("lines=0-1", .whole), ("bytes=99999999999999999999-", .whole),
    ]) func `a range is a part, the whole, or beyond the end`(header: String, range: ByteRange) {
        #expect(ByteRange.parse(header, size: 1000) == range)
    }

    @Test func `an empty file has no part`() {
        #expect(ByteRange.parse("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ByteRange.parse("bytes=-1", size: 0) == .unsatisfiable)
    }
}
