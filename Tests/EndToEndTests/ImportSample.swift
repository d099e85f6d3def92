import Foundation
import TestSupport
import Testing

/// What a program writes that people had: a small log or export of each kind, and what it grew into later.
struct ImportSample: Sendable, CustomTestStringConvertible {
    let format: String
    /// To import.
    var path: String
    let room: String
    /// What each file has, and what it has later.
    var files: [(name: String, text: String, later: String)]
    /// Parts of them that are read, at first.
    let read: String
    /// Of the first files: when, what, who and what they said.
    let messages: [String]
    /// The one that is there later.
    let last: String
    /// The words after `import`, if the format has to be named.
    var words: [String]?
    var testDescription: String { "\(format) \(path)" }

    static let all: [ImportSample] = [
        irssi, weechat, znc, energymech, whatsapp, whatsappArchive, kakaotalk, kakaotalkParts, kakaotalkRows, line,
        discord, telegram, telegramPages, messenger, signal, element, slack, slackArchive, jsonl, mirc, hexchat, csv,
        namedJSON, theLounge, quassel, soju, slackdump, gajim, oldGajim, dino, profanity, iMessage, viber, psi,
    ]

    /// The arguments of the import into an account.
    func arguments(account: String) -> [String] { ["import"] + (words ?? [path]) + ["-a", account] }

