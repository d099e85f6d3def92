import ChatModel
import TestSupport
import Testing

@testable import LogFormats

/// The logs that clients of Debian 12 wrote in Korean (`LANG=ko_KR.UTF-8`) while people said one script, with other dates: finch
/// 2.14.12 (HTML), HexChat 2.16.1 and Konversation 22.12.3.
struct KoreanLogsTests {
    private static let script = [
        "alice: hello everyone", "alice: <bob> pasted", "alice:    three leading spaces",
        "alice: 06:23 < bob> pasted too",
        "notice bob: a notice", "alice: twice", "alice: twice", "action alice: waves at bob", "join carol",
        "leave carol: bye (now)", "join carol", "kick alice: carol: loud [really]", "rename bob: bobby",
        "topic alice: all: about 'tea'", "mode alice: +v bobby", "alice: the end",
    ]

    @Test(arguments: ["pidgin", "hexchat", "konversation"])
    func `a log in Korean has every message and event of the script`(format: String) throws {
        let sample = try #require(FormatSample.of(format).last)
        let type = try #require(KnownLogFormats.all.first { $0.name == format })
        let read = try LogReading(type, sample.bytes, path: sample.path, zone: "Asia/Seoul")
        let told = read.messages.filter { $0.kind != .system }
        // Each client has its own order of what happens at once.
        #expect(told.map(\.told).sorted() == Self.script.sorted())
        #expect(read.unreadable == [] && told.allSatisfy { $0.room == "#example" })
        // The night of 21 to 22 November, in UTC.
        #expect(read.times.allSatisfy { $0.hasPrefix("21T14:59:") || $0.hasPrefix("21T15:00:") })
    }
}
