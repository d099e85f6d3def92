extension Sample {
    private static func kakaotalk(_ path: String, _ lines: String...) -> Sample {
        Sample(format: "kakaotalk", path: path, text: lines.joined(separator: "\n") + "\n")
    }

    /// The same two messages of a room named 가족, as each system exports them, now and formerly.
    static let kakaotalk = [
        // Windows in Korean and English, with hours of 12 and 24, and with days in another language than the title.
        kakaotalk(
            "KakaoTalk_20261122_2258_30_123_group.txt", "가족 님과 카카오톡 대화", "저장한 날짜 : 2026-11-22 22:58:30", "",
            "--------------- 2026년 11월 21일 토요일 ---------------", "[민수] [오전 12:05] 안녕", "둘째 줄",
            "[지아] [오후 3:10] Hi : there"),
        kakaotalk(
            "가족.txt", "가족 님과 카카오톡 대화", "저장한 날짜 : 2026년 11월 22일 오후 7:17", "",
            "--------------- 2026년 11월 21일 토요일 ---------------", "[민수] [00:05] 안녕", "둘째 줄", "[지아] [15:10] Hi : there"),
        kakaotalk(
            "KakaoTalk_20261122_2258_30_123_가족.txt", "가족 with KakaoTalk Chats", "Date Saved : 2026-11-22 22:58:30", "",
            "--------------- Saturday, November 21, 2026 ---------------", "[민수] [12:05 AM] 안녕", "둘째 줄",
            "[지아] [3:10 PM] Hi : there"),
        kakaotalk(
            "chat.txt", "가족 님과 카카오톡 대화", "저장한 날짜 : 2026-11-22 22:58:30", "",
            "--------------- Saturday, November 21, 2026 ---------------", "[민수] [12:05 AM] 안녕", "둘째 줄",
            "[지아] [3:10 PM] Hi : there"),
        // Android in Korean and English.
        kakaotalk(
            "KakaoTalkChats.txt", "가족 16 카카오톡 대화", "저장한 날짜 : 2026년 11월 22일 오전 11:29", "", "", "2026년 11월 21일 오전 12:05",
            "2026년 11월 21일 오전 12:05, 민수 : 안녕", "둘째 줄", "2026년 11월 21일 오후 3:10, 지아 : Hi : there"),
        kakaotalk(
            "KakaoTalkChats.txt", "KakaoTalk Chats with 가족", "Date Saved : November 22, 2026, 1:08 PM", "", "",
            "November 21, 2026, 12:05 AM", "November 21, 2026, 12:05 AM, 민수 : 안녕", "둘째 줄",
            "November 21, 2026, 3:10 PM, 지아 : Hi : there"),
        kakaotalk(
            "KakaoTalkChats.txt", "KakaoTalk Chats with 가족 (4)", "Date Saved : 1:01am, November 22, 2026", "", "",
            "12:05am, November 21, 2026", "12:05am, November 21, 2026, 민수 : 안녕", "둘째 줄",
            "3:10pm, November 21, 2026, 지아 : Hi : there"),
        // iPhones in Korean and English. The title of today's exports is the file's name.
        kakaotalk(
            "Talk_2026.11.22 23:01-1.txt", "\u{FEFF}Talk_2026.11.22 23:01-1.txt", "저장한 날짜 : 2026. 11. 22. 오후 11:01", "",
            "", "2026년 11월 21일 토요일", "2026. 11. 21. 오전 12:05, 민수 : 안녕", "둘째 줄", "2026. 11. 21. 오후 3:10, 지아 : Hi : there"
        ),
        kakaotalk(
            "Talk_2026.11.22 23:01-1.txt", "Talk_2026.11.22 23:01-1.txt", "Date Saved : Nov 22, 2026 at 23:01", "", "",
            "Saturday, November 21, 2026", "Nov 21, 2026 at 00:05, 민수 : 안녕", "둘째 줄",
            "Nov 21, 2026 at 15:10, 지아 : Hi : there"),
        kakaotalk(
            "가족 (4명)과 카카오톡 대화-1.txt", "가족 (4명)과 카카오톡 대화-1.txt", "저장한 날짜 : 2026. 11. 22. 오후 11:01", "", "",
            "2026년 11월 21일 토요일", "2026. 11. 21. 오전 12:05, 민수 : 안녕", "둘째 줄", "2026. 11. 21. 오후 3:10, 지아 : Hi : there"),
        kakaotalk(
            "KakaoTalk Chats with 가족 (4 people)-1.txt", "KakaoTalk Chats with 가족 (4 people)-1.txt",
            "Date Saved : Nov 22, 2026, 12:20 AM", "", "", "Saturday, November 21, 2026",
            "Nov 21, 2026, 12:05 AM, 민수 : 안녕", "둘째 줄", "Nov 21, 2026, 3:10 PM, 지아 : Hi : there"),
        kakaotalk(
            "chat.txt", "가족 카카오톡 대화", "저장한 날짜 : 2026년 11월 22일 오후 7:17", "", "", "2026년 11월 21일 토요일",
            "오전 12:05, 민수 : 안녕", "둘째 줄", "오후 3:10, 지아 : Hi : there"),
        // Parts and copies without a title.
        kakaotalk(
            "가족 (4명)과 카카오톡 대화-2.txt", "2026년 11월 21일 오전 12:05, 민수 : 안녕", "둘째 줄",
            "2026년 11월 21일 오후 3:10, 지아 : Hi : there"),
        kakaotalk(
            "가족 (4명)과 카카오톡 대화-3.txt", "2026. 11. 21. 오전 12:05, 민수 : 안녕", "둘째 줄",
            "2026. 11. 21. 오후 3:10, 지아 : Hi : there"),
        // macOS.
        kakaotalk(
            "KakaoTalk_Chat_가족_2026-11-22-12-40-45.csv", "\u{FEFF}Date,User,Message",
            "2026-11-21 00:05:09,\"민수\",\"안녕", "둘째 줄\"", "2026-11-21 15:10:00,\"지아\",\"Hi : there\""),
    ]
}
