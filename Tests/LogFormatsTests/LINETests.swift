import ChatModel
import Foundation
import TestSupport
import Testing

@testable import LogFormats

struct LINETests {
    private func read(_ text: String, path: String = "chat.txt", room: String? = "x") throws -> LogReading {
        try LogReading(LINEFormat.self, text, path: path, room: room)
    }

    @Test(arguments: FormatSample.of("line"))
    func `each language's export has the sender, text, time and room`(sample: FormatSample) throws {
        let read = try LogReading(LINEFormat.self, sample.bytes, path: sample.path, room: nil)
        #expect(read.told == ["花子: お疲れ\nさま \"です\"", "太郎: [写真]", "leave 太郎"])
        #expect(read.times == ["21T00:05:00", "21T15:10:00", "21T15:11:00"])
        #expect(read.messages.allSatisfy { $0.room == "家族" && $0.roomKind == .group && $0.resolution == .minute })
        #expect(read.unreadable == [])
    }

    @Test(arguments: [
        ("Fri, 04/18/2025", "2025-04-18", nil), ("Fri, 18/04/2025", "2025-04-18", nil),
        ("Tue, 06/01/2026", "2026-01-06", nil),
        ("Mon, 06/01/2026", "2026-06-01", nil), ("Tue, 01/06/2026", "2026-01-06", nil),
        ("Mon, 05/05/2025", "2025-05-05", nil),
        // Neither order is a Sunday.
        ("Sun, 06/01/2026", "2026-06-01", "month"),
    ])
    func `the weekday decides whether the day or the month is first`(
        day: String, date: String, assumed: String?
    ) throws {
        let read = try read("\(day)\n12:08\t花子\thi")
        #expect(read.messages.map { String($0.time.description.prefix(10)) } == [date])
        #expect(read.assumptions.contains { $0.contains("month first") } == (assumed != nil))
    }

