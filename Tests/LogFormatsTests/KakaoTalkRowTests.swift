import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

/// The rows of KakaoTalk for macOS.
struct KakaoTalkRowTests {
    private func read(_ rows: String...) throws -> LogReading {
        let text = "\u{FEFF}Date,User,Message\n" + rows.joined(separator: "\n")
        return try LogReading(KakaoTalkFormat.self, text, path: "x.csv", room: "x")
    }

    @Test func `a text can have many lines and quotes, or be empty`() throws {
        let read = try read(
            "2026-11-21 06:23:01,\"민수\",\"ㅎㅇ\n\n\"\"인용\"\"\"", "2026-11-21 06:23:02,민수,plain, with comma", "",
            "2026-11-21 06:23:03,\"a \"\"b\"\", c\",\"\"",
            "2026-11-21 06:23:04,\"민수\",\"2026-11-21 06:23:05,\"\"지아\"\",\"\"no\"\"\"",
            "2026-11-21 06:23:06,\"민수\",\"\"\"\"\r")
        #expect(
            read.told == [
                "민수: ㅎㅇ\n\n\"인용\"", "민수: plain, with comma", "a \"b\", c: ", "민수: 2026-11-21 06:23:05,\"지아\",\"no\"",
                "민수: \"",
            ])
        #expect(read.times.last == "21T06:23:06")
        #expect(read.unreadable == [])
    }

    @Test func `sentences about the person in the row are events`() throws {
        let read = try read(
            "2026-11-21 06:23:01,\"민수\",\"민수 invited 지아 and.\"", "2026-11-21 06:23:02,\"민수\",\"민수님이 나갔습니다.\"",
            "2026-11-21 06:23:03,\"지아\",\"지아 left this chatroom.\"", "2026-11-21 06:23:04,\"지아\",\"민수님이 나갔습니다.\"",
            "2026-11-21 06:23:05,\"지아\",\"지아님을 내보냈습니다.\"", "2026-11-21 06:23:06,\"\",\"알림\"")
        #expect(
            read.told == [
                "invite 민수: 지아", "leave 민수", "leave 지아", "지아: 민수님이 나갔습니다.", "kick: 지아", "system: 알림",
            ])
    }

    @Test func `a row can name a removed person, and a notice has neither time nor name`() throws {
        let read = try read(
            ",\"\",\"early\"", "2026-11-21 06:23:01,\"민수\",\"지아 has been removed from this chatroom.\"",
            ",\"\",\"The message has been deleted.\"",
            "2026-11-21 06:23:02,\"하나\",\"하나 has been removed from this chatroom.\"")
        #expect(read.told == ["kick 민수: 지아", "system: The message has been deleted.", "kick: 하나"])
        #expect(read.times == ["21T06:23:01", "21T06:23:01", "21T06:23:02"])
        #expect(read.unreadable == ["not a valid row of KakaoTalk"])
    }

    @Test func `a row with open quotes is reported, and the rows after it are read`() throws {
        let read = try read(
            "2026-11-21 06:23:01,\"민수\",\"open", "more", "2026-11-21 06:23:02,\"지아\",\"hi\"", "stray",
            "2026-02-31 06:23:02,\"지아\",\"hi\"", "2026-11-21 06:23:03,\"지아\",\"cut")
        #expect(read.told == ["지아: hi"])
        #expect(
            read.unreadable == [
                "its quotes are not closed", "not a valid row of KakaoTalk", "its date does not exist",
                "its quotes are not closed",
            ])
    }
}