    /// - Parameter isLater: Whether it has grown.
    func write(to program: Program, isLater: Bool) throws {
        let contents = files.map { ($0.name, isLater ? $0.later : $0.text) }
        if path.hasSuffix(".zip") {
            return try ZipFile(contents.map { .init($0.0, $0.1) }).write(to: "\(program.home)/\(path)")
        }
        for (name, text) in contents {
            let folder = (name as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(
                atPath: "\(program.home)/\(folder)", withIntermediateDirectories: true)
            if name.contains(".sqlite") {
                try? FileManager.default.removeItem(atPath: "\(program.home)/\(name)")
                try SQLiteFixture.write(text, to: "\(program.home)/\(name)")
            } else {
                try program.write(text, to: name)
            }
        }
    }

    /// A log to which a line is added.
    private static func log(
        _ format: String, _ name: String, _ text: String, then line: String, in room: String = "#example",
        path: String? = nil, read: String, _ messages: [String], last: String
    ) -> ImportSample {
        ImportSample(
            format: format, path: path ?? name, room: room, files: [(name, text, text + line)], read: read,
            messages: messages, last: last)
    }

    private static let irssi = log(
        "irssi", "irclogs/libera/#example.log",
        """
        --- Log opened Sat Nov 21 06:23:11 2026
        06:23 -!- 민수 [~ms@host] has joined #example
        06:23 <@alice> hi
        06:24  * 민수 waves
        --- Day changed Sun Nov 22 2026
        00:01 < 민수> 안녕

        """, then: "00:02 < alice> bye\n", read: "6 lines",
        [
            "21T06:23:00.000000Z join 민수", "21T06:23:00.000001Z message alice: hi",
            "21T06:24:00.000000Z action 민수: waves", "22T00:01:00.000000Z message 민수: 안녕",
        ], last: "22T00:02:00.000000Z message alice: bye")

    private static let weechat = log(
        "weechat", "irc.libera.#example.weechatlog",
        """
        2026-11-21 06:23:11\t-->\t민수 (~ms@host) has joined #example
        2026-11-21 06:23:12\t@alice\thi
        2026-11-21 06:23:12\t *\t민수 waves

        """, then: "2026-11-21 06:25:00\talice\tbye\n", read: "3 lines",
        [
            "21T06:23:11.000000Z join 민수", "21T06:23:12.000000Z message alice: hi",
            "21T06:23:12.000001Z action 민수: waves",
        ], last: "21T06:25:00.000000Z message alice: bye")

    private static let znc = log(
        "znc", "log/libera/#example/2026-11-21.log",
        """
        [06:23:11] *** Joins: 민수 (~ms@host)
        [06:23:12] <alice> hi
        [06:23:12] * 민수 waves

        """, then: "[06:25:00] <alice> bye\n", read: "3 lines",
        [
            "21T06:23:11.000000Z join 민수", "21T06:23:12.000000Z message alice: hi",
            "21T06:23:12.000001Z action 민수: waves",
        ], last: "21T06:25:00.000000Z message alice: bye")

    private static let energymech = log(
        "energymech", "#example_2026-11-21.log",
        "[06:23] <alice> hi\n[06:23] <alice> hi\n=== alice is now known as 민수\n", then: "[06:25] <민수> bye\n",
        read: "3 lines",
        [
            "21T06:23:00.000000Z message alice: hi", "21T06:23:00.000001Z message alice: hi",
            "21T06:23:00.000002Z rename alice: 민수",
        ], last: "21T06:25:00.000000Z message 민수: bye")

    private static let chat = """
        21/11/2026, 06:23 - Messages and calls are end-to-end encrypted.
        21/11/2026, 06:23 - alice: hi
        there
        21/11/2026, 06:24 - 민수: 안녕

        """

    private static let whatsapp = log(
        "whatsapp", "WhatsApp Chat with example.txt", chat, then: "21/11/2026, 06:25 - alice: bye\n", in: "example",
        read: "4 lines",
        [
            "21T06:23:00.000000Z system: Messages and calls are end-to-end encrypted.",
            "21T06:23:00.000001Z message alice: hi\nthere", "21T06:24:00.000000Z message 민수: 안녕",
        ], last: "21T06:25:00.000000Z message alice: bye")

    private static let whatsappArchive = log(
        "whatsapp", "_chat.txt", "[21.11.26, 06:23:11] alice: hi\r\n[21.11.26, 06:23:12] 민수: 안녕\r\n",
        then: "[21.11.26, 06:25:00] alice: bye\r\n", in: "example", path: "WhatsApp Chat - example.zip",
        read: "2 lines", ["21T06:23:11.000000Z message alice: hi", "21T06:23:12.000000Z message 민수: 안녕"],
        last: "21T06:25:00.000000Z message alice: bye")

    private static let kakaotalk = log(
        "kakaotalk", "KakaoTalk_20261122_2258_30_123_group.txt",
        """
        example 님과 카카오톡 대화
        저장한 날짜 : 2026-11-22 22:58:30

        --------------- 2026년 11월 21일 토요일 ---------------
        민수님이 들어왔습니다.
        [alice] [오전 6:23] hi
        there
        [민수] [오전 6:24] 안녕

        """, then: "[alice] [오전 6:25] bye\n", in: "example", read: "8 lines",
        [
            "21T00:00:00.000000Z join 민수", "21T06:23:00.000000Z message alice: hi\nthere",
            "21T06:24:00.000000Z message 민수: 안녕",
        ], last: "21T06:25:00.000000Z message alice: bye")

    /// The messages at the end of one part and the beginning of the next are equal.
    private static let kakaotalkParts = {
        let title = "example (2명)과 카카오톡 대화-1.txt\n저장한 날짜 : 2026. 11. 22. 오후 11:01\n\n"
        let second = "2026. 11. 21. 오전 6:23, alice : ㅋㅋ\n2026. 11. 21. 오전 6:24, 민수 : 안녕\n"
        return ImportSample(
            format: "kakaotalk", path: "talk.zip", room: "example",
            files: [
                ("example (2명)과 카카오톡 대화-2.txt", second, second + "2026. 11. 21. 오전 6:25, alice : bye\n"),
                (
                    "example (2명)과 카카오톡 대화-1.txt", title + "2026. 11. 21. 오전 6:23, alice : ㅋㅋ\n",
                    title + "2026. 11. 21. 오전 6:23, alice : ㅋㅋ\n"
                ),
            ],
            read: "6 lines",
            messages: [
                "21T06:23:00.000000Z message alice: ㅋㅋ", "21T06:23:00.000001Z message alice: ㅋㅋ",
                "21T06:24:00.000000Z message 민수: 안녕",
            ], last: "21T06:25:00.000000Z message alice: bye")
    }()

    private static let kakaotalkRows = log(
        "kakaotalk", "KakaoTalk_Chat_example_2026-11-22-12-40-45.csv",
        "Date,User,Message\n2026-11-21 06:23:11,\"alice\",\"hi\nthere\"\n2026-11-21 06:23:12,\"민수\",\"안녕\"\n",
        then: "2026-11-21 06:25:00,\"alice\",\"bye\"\n", in: "example", read: "4 lines",
        ["21T06:23:11.000000Z message alice: hi\nthere", "21T06:23:12.000000Z message 민수: 안녕"],
        last: "21T06:25:00.000000Z message alice: bye")

    private static let line = log(
        "line", "[LINE] example.txt",
        """
        [LINE] exampleとのトーク履歴
        保存日時：2026/11/22 11:59

        2026/11/21(土)
        06:23\talice\t"hi
        there"
        06:24\t\t太郎が退出しました。

        """, then: "06:25\talice\tbye\n", in: "example", read: "7 lines",
        ["21T06:23:00.000000Z message alice: hi\nthere", "21T06:24:00.000000Z leave 太郎"],
        last: "21T06:25:00.000000Z message alice: bye")

    private static let discord = {
        func message(_ id: Int, _ second: Int, _ author: (id: Int, name: String), _ text: String) -> String {
            """
            {"id": "\(id)", "type": "Default", "timestamp": "2026-11-21T06:23:\(second)+00:00", "content": "\(text)",
             "author": {"id": "\(author.id)", "name": "\(author.name)"}, "attachments": [], "embeds": [], "reactions": []}
            """
        }
        func export(_ messages: [String]) -> String {
            """
            {"guild": {"id": "1", "name": "Example"}, "channel": {"id": "20", "type": "GuildTextChat", "name": "example"},
             "messages": [\(messages.joined(separator: ",\n"))]}
            """
        }
        let messages = [message(100, 11, (7, "alice"), "hi"), message(101, 12, (8, "민수"), "안녕")]
        return ImportSample(
            format: "discord", path: "example.json", room: "example",
            files: [("example.json", export(messages), export(messages + [message(102, 59, (7, "alice"), "bye")]))],
            read: "2 messages",
            messages: ["21T06:23:11.000000Z message alice: hi", "21T06:23:12.000000Z message 민수: 안녕"],
            last: "21T06:23:59.000000Z message alice: bye")
    }()

    private static let telegram = {
        func message(_ id: Int, _ user: String, _ text: String) -> String {
            """
            {"id": \(id), "type": "message", "date": "2026-11-21T06:23:\(id)", "date_unixtime": "17952421\(id + 80)",
             "from": "\(user)", "from_id": "user\(user.utf8.count)", "text": "\(text)"}
            """
        }
        func export(_ messages: [String]) -> String {
            """
            {"name": "example", "type": "private_supergroup", "id": 20, "messages": [
            \(messages.joined(separator: ",\n"))]}
            """
        }
        let messages = [message(11, "alice", "hi"), message(12, "민수", "안녕")]
        return ImportSample(
            format: "telegram", path: "result.json", room: "example",
            files: [("result.json", export(messages), export(messages + [message(19, "alice", "bye")]))],
            read: "2 messages",
            messages: ["21T06:23:11.000000Z message alice: hi", "21T06:23:12.000000Z message 민수: 안녕"],
            last: "21T06:23:19.000000Z message alice: bye")
    }()

    private static func slack(_ path: String, in folder: String) -> ImportSample {
        func message(_ second: Int, _ user: String, _ text: String) -> String {
            #"{"type": "message", "user": "\#(user)", "ts": "17952421\#(second + 80).000200", "text": "\#(text)"}"#
        }
        let users = """
            [{"id": "U1", "name": "alice"}, {"id": "U2", "name": "minsu", "profile": {"display_name": "민수"}}]
            """
        let channels = #"[{"id": "C1", "name": "example", "members": ["U1", "U2"]}]"#
        let messages = [message(11, "U1", "hi"), message(12, "U2", "안녕 <@U1>")]
        return ImportSample(
            format: "slack", path: path, room: "example",
            files: [
                (folder + "users.json", users, users), (folder + "channels.json", channels, channels),
                (
                    folder + "example/2026-11-21.json", "[\(messages.joined(separator: ","))]",
                    "[\((messages + [message(19, "U1", "bye")]).joined(separator: ","))]"
                ),
            ],
            read: "2 messages",
            messages: ["21T06:23:11.000200Z message alice: hi", "21T06:23:12.000200Z message 민수: 안녕 @alice"],
            last: "21T06:23:19.000200Z message alice: bye")
    }

    private static let slack = slack("Example Slack export", in: "Example Slack export/")
    private static let slackArchive = slack("Example Slack export.zip", in: "")

    private static let jsonl = {
        func line(_ second: Int, _ name: String, _ text: String) -> String {
            """
            {"id": "2026-11-21T06:23:\(second).000001Z", "room": "#example", "kind": "message", \
            "sender": {"id": 1, "name": "\(name)"}, "body": "\(text)"}\n
            """
        }
        return log(
            "jsonl", "export.jsonl", line(11, "alice", "hi") + line(12, "민수", "안녕"), then: line(19, "alice", "bye"),
            read: "2 lines",
            ["21T06:23:11.000001Z message alice: hi", "21T06:23:12.000001Z message 민수: 안녕"],
            last: "21T06:23:19.000001Z message alice: bye")
    }()
}