    @Test func `an ambiguous day follows the file's certain days, or has the month first`()
        throws
    {
        // 7 January and 1 July 2026 are Wednesdays.
        let alone = try read("Wed, 07/01/2026\n12:08\t花子\thi")
        #expect(alone.messages.map { String($0.time.description.prefix(10)) } == ["2026-07-01"])
        #expect(
            alone.assumptions == ["dates read with the month first, because no day near the beginning shows the order"])
        let known = try read("Tue, 06/01/2026\n12:08\t花子\thi\nWed, 07/01/2026\n12:08\t花子\tha")
        #expect(known.messages.map { String($0.time.description.prefix(10)) } == ["2026-01-06", "2026-01-07"])
        #expect(known.assumptions == [])
    }

    @Test(arguments: [
        ("花子がグループに参加しました。", "join 花子"), ("花子が太郎をグループに追加しました。", "invite 花子: 太郎"), ("花子が退会しました。", "leave 花子"),
        ("花子が太郎をグループから退会させました。", "kick 花子: 太郎"), ("小明加入聊天", "join 小明"), ("小明邀請小華加入", "invite 小明: 小華"),
        ("小明離開聊天", "leave 小明"), ("小明已加入群組", "join 小明"), ("小明已退出群組。", "leave 小明"),
        ("\u{2068}小明\u{2069}已新增\u{2068}小華\u{2069}至群組。", "invite 小明: 小華"),
        ("\u{2068}小明\u{2069}已變更群組圖片", "system: 小明已變更群組圖片"),
        ("Ren 已收回訊息", "Ren"), ("您已收回訊息", "您"), ("小明已新增小華至群組", "invite 小明: 小華"), ("小明已将小华添加至群", "invite 小明: 小华"),
        ("小明已加入该群", "join 小明"), ("小明已退群", "leave 小明"), ("Hana joined the group.", "join Hana"),
        ("Hana added Taro to the group.", "invite Hana: Taro"),
        ("Hana removed Taro from the group.", "kick Hana: Taro"), ("민수님이 들어왔습니다.", "join 민수"),
        ("민수님이 지아님을 초대했습니다.", "invite 민수: 지아"),
        ("ながおがたがわをグループに追加しました。", "system: ながおがたがわをグループに追加しました。"), ("☎ 通話時間 1:02", "system: ☎ 通話時間 1:02"),
    ])
    func `the app's sentences are events if the names are certain`(line: String, event: String) throws {
        #expect(try read("2026/11/21(土)\n12:08\t\t\(line)").told == [event])
        #expect(try read("2026/11/21(土)\n12:08\t花子\t\(line)").told == ["花子: \(line)"])
    }

    @Test func `a sentence after a name is an event if spaces separate the columns`() throws {
        let text = """
            2026.11.21 Saturday
            12:08 Hana hi
            12:09 Hana joined the group.
            12:10 Hana added Taro to the group.
            12:11 Hana unsent a message.
            12:12 Hana Taro joined the group.
            """
        #expect(
            try read(text, path: "[LINE]x.txt").told == [
                "Hana: hi", "join Hana", "invite Hana: Taro", "Hana", "Hana: Taro joined the group.",
            ])
    }

    @Test func `unsent messages are deleted, named files are files, and other placeholders stay`() throws {
        let read = try read(
            """
            2026/11/21(土)
            12:08\t\t花子がメッセージの送信を取り消しました
            12:09\t花子\tメッセージの送信を取り消しました
            12:10\t\t小明已收回訊息
            12:11\t\tHana unsent a message.
            12:11\tHana\tMessage unsent.
            12:12\t花子\t[ファイル] 資料.pdf
            12:13\t花子\t[ファイル]
            12:14\t花子\t[スタンプ]
            12:15\t花子\t"one line"
            12:16\t花子\ta\tb
            """)
        #expect(
            read.told == [
                "花子", "花子", "小明", "Hana", "Hana", "花子", "花子: [ファイル]", "花子: [スタンプ]", "花子: \"one line\"", "花子: a\tb",
            ])
        #expect(
            read.messages.map { $0.deletedAt != nil } == [
                true, true, true, true, true, false, false, false, false, false,
            ])
        #expect(read.messages.flatMap { $0.files.map(\.path) } == ["資料.pdf"])
    }

    @Test func `a day in quotes is text unless a record follows, and quotes can stay open`() throws {
        let read = try read(
            """
            2026/11/20(金)
            12:08\t花子\t"会議

            2026/11/23(月)
            9:00から"
            12:09\t花子\t"open

            2026/11/21(土)
            12:10\t太郎\thi
            """)
        #expect(read.told == ["花子: 会議\n\n2026/11/23(月)\n9:00から", "花子: \"open", "太郎: hi"])
        #expect(read.times == ["20T12:08:00", "20T12:09:00", "21T12:10:00"])
    }

    @Test func `without tabs, names end at the first space, and the report says so`() throws {
        let read = try read("2026.11.21 星期六\n17:22 Tony Chou hi\n17:23 小明加入聊天")
        #expect(read.told == ["Tony: Chou hi", "join 小明"])
        #expect(read.assumptions == ["names end at the first space, because spaces separate the columns"])
    }

    @Test func `a name with spaces is the common beginning of a person's lines`() throws {
        let read = try read(
            """
            2017.09.02 Saturday
            12:00 Hana Sato hello world
            12:01 Ken hi
            12:02 Hana Sato again
            12:03 Ken hi all
            12:04 Mio so it goes
            12:05 Mio so
            12:06 Al a b c d e f g h i j k
            12:07 Al a b c d e f g h i j k
            """)
        #expect(
            read.told == [
                "Hana Sato: hello world", "Ken: hi", "Hana Sato: again", "Ken: hi all", "Mio: so it goes", "Mio: so",
                "Al a b c d e f g h i: j k", "Al a b c d e f g h i: j k",
            ])
        #expect(
            read.assumptions == [
                "names with spaces are the words that all lines of a person begin with, because spaces separate the columns"
            ])
    }

    @Test func `lost lines are reported`() throws {
        let read = try read(
            "[LINE] x\nSaved on: 2026/11/22 11:59\nlost\n12:07\t花子\thi\n2026/02/31(土)\n12:08\t花子\thi\n2026/11/21(土)\nlost\n12:09\t花子\tho"
        )
        #expect(read.told == ["花子: ho"])
        #expect(
            read.unreadable == [
                "it has no time, and no line before it begins a message", "no earlier line gives its date",
                "its date does not exist", "it has no time, and no line before it begins a message",
            ])
    }

    @Test(arguments: ["2024/1/2週二", "2024/1/2周二", "2024/1/2（二）", "2024/1/2 星期二", "2024/1/2星期二"])
    func `the weekday can follow a Chinese date without a space`(day: String) throws {
        let read = try read("\(day)\n下午03:05\t小明\t你好")
        #expect(read.times == ["02T15:05:00"] && read.unreadable == [])
    }

    @Test(arguments: [
        "2026.11.21 วันเสาร์", "2026/11/21 เสาร์", "ส. 21/11/2569", "วันเสาร์ 21/11/2569", "2569.11.21 วันเสาร์",
    ])
    func `Thai dates have Thai weekdays and can have Buddhist years`(day: String) throws {
        let read = try read("\(day)\n08:54\tสมชาย\tสวัสดี")
        #expect(read.messages.map { String($0.time.description.prefix(16)) } == ["2026-11-21T08:54"])
        #expect(read.unreadable == [] && read.assumptions == [])
    }

    @Test func `a Thai export has a room, invitations and unsent messages`() throws {
        let text = """
            [LINE] ประวัติการแชทในกลุ่ม "ครอบครัว"
            บันทึกเมื่อ 22/11/2569 07:48

            ส. 21/11/2569
            08:54\t\tสมชาย เพิ่ม สมหญิง เข้ากลุ่ม
            08:55\tสมหญิง\tสวัสดี
            08:56\tสมหญิง\tยกเลิกข้อความแล้ว
            """
        let read = try read(text, path: "a.txt", room: nil)
        #expect(read.told == ["invite สมชาย: สมหญิง", "สมหญิง: สวัสดี", "สมหญิง"] && read.unreadable == [])
        #expect(read.messages.map(\.room) == ["ครอบครัว", "ครอบครัว", "ครอบครัว"])
        #expect(read.messages.map { $0.deletedAt != nil } == [false, false, true])
        let other = try self.read("[LINE] ประวัติการแชทกับ สมชาย\nบันทึกวันที่ 2026/11/22 07:48\n" + text, room: nil)
        #expect(other.messages.first?.room == "สมชาย")
    }

    @Test func `the first hour of a day can be 24`() throws {
        #expect(try read("2018/04/19(木)\n24:53\tfoo\thello\n5:06\tfoo\tworld").times == ["19T00:53:00", "19T05:06:00"])
    }

    @Test func `the room is named by the title or the file`() throws {
        let day = "2026/11/21(土)\n12:08\t花子\thi"
        #expect(try read(day, path: "[LINE] 花子とのトーク.txt", room: nil).messages.map(\.room) == ["花子"])
        #expect(try read("[LINE] Keep Memo\n" + day, room: nil).messages.map(\.room) == ["Keep Memo"])
        #expect(try read("[LINE] 花子とのトーク履歴\n" + day).messages.map(\.room) == ["x"])
        #expect(throws: LogSourceError.noRoom) { try self.read(day, room: nil) }
    }

    @Test func `a title can lack the app's name if the export's time follows`() throws {
        let text = "Chat history with Alice\nSaved on: 01/03/2024, 09:00\n\nTue, 01/02/2024\n03:04PM\tAlice\thello"
        #expect(LINEFormat.recognises(LogSource(path: "Alice.txt", beginning: Array(text.utf8), room: nil, zone: .gmt)))
        let read = try read(text, path: "Alice.txt", room: nil)
        #expect(read.told == ["Alice: hello"] && read.messages.map(\.room) == ["Alice"] && read.unreadable == [])
        let other = "Chat history with Alice\nI saved this\n03:04PM\tAlice\thello"
        #expect(
            !LINEFormat.recognises(LogSource(path: "Alice.txt", beginning: Array(other.utf8), room: nil, zone: .gmt)))
    }
}
