import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

/// The room of an export of KakaoTalk.
struct KakaoTalkRoomTests {
    private func read(_ text: String, path: String = "chat.txt", room: String? = nil) throws -> LogReading {
        try LogReading(KakaoTalkFormat.self, text, path: path, room: room)
    }

    @Test(arguments: [
        ("가족 님과 카카오톡 대화", "가족"), ("가족 16 카카오톡 대화", "가족"), ("가족 카카오톡 대화", "가족"), ("등산모임 5 님과 카카오톡 대화", "등산모임"),
        ("가족 (4명)과 카카오톡 대화-1.txt", "가족"), ("민수님과 카카오톡 대화-1.txt", "민수"), ("{ 개발 } #3 님과 카카오톡 대화", "{ 개발 } #3"),
        ("Family with KakaoTalk Chats", "Family"), ("KakaoTalk Chats with Minsu", "Minsu"),
        ("KakaoTalk Chats with Minsu,Jia (3)", "Minsu,Jia"), ("KakaoTalk Chats with Family (4 people)-1.txt", "Family"),
    ])
    func `the title gives the room`(title: String, room: String) throws {
        let text = "\u{FEFF}\(title)\r\n저장한 날짜 : 2026. 11. 22. 오후 11:01\r\n\r\n2026. 11. 21. 오후 1:01, 민수 : 안녕\r\n"
        #expect(try read(text).messages.map(\.room) == [room])
        #expect(try read(text, room: "다른 방").messages.map(\.room) == ["다른 방"])
        #expect(try read(text).unreadable == [])
    }

    @Test(arguments: [
        ("민수 님과 카카오톡 대화", "chat.txt", true), ("민수님과 카카오톡 대화-1.txt", "chat.txt", true),
        ("가족 16 님과 카카오톡 대화", "chat.txt", false),
        ("가족 16 카카오톡 대화", "chat.txt", false), ("가족 (4명)과 카카오톡 대화", "chat.txt", false),
        ("가족 카카오톡 대화", "chat.txt", false),
        ("KakaoTalk Chats with Minsu", "chat.txt", false), ("", "민수님과 카카오톡 대화-2.txt", true),
        ("", "가족 (4명)과 카카오톡 대화-2.txt", false),
    ])
    func `a phone's title shows whether the room is direct`(title: String, path: String, isDirect: Bool) throws {
        let text = title + "\n2026. 11. 21. 오후 1:01, 민수 : 안녕\n"
        #expect(try read(text, path: path).messages.map(\.roomKind) == [isDirect ? .direct : .group])
        #expect(try read(text, path: path, room: "다른 방").messages.map(\.roomKind) == [isDirect ? .direct : .group])
    }

    @Test func `a Windows title does not show whether the room is direct`() throws {
        let text = "민수 님과 카카오톡 대화\n--------------- 2026년 11월 21일 토요일 ---------------\n[민수] [오전 9:00] 안녕\n"
        #expect(try read(text).messages.map(\.roomKind) == [.group])
    }

    @Test func `a number in a Windows title belongs to the room's name`() throws {
        let text = "3반 2 님과 카카오톡 대화\n--------------- 2026년 11월 21일 토요일 ---------------\n[민수] [오전 9:00] 안녕\n"
        #expect(try read(text).messages.map(\.room) == ["3반 2"])
    }

    @Test func `the room is named after the file without a title, or unknown`() throws {
        let row = "Date,User,Message\n2026-11-21 00:05:09,\"민수\",\"안녕\""
        let names = [
            "KakaoTalk_Chat_가족_2026-04-22-12-40-45.csv", "KakaoTalk_Chat_가족_2026-04-22-12-40-45 (1).csv",
            "KakaoTalk_Chat_\("가족".decomposedStringWithCanonicalMapping)_2026-04-22-12-40-45.csv",
        ]
        for name in names { #expect(try read(row, path: "a/" + name).messages.map(\.room) == ["가족"]) }
        #expect(
            try read("2026. 11. 21. 오후 1:01, 민수 : 안녕", path: "가족 (4명)과 카카오톡 대화-2.txt").messages.map(\.room) == ["가족"])
        for name in ["chat.csv", "KakaoTalk_Chat_2026-04-22-12-40-45.csv", "Talk_2026.8.7 13:01-1.txt", ""] {
            #expect(throws: LogSourceError.noRoom) { try self.read(row, path: name) }
        }
        let iPhone = "Talk_2026.8.7 13:01-1.txt\nDate Saved : Apr 25, 2026 at 10:38\n"
        #expect(throws: LogSourceError.noRoom) { try self.read(iPhone, path: "Talk_2026.8.7 13:01-1.txt") }
    }
}
