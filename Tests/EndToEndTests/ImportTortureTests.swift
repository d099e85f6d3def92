import Foundation
import TestSupport
import Testing

/// Imports of hostile files of every format: whatever comes takes bounded memory, ends, and is reported.
@Suite(.timeLimit(.minutes(Torture.minutes(3, whole: 120))))
struct ImportTortureTests {
    /// 128 MiB resident, in KiB.
    private static let bound = 128 * 1024

    /// A file that repeats something: 1 GiB of it, or as much as is longer than any part of a source may be.
    private struct Source {
        let file: String
        let head: String
        let fill: String
        let tail: String

        func write(to folder: String) throws {
            let path = URL(filePath: folder + "/" + file)
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(head.utf8).write(to: path)
            let handle = try FileHandle(forWritingTo: path)
            try handle.seekToEnd()
            let part = Data(String(repeating: fill, count: max(1, (1 << 20) / fill.utf8.count)).utf8)
            for _ in 0..<(Torture.isWhole ? 1024 : 5) { try handle.write(contentsOf: part) }
            try handle.write(contentsOf: Data(tail.utf8))
            try handle.close()
        }
    }

    /// By format: the file's name, and what is before and behind a message's text.
    private static let texts: [(file: String, head: String, tail: String)] = [
        ("#example_2026-11-21.log", "[03:41] <alice> ", "\n"),
        ("irclogs/net/#example.log", "--- Log opened Sat Nov 21 06:23:11 2026\n06:23 < alice> ", "\n"),
        ("irc.net.#example.weechatlog", "2026-11-21 06:23:11\talice\t", "\n"),
        ("net/#example/2026-11-21.log", "[03:41:11] <alice> ", "\n"),
        ("WhatsApp Chat with alice.txt", "21/11/2026, 06:23 - alice: ", "\n"),
        (
            "x.jsonl",
            #"{"id": "2026-11-21T06:23:11.000000Z", "room": "r", "kind": "message", "sender": {"name": "a"}, "body": ""#,
            "\"}\n"
        ),
        (
            "x.json",
            #"{"guild": {"id": 1}, "channel": {"id": 2, "name": "example"}, "messages": [{"id": "1", "type": "Default", "#
                + #""timestamp": "2026-11-21T06:23:11Z", "author": {"id": 7, "name": "alice"}, "content": ""#, "\"}]}"
        ),
        (
            "result.json",
            #"{"name": "example", "type": "private_group", "id": 2, "messages": [{"id": 1, "type": "message", "#
                + #""date_unixtime": "1763700000", "from": "alice", "from_id": "user7", "text": ""#, "\"}]}"
        ),
        ("example/2026-11-21.json", #"[{"type": "message", "ts": "1763700000.000100", "user": "U", "text": ""#, "\"}]"),
        ("KakaoTalk_Chat_x_2026-11-22-12-40-45.txt", "2026. 11. 21. 오후 1:01, 민수 : ", "\n"),
        ("KakaoTalk_Chat_x_2026-11-22-12-40-45.csv", "Date,User,Message\n2026-11-21 06:23:11,\"a\",\"", "\n"),
        ("[LINE]x.txt", "2026/11/21(土)\n06:23\talice\t\"", "\n"),
    ]

    /// A line without an end, a letter with so many marks, zero bytes, and columns.
    private static let fills = ["x", "\u{301}", "\0", "x,;\t|"]
    /// Values beside a text: a list, an object and what is nested, which have no end.
    private static let values = [("[", "1,"), ("{", #""a":1,"#), ("", "["), ("", #"{"a":"#), ("", "[{")]

    private static let sources: [Source] =
        texts.flatMap { text in
            fills.map { Source(file: text.file, head: text.head, fill: $0, tail: text.tail) }
        }
        + texts.filter { $0.tail.hasPrefix("\"") }.flatMap { text in
            values.map { Source(file: text.file, head: text.head + #"x", "y": "# + $0.0, fill: $0.1, tail: "") }
        }

    @Test(arguments: Torture.spread(1...sources.count, count: 8))
    func `an endless part of a source is refused within bounded memory`(number: Int) async throws {
        let source = Self.sources[number - 1]
        try await expectBounded(source.file) { try source.write(to: $0) }
    }

    private static func line(_ index: Int, room: String, sender: String, _ more: String = "") -> String {
        #"{"id": "\#(time(index, of: 20))", "room": "\#(room)", "kind": "message", "sender": {"name": "\#(sender)"}, "#
            + #""body": "x"\#(more)}"# + "\n"
    }

    private static func time(_ second: Int, of day: Int) -> String {
        String(format: "2026-11-%02dT%02d:%02d:%02d.000000Z", day, second / 3600 % 24, second / 60 % 60, second % 60)
    }

    private static let long = String(repeating: "n", count: 20_000)

    /// By name; each has so many parts.
    private static let crowds: [(file: String, head: String, part: @Sendable (Int) -> String, tail: String)] = [
        ("users.jsonl", "", { line($0, room: "r", sender: "\($0)\(long)") }, ""),
        ("rooms.jsonl", "", { line($0, room: "\($0)\(long)", sender: "a") }, ""),
        (
            "edits.jsonl", "",
            { line(0, room: "r", sender: "a", #", "remote_id": "m", "edited_at": "\#(time($0, of: 21))""#) }, ""
        ),
        (
            "replies.jsonl", "",
            { line($0, room: "r", sender: "a", #", "remote_id": "\#($0)", "reply_to_remote_id": "\#($0 + 1)""#) }, ""
        ),
        ("elements.json", texts[6].head + "x\"}", { _ in ",1" }, "]}"),
    ]

    @Test(arguments: crowds.map(\.file), [false, true])
    func `many users, rooms, edits or replies need bounded memory`(name: String, isRehearsal: Bool) async throws {
        let crowd = try #require(Self.crowds.first { $0.file == name })
        try await expectBounded(name, isRehearsal ? ["--dry-run"] : []) { folder in
            var bytes = Data(crowd.head.utf8)
            for index in 0..<(Torture.isWhole ? 20_000 : 2_000) { bytes += Data(crowd.part(index).utf8) }
            try (bytes + Data(crowd.tail.utf8)).write(to: URL(filePath: folder + "/" + name))
        }
    }

    private func expectBounded(
        _ file: String, _ options: [String] = [], write: (String) throws -> Void
    ) async throws {
        let scrollback = try Program()
        try write(scrollback.home)
        let run = try scrollback.start(arguments: ["import", file, "-a", "old"] + options)
        let peak = try await run.peakMemory(within: .seconds(Torture.isWhole ? 1000 : 300))
        let result = try await run.result()
        #expect([0, 1].contains(result.status), "\(result.errors)")
        #expect(
            result.errors.contains("\nread ") || result.errors.contains("unrecognised format")
                || result.errors.contains("known format"),
            "\(result.errors)")
        #expect(peak > 0 && peak <= Self.bound, "\(peak) KiB")
    }
}
