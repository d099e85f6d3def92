import ChatModel
import Foundation
import LogFormats
import TestSupport

@testable import Importing

/// A log or export with times in no order, many of them next to the end of a minute, and many messages that are alike.
struct RandomSource {
    let format: any LogFormats.LogFormat.Type
    let name: String
    /// Lines of a log, messages of an export; each is one message where nothing is bad.
    private(set) var parts: [String]
    private let beginning: String
    private let separator: String
    private let end: String

    static let now = Timestamp(microseconds: 1_795_824_000_000_000)
    /// 2026-11-21T10:00:00Z
    private static let start: Int64 = 1_795_255_200_000_000
    static let kinds =
        [
            "energymech", "znc", "znc-dated", "irssi", "irssi-dated", "weechat", "weechat-us", "whatsapp",
            "whatsapp-seconds", "kakaotalk", "kakaotalk-windows", "kakaotalk-rows", "line", "jsonl", "jsonl-second",
            "jsonl-minute", "discord", "telegram", "slack", "mirc", "hexchat", "csv", "thelounge", "quassel", "soju",
            "slackdump", "messenger", "telegram-html", "signal", "element", "gajim", "dino", "profanity-db", "imessage",
            "psi",
        ] + RandomExport.all.keys.sorted()

    init(_ kind: String, count: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let times = (0..<count).map { _ in Self.time(&generator) }
        let words = ["hi", "ha", "hi there"]
        parts = times.enumerated().map { index, time in
            let sender = ["alice", "bob"].randomElement(using: &generator) ?? ""
            return Self.part(kind, time, sender, words.randomElement(using: &generator) ?? "", index)
        }
        let formatName = kind.split(separator: "-").first.map(String.init) ?? ""
        format =
            KnownLogFormats.all.first { $0.name == kind } ?? KnownLogFormats.all.first { $0.name == formatName }
            ?? EnergymechFormat.self
        let export = RandomExport.all[kind]
        separator =
            export?.separator
            ?? (["discord", "telegram", "slack", "messenger", "element"].contains(kind) ? ",\n" : "\n")
        (name, beginning, end) =
            switch kind {
            case _ where export != nil: export.map { ($0.name, $0.beginning, $0.end) } ?? ("", "", "")
            case "discord":
                (
                    "x.json",
                    #"{"guild": {"id": "1"}, "channel": {"id": "20", "type": "GuildTextChat", "name": "example"}, "messages": ["#,
                    "]}"
                )
            case "telegram":
                ("result.json", #"{"name": "Example", "type": "private_supergroup", "id": 20, "messages": ["#, "]}")
            case "slack": ("example/2026-11-21.json", "[", "]")
            case "messenger":
                (
                    "inbox/example_1234567890123456/message_1.json",
                    #"{"participants": [{"name": "alice"}, {"name": "bob"}, {"name": "carol"}], "title": "Example", "messages": ["#,
                    "]}"
                )
            case "telegram-html":
                (
                    "messages.html",
                    """
                    <!DOCTYPE html>
                    <html>
                    <head>
                    <title>Exported Data</title>
                    </head>
                    <body>
                    <div class="page_wrap">
                    <div class="page_header"><div class="content"><div class="text bold">
                    Example
                    </div></div></div>
                    <div class="page_body chat_page">
                    <div class="history">

                    """, "</div></div></div></body></html>\n"
                )
            case "signal":
                (
                    "signal-export/main.jsonl",
                    """
                    {"version": "1", "backupTimeMs": "1795242000000"}
                    {"recipient": {"id": "1", "contact": {"e164": "15550001111", "profileGivenName": "alice"}}}
                    {"recipient": {"id": "2", "contact": {"e164": "15550002222", "profileGivenName": "bob"}}}
                    {"recipient": {"id": "3", "group": {"masterKey": "AAAA", "snapshot": {"title": {"title": "Example"}}}}}
                    {"chat": {"id": "11", "recipientId": "3"}}

                    """, "\n"
                )
            case "element": ("export.json", #"{"room_name": "Example", "exported_by": "alice", "messages": ["#, "]}")
            case "hexchat": ("#example.log", "**** BEGIN LOGGING AT Sat Nov 21 00:00:00 2026\n", "\n")
            case "csv": ("#example.csv", "Date,User,Message\n", "\n")
            case "thelounge", "quassel", "soju":
                ("x.sqlite", #"{"database":"\#(kind)","networks":[{"key":"1","name":"libera"}]}"# + "\n", "\n")
            case "gajim", "dino", "profanity-db", "imessage":
                ("x.sqlite", #"{"database":"\#(kind)","networks":[{"key":"1","name":"me@example.net"}]}"# + "\n", "\n")
            case "psi": ("alice_at_example.net.history", "", "\n")
            case "slackdump": ("x.sqlite", #"{"database":"slackdump","networks":[]}"# + "\n", "\n")
            case "irssi": ("#example.log", "--- Log opened Sat Nov 21 00:00:00 2026\n", "\n")
            case "kakaotalk": ("KakaoTalk_Chat_#example_2026-11-22-12-40-45.txt", "", "\n")
            case "kakaotalk-windows":
                ("chat.txt", "#example 님과 카카오톡 대화\n--------------- 2026년 11월 21일 토요일 ---------------\n", "\n")
            case "kakaotalk-rows": ("KakaoTalk_Chat_#example_2026-11-22-12-40-45.csv", "Date,User,Message\n", "\n")
            case "line": ("[LINE]#example.txt", "[LINE] #exampleとのトーク履歴\n", "\n")
            case "whatsapp", "whatsapp-seconds": ("WhatsApp Chat with #example.txt", "", "\n")
            default: ("#example_2026-11-21.log", "", "\n")
            }
    }

    static func time(_ generator: inout SeededGenerator) -> Timestamp {
        let minute = Int64([0, 0, 0, 1, 1, 2, 60, -7].randomElement(using: &generator) ?? 0)
        let offset: Int64 =
            [0, 0, 1, 2, 200_000, 999_999, 1_000_000, 29_000_000, 59_000_000, 59_800_000, 59_999_998, 59_999_999]
            .randomElement(using: &generator) ?? 0
        return Timestamp(microseconds: start + minute * 60_000_000 + offset)
    }

    /// Lines that are not understood or can't be true, and say nothing of those after them.
    static func badLines(_ kind: String) -> [String] {
        if let export = RandomExport.all[kind] { return export.bad }
        return switch kind {
        case "mirc":
            [
                "[2036-11-21 06:23:11] <mallory> x", "[1985-01-01 06:23:11] <mallory> x", "words",
                "[2026-02-31 06:23:11] <m> x",
            ]
        case "hexchat":
            ["words", "Nov 21 06:23:11 ", "[2036-11-21 06:23:11] <mallory>\tx", "2026-02-31 06:23:11 <m>\tx"]
        case "csv":
            [
                "2036-11-21 06:23:11,mallory,x", "1985-01-01 06:23,mallory,x", "words", "2026-02-31 06:23:11,m,x",
                "a,b,c,d",
            ]
        case "thelounge", "quassel", "soju":
            [row(kind, 2_110_861_391_000, "mallory", "x"), row(kind, 0, "mallory", "x"), "words", "{}"]
        case "gajim", "dino", "profanity-db", "imessage":
            [
                row(kind, Timestamp(microseconds: 2_110_861_391_000_000), "mallory", "x", id: "x"), "words", "{}",
                row(kind, Timestamp(microseconds: 473_385_600_000_000), "mallory", "x", id: "y"),
            ]
        case "psi":
            [
                "|2036-11-21T06:23:11|1|from|N---|x", "|1985-01-01T06:23:11|1|from|N---|x", "words",
                "|2026-02-31T06:23:11|1|from|N---|x",
            ]
        case "slackdump":
            [
                #"{"table":"MESSAGE","channel":"C1","data":{"type": "message", "user": "m", "ts": "2110861391.000000"}}"#,
                #"{"table":"MESSAGE","channel":"C1","data":{}}"#, "words",
            ]
        case "energymech", "znc", "znc-dated":
            [
                "[2036-11-21 06:23:11] <mallory> x", "[1985-01-01 06:23:11] <mallory> x", "words",
                "[2026-02-31 06:23:11] <m> x",
            ]
        case "irssi", "irssi-dated":
            [
                "2036-11-21 06:23:11 < mallory> x", "1985-01-01 06:23:11 < mallory> x", "words",
                "2026-02-31 06:23:11 < m> x",
            ]
        case "weechat", "weechat-us":
            ["2036-11-21 06:23:11\tmallory\tx", "1985-01-01 06:23:11\tmallory\tx", "2026-02-31 06:23:11\tmallory\tx"]
        case "whatsapp", "whatsapp-seconds":
            ["21/11/2036, 06:23 - mallory: x", "[21/11/1985, 06:23:11] mallory: x", "31/02/2026, 06:23 - mallory: x"]
        case "kakaotalk":
            [
                "2036년 11월 21일 오전 6:23, mallory : x", "1985. 11. 21. 오전 6:23, mallory : x",
                "Feb 31, 2026 at 6:23, mallory : x",
            ]
        // Every other line continues the message before it.
        case "kakaotalk-windows": []
        case "kakaotalk-rows":
            [
                "2036-11-21 06:23:11,\"mallory\",\"x\"", "1985-11-21 06:23:11,mallory,x",
                "2026-02-31 06:23:11,\"m\",\"x\"", "words", "2026-11-21 06:23:11,\"mallory\",\"x",
            ]
        case "line":
            ["2036/11/21(金) 06:23\tmallory\tx", "1985/11/21(木) 06:23\tmallory\tx", "2026/02/31(土) 06:23\tm\tx"]
        case "discord":
            [
                #"{"id": "9", "type": "Default", "timestamp": "2036-11-21T06:23:11+00:00", "content": "x", "author": {"id": "m", "name": "m"}}"#,
                #"{"id": 1}"#,
            ]
        case "telegram":
            [
                #"{"id": 9999, "type": "message", "date_unixtime": "2110861391", "date": "2036-11-21T06:23:11", "from": "m", "from_id": "user9", "text": "x"}"#,
                #"{"type": "message"}"#,
            ]
        case "messenger":
            [#"{"sender_name": "mallory", "timestamp_ms": 2110861391000, "content": "x"}"#, #"{"sender_name": "m"}"#]
        case "signal":
            [
                #"{"chatItem": {"chatId": "11", "authorId": "1", "dateSent": "2110861391000", "incoming": {}, "standardMessage": {"text": {"body": "x"}}}}"#,
                #"{"chatItem": {"chatId": "11"}}"#, "words",
            ]
        case "element":
            [
                #"{"type": "m.room.message", "event_id": "$x", "sender": "@m:e", "origin_server_ts": 2110861391000, "content": {"msgtype": "m.text", "body": "x"}}"#,
                #"{"type": "m.room.message"}"#,
            ]
        case "telegram-html": [page("21.11.2036 06:23:11", id: "9999", "mallory", "x")]
        case "slack":
            [#"{"type": "message", "user": "m", "ts": "2110861391.000000", "text": "x"}"#, #"{"type": "message"}"#]
        default:
            [
                #"{"id": "2036-11-21T06:23:11.000000Z", "kind": "message", "room": "r", "body": "x"}"#, "{", "words",
                #"{"id": "0001-01-01T00:00:00.000000Z", "kind": "message", "room": "r", "body": "x"}"#,
            ]
        }
    }

    mutating func insert(_ bad: [String], seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for line in bad { parts.insert(line, at: Int.random(in: 0...parts.count, using: &generator)) }
    }

    var bytes: [UInt8] { Array((beginning + parts.joined(separator: separator) + end).utf8) }

    /// As `import` reads it.
    func lines(now: Timestamp = now) throws -> [ImportedLine] {
        try lines(of: bytes, inPartsOf: bytes.count, now: now)
    }

    /// As `import` reads these bytes in place of the source's own.
    func lines(of bytes: [UInt8], inPartsOf size: Int, now: Timestamp = now) throws -> [ImportedLine] {
        let file = ImportFile(container: "", name: name, size: 0)
        var options = ImportOptions(format: format, room: nil, zone: .gmt, folding: .rfc1459)
        if format == CSVFormat.self {
            options.choices.columns = try ColumnMapping("time=Date,sender=User,text=Message")
        }
        var reader = SourceReader(ImportSource(file, as: format), options: options, now: now)
        var lines: [SourceReader.Line] = []
        reader.begin(file)
        for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
            lines += try reader.readChunk(bytes[start..<min(start + size, bytes.count)])
        }
        lines += try reader.endFile()
        return (lines + reader.finish()).map(\.content)
    }
}
