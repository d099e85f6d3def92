import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

/// Messages and events of exports of KakaoTalk.
struct KakaoTalkTests {
    private func read(_ text: String, path: String = "chat.txt", room: String? = nil) throws -> LogReading {
        try LogReading(KakaoTalkFormat.self, text, path: path, room: room)
    }

    @Test(arguments: FormatSample.of("kakaotalk"))
    func `each system's export has the sender, text, time and room`(sample: FormatSample) throws {
        let room = sample.path.hasPrefix("Talk_") ? "가족" : nil
        let read = try LogReading(KakaoTalkFormat.self, sample.bytes, path: sample.path, room: room)
        #expect(read.told.prefix(2) == ["민수: 안녕\n둘째 줄", "지아: Hi : there"])
        let isToTheSecond = sample.path.hasSuffix(".csv")
        #expect(
            read.times.prefix(2) == (isToTheSecond ? ["21T00:05:09", "21T15:10:00"] : ["21T00:05:00", "21T15:10:00"]))
        #expect(read.messages.allSatisfy { $0.room == "가족" && $0.roomKind == .group })
        #expect(read.messages.allSatisfy { $0.resolution == (isToTheSecond ? .second : .minute) })
        #expect(read.unreadable == [] && read.assumptions == [])
    }

    @Test(arguments: [
        "2026년 11월 21일 오전 6:23, 민수 : hi", "2026. 11. 21. 오전 6:23, 민수 : hi", "2026.11.21. 오전 6:23, 민수 : hi",
        "2026. 11. 21. 06:23, 민수 : hi", "2026년 11월 21일 6:23, 민수 : hi", "November 21, 2026, 6:23 AM, 민수 : hi",
        "Nov 21, 2026 at 06:23, 민수 : hi", "Nov 21, 2026 at 6:23\u{202F}AM, 민수 : hi",
        "Nov 21, 2026 at 6:23 a.m., 민수 : hi", "Nov 21, 2026, 6:23 AM, 민수 : hi", "21 Nov 2026 at 06:23, 민수 : hi",
        "6:23AM, November 21, 2026, 민수 : hi", "6:23am, November 21, 2026, 민수 : hi",
    ])
    func `a record begins with the date and time of any phone`(line: String) throws {
        let read = try read(line, room: "x")
        #expect(read.told == ["민수: hi"])
        #expect(read.times == ["21T06:23:00"])
        #expect(KakaoTalkFormat.recognises(LogReading.source(Array(line.utf8), path: "chat.txt")))
        #expect(!WhatsAppFormat.recognises(LogReading.source(Array(line.utf8), path: "chat.txt")))
    }

    @Test(arguments: [
        ("오전 12:00", "00:00"), ("오전 12:59", "00:59"), ("오전 1:00", "01:00"), ("오후 12:00", "12:00"),
        ("오후 12:30", "12:30"), ("오후 11:59", "23:59"), ("12:30 AM", "00:30"), ("12:30 PM", "12:30"), ("20:36", "20:36"),
        ("0:05", "00:05"),
    ])
    func `hours are 12 or 24, and 12 AM is midnight`(time: String, shown: String) throws {
        let windows = "--------------- 2026년 11월 21일 토요일 ---------------\n[민수] [\(time)] hi"
        for text in [windows, "2026년 11월 21일 \(time), 민수 : hi"] {
            #expect(try read(text, room: "x").times == ["21T\(shown):00"])
        }
    }

    @Test(arguments: [
        "2026년 11월 21일", "2026년 11월 21일 오전 25:00, 지아 : hi", "2026년 11월 21일 오전 13:10, 지아 : hi",
        "2026년 11월 21일 오전 6:61, 지아 : hi", "2026년 11월 21일 오전 6:23 지아 : hi", "26년 11월 21일 오전 6:23, 지아 : hi",
        "2026년 11월 21일 오전 6:23,지아 : hi", "[지아] [오전 9:00] hi", "지아 : hi", "12:30", "오후 8:36, 지아 : hi",
        "99999999999999999999, 지아 : hi", "Novembre 21, 2026, 6:23 AM, 지아 : hi", "2026년 11월 21일 토요일", "\u{200E}",
    ])
    func `a line that begins no record continues the message`(line: String) throws {
        let first = "2026년 11월 20일 오전 6:22, 민수 : one\n"
        #expect(try read(first + line + "\ntwo", room: "x").told == ["민수: one\n\(line)\ntwo"])
    }

    @Test func `a line of a message that looks like a record is a record`() throws {
        let read = try read(
            "2026년 11월 21일 오전 6:22, 민수 : look:\n2026년 11월 20일 오전 6:23, 지아 : hi", room: "x")
        #expect(read.told == ["민수: look:", "지아: hi"])
    }

    @Test func `a day line is not part of a message, and a date in a message is not a day line`() throws {
        let phone = try read(
            """
            2026. 11. 20. 오후 1:01, 민수 : 모임

            2026년 11월 22일 일요일

            오후 3시

            2026년 11월 21일 토요일
            2026. 11. 21. 오후 1:01, 지아 : 네
            2026년 11월 21일 토요일
            """, room: "x")
        #expect(phone.told == ["민수: 모임\n\n2026년 11월 22일 일요일\n\n오후 3시", "지아: 네"])
        let former = try read(
            """
            2026년 11월 20일 금요일
            오후 8:36, 민수 : 모임
            2026년 11월 22일 일요일
            저녁
            2026년 11월 21일 토요일
            오전 9:00, 지아 : 네
            """, room: "x")
        #expect(former.told == ["민수: 모임\n2026년 11월 22일 일요일\n저녁", "지아: 네"])
        #expect(former.times == ["20T20:36:00", "21T09:00:00"])
    }

    @Test func `a time alone begins an old iPhone's record only with a sender or a known notice`() throws {
        let read = try read(
            """
            2026년 11월 21일 토요일
            오후 8:36, 민수 : 내일
            오후 3:00, 회의실
            오후 8:37, 민수님이 나갔습니다.
            """, room: "x")
        #expect(read.told == ["민수: 내일\n오후 3:00, 회의실", "leave 민수"])
    }

    @Test(arguments: [
        ("민수님이 들어왔습니다.", "join 민수"), ("민수님이 나갔습니다.", "leave 민수"),
        ("민수님이 들어왔습니다.운영정책을 위반한 메시지로 신고 접수 시 제한이 있을 수 있습니다.", "join 민수: 운영정책을 위반한 메시지로 신고 접수 시 제한이 있을 수 있습니다."),
        ("민수님이 지아님을 초대했습니다.", "invite 민수: 지아"), ("민수님이 지아님, 하나님과 두나님을 초대하였습니다.", "invite 민수: 지아, 하나, 두나"),
        ("지아님을 초대하였습니다.", "invite: 지아"), ("지아님을 내보냈습니다.", "kick: 지아"), ("민수님이 지아님을 내보냈습니다.", "kick 민수: 지아"),
        ("채팅방 관리자가 메시지를 가렸습니다.", "system: 채팅방 관리자가 메시지를 가렸습니다."),
        ("민수님이 부방장이 되었습니다.", "system: 민수님이 부방장이 되었습니다."),
        ("Minsu left this chatroom.", "leave Minsu"), ("Minsu joined this chatroom.", "join Minsu"),
        ("Minsu has been removed from this chatroom.", "kick: Minsu"),
        (
            "This message has been hidden by the chatroom managers.",
            "system: This message has been hidden by the chatroom managers."
        ), ("Minsu has been assigned as the admin.", "system: Minsu has been assigned as the admin."),
    ])
    func `the app's sentences are events`(line: String, event: String) throws {
        let windows = "--------------- 2026년 11월 21일 토요일 ---------------\n[지아] [오후 1:00] hi\n\(line)\n[지아] [오후 1:05] ha"
        let read = try read(windows, room: "x")
        #expect(read.told == ["지아: hi", event, "지아: ha"])
        #expect(read.times == ["21T13:00:00", "21T13:00:00", "21T13:05:00"])
        for phone in [
            "2026년 11월 21일 오후 1:00, \(line)", "2026. 11. 21. 오후 1:00: \(line)", "Nov 21, 2026 at 13:00: \(line)",
        ] {
            #expect(try self.read(phone, room: "x").told == [event])
        }
    }

    @Test func `English sentences on Windows need a known name, and other lines continue`() throws {
        let read = try read(
            """
            Family with KakaoTalk Chats
            Date Saved : 2026-11-22 22:58:30

            --------------- Saturday, November 21, 2026 ---------------
            Jia invited Minsu and Hana.
            [Minsu] [3:15 PM] the train
            has left.
            He left.
            Minsu left.
            [Jia] [3:16 PM] ok
            민수님이 좋아합니다.
            """)
        #expect(
            read.told == ["Minsu: the train\nhas left.\nHe left.", "leave Minsu", "Jia: ok\n민수님이 좋아합니다."])
        #expect(read.unreadable.count == 1)
        #expect(try self.read("Nov 21, 2026 at 19:12: Minsu invited iPad .", room: "x").told == ["invite Minsu: iPad"])
        #expect(
            try self.read("2:33AM, February 10, 2026, Minsu invited Jia and Hana.", room: "x").told
                == ["invite Minsu: Jia, Hana"])
    }

    @Test func `notices before the day's first record are at midnight, and can have several lines`() throws {
        let read = try read(
            """
            가족 님과 카카오톡 대화
            저장한 날짜 : 2026-11-22 22:58:30

            --------------- 2026년 11월 21일 토요일 ---------------
            민수님이 들어왔습니다.
            운영정책을 위반한 메시지로
            [] [20:35] 알림
            [민수] [20:36]\u{20}
            """)
        #expect(read.told == ["join 민수: 운영정책을 위반한 메시지로", "system: 알림", "민수: "])
        #expect(read.times == ["21T00:00:00", "21T20:35:00", "21T20:36:00"])
    }

    @Test func `names can contain brackets and commas, and end at the first colon between spaces`() throws {
        let windows = try read(
            "--------------- 2026년 11월 21일 토요일 ---------------\n[[방장]민수] [a] [오전 9:00] [지아] [오전 8:00] hi", room: "x")
        #expect(windows.told == ["[방장]민수] [a: [지아] [오전 8:00] hi"])
        let phone = try read("2026년 11월 21일 오전 9:00, 민수, 대리 : a : b", room: "x")
        #expect(phone.told == ["민수, 대리: a : b"])
        #expect(try read("2026년 11월 21일 오전 9:00, 민수 :\nhi", room: "x").told == ["민수: \nhi"])
        let long = String(repeating: "가", count: 100)
        #expect(try read("2026년 11월 21일 오전 9:00, \(long) : hi", room: "x").messages.map(\.kind) == [.system])
    }

    @Test func `named files are files, deleted messages have no text, and other placeholders stay`() throws {
        let read = try read(
            [
                "사진", "사진 3장", "동영상", "이모티콘", "음성메시지", "Photo", "(사진)", "샵검색: #날씨", "톡게시판 '투표': 점심", "파일: 회의록.hwp",
                "파일 : a b.tar.gz", "File: report.pdf", "파일: 이거 봐", "파일: 끝났어요.", "삭제된 메시지입니다.",
                "This message was deleted.",
                String(repeating: "0a", count: 32) + ".jpg", "파일: a.hwp\n봐",
            ]
            .map { "2026년 11월 21일 오전 9:00, 민수 : \($0)" }.joined(separator: "\n"), room: "x")
        let photo = String(repeating: "0a", count: 32) + ".jpg"
        #expect(
            read.messages.map(\.body) == [
                "사진", "사진 3장", "동영상", "이모티콘", "음성메시지", "Photo", "(사진)", "샵검색: #날씨", "톡게시판 '투표': 점심", nil, nil, nil,
                "파일: 이거 봐",
                "파일: 끝났어요.", nil, nil, nil, "파일: a.hwp\n봐",
            ])
        #expect(read.messages.flatMap { $0.files.map(\.path) } == ["회의록.hwp", "a b.tar.gz", "report.pdf", photo])
        #expect(read.messages.map { $0.deletedAt?.short }.compactMap(\.self) == ["21T09:00:00", "21T09:00:00"])
    }

    @Test func `a deleted message has its place among the sender's messages of the minute`() throws {
        let read = try read(
            """
            2026년 11월 21일 오전 9:00, 민수 : 안녕
            2026년 11월 21일 오전 9:00, 지아 : 삭제된 메시지입니다.
            2026년 11월 21일 오전 9:00, 민수 : 삭제된 메시지입니다.
            2026년 11월 21일 오전 9:01, 민수 : 삭제된 메시지입니다.
            """, room: "x")
        #expect(read.messages.map(\.placeOfDeleted) == [nil, 0, 1, 0])
    }

    @Test func `lost lines are reported`() throws {
        let read = try read(
            """
            가족 님과 카카오톡 대화
            저장한 날짜 : 2026-11-22 22:58:30
            lost
            [민수] [오전 9:00] hi
            --------------- 2026년 2월 31일 토요일 ---------------
            [민수] [오전 9:00] ha
            --------------- 2026년 11월 21일 토요일 ---------------
            [민수] [오전 9:00] ho
            """)
        #expect(read.told == ["민수: ho"])
        #expect(
            read.unreadable == [
                "it has no time, and no line before it begins a message", "no earlier line gives its date",
                "its date does not exist",
            ])
        #expect(try self.read("2026년 2월 31일 오전 9:00, 민수 : hi", room: "x").unreadable == ["its date does not exist"])
    }

    @Test func `a text over 64 KiB is cut between characters`() throws {
        let long = String(repeating: "민", count: 30_000)
        let read = try read("2026년 11월 21일 오전 9:00, 민수 : x\(long)\nmore\n2026년 11월 21일 오전 9:01, 민수 : hi", room: "x")
        #expect(read.messages.map(\.flags) == [.oversize, []])
        #expect((read.messages.first?.body?.utf8.count ?? 0) > 65_000)
        #expect(read.messages.first?.body?.hasSuffix("민") ?? false)
    }
}
