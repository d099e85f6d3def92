import ChatModel
import Foundation
import Testing

@testable import LogFormats

struct EnergymechTests {
    private static let lines: [(String, MessageKind, String?, String?)] = [
        ("[03:41] <alice> hi  there ", .message, "alice", "hi  there "),
        ("[03:41] <alice>", .message, "alice", ""), ("[03:41] <alice> ", .message, "alice", ""),
        ("[03:41] <a> <b> c", .message, "a", "<b> c"), ("[03:41] <bob[1] > hey", .message, "bob[1]", "hey"),
        ("[03:41] <민수> 안녕", .message, "민수", "안녕"), ("[03:41] <@alice> hi", .message, "alice", "hi"),
        ("[03:41:07] <alice> hi", .message, "alice", "hi"),
        ("[03:41]  * alice waves", .action, "alice", "waves"), ("[03:41] * alice", .action, "alice", ""),
        ("* alice waves", .action, "alice", "waves"), ("=== alice waves at bob", .action, "alice", "waves at bob"),
        ("[03:41] -alice:#example- psst", .notice, "alice", "psst"), ("[03:41] -alice- psst", .notice, "alice", "psst"),
        ("=== alice [~a@host]  has joined #example", .join, "alice", nil),
        ("=== [A] lice [~a@host]  has joined #example", .join, "[A]lice", nil),
        ("[03:41] *** Joins: alice (~a@host)", .join, "alice", nil),
        ("=== alice [~a@host] has left #example []", .leave, "alice", nil),
        ("=== alice [~a@host]  has left #example [\"bye]", .leave, "alice", "bye"),
        ("=== alice [~a@host] has quit [\"all, bye\"]", .leave, "alice", "all, bye"),
        ("[03:41] *** Parts: alice (~a@host) (bye)", .leave, "alice", "bye"),
        ("[03:41] *** Quits: alice (~a@host) ()", .leave, "alice", nil),
        ("=== alice is now known as bob", .rename, "alice", "bob"),
        ("=== mode/#example [+o alice]  by bob", .mode, "bob", "+o alice"),
        ("[03:41] *** bob sets mode: +o alice", .mode, "bob", "+o alice"),
        ("=== ..[topic/#example:alice] : all about it", .topic, "alice", "all about it"),
        ("[03:41] *** alice changes topic to 'all about it'", .topic, "alice", "all about it"),
        ("=== alice was kicked off #example by bob (loud)", .kick, "bob", "alice: loud"),
        ("[03:41] *** alice was kicked by bob", .kick, "bob", "alice"),
        ("[03:41] (alice/#example) bob: hi", .message, "alice", "bob: hi"),
        ("[03:41] Connected to IRC", .system, nil, "Connected to IRC"), ("[03:41] <@> hi", .message, "@", "hi"),
        ("=== Topic for #example: words", .system, nil, "Topic for #example: words"),
        ("=== Topic (#example): set by alice at noon", .system, nil, "Topic (#example): set by alice at noon"),
        ("=== netjoined: a.example.net -> b.example.net", .system, nil, "netjoined: a.example.net -> b.example.net"),
        ("=== alice says that bob has joined #example", .action, "alice", "says that bob has joined #example"),
    ]

    @Test(arguments: lines)
    func `each line has its kind, sender and text`(line: String, kind: MessageKind, sender: String?, body: String?)
        throws
    {
        let messages = try read(line)
        let message = try #require(messages.first)
        #expect(messages.count == 1)
        #expect((message.kind, message.sender, message.body) == (kind, sender, body))
        #expect((message.room, message.flags) == ("#example", []))
    }

    @Test(arguments: [
        "03:41 <alice> hi", "[25:00] <alice> hi", "[03:60] <alice> hi", "[03:41]", "[03:41] ***", "[03:41] <> hi",
        "[03:41] <alice hi", "<alice> hi [03:41", "=== ", "[a:b] <alice> hi", "[03:41:99] <alice> hi",
        "\u{1B}]0;x\u{07}",
        "[३३:४१] <alice> hi", "* ", "[-3:41] <a> b", "[03:41] <a b> c",
    ])
    func `an invalid line is reported, and the next is read`(line: String) throws {
        var format = try format()
        if case .message(let message) = format.parseLine(LogLine(number: 1, bytes: Array(line.utf8)[...])) {
            // A line without a time of its own is read for what it says.
            #expect(line == "=== " || line.hasPrefix("<alice>"), "\(message)")
        }
        guard case .message = format.parseLine(LogLine(number: 2, bytes: Array("[03:41] <alice> hi".utf8)[...])) else {
            Issue.record("the next line is lost")
            return
        }
    }

    @Test func `invalid bytes are replaced and flagged, and an empty line is ignored`() throws {
        var format = try format()
        let line = Array("[03:41] <alice> caf".utf8) + [0xE9, 0x00]
        guard case .message(let message) = format.parseLine(LogLine(number: 1, bytes: line[...])) else {
            Issue.record("not read")
            return
        }
        #expect((message.body, message.flags) == ("caf\u{FFFD}\u{FFFD}", .invalidUTF8))
        #expect(format.parseLine(LogLine(number: 2, bytes: [])) == .nothing)
        #expect(format.parseLine(LogLine(number: 3, bytes: Array("[03:41] <a> \u{FFFD}".utf8)[...])).flags == [])
    }

    @Test(arguments: [
        ("2004-11-15_03.raw.txt", "2004-11-15T03:41:00.000000Z"),
        ("#example_20041115.log", "2004-11-15T03:41:00.000000Z"),
        ("example.2004_11_15", "2004-11-15T03:41:00.000000Z"), ("a123456789-2004.11.15", "2004-11-15T03:41:00.000000Z"),
        ("20041315-20041115.log", "2004-11-15T03:41:00.000000Z"),
    ])
    func `the file's name has the day`(name: String, time: String) throws {
        #expect(try read("[03:41] <alice> hi", name: name).first?.time.description == time)
    }

    @Test(arguments: ["example.log", "2004-13-15.log", "2004-02-30.log", "20041115123000.log", ""])
    func `a log without a date is an error`(name: String) {
        #expect(throws: LogSourceError.noDate) { try format(name: name) }
    }

    @Test func `the room is given, else from the file's name, else from the lines`() throws {
        let join = "[03:41] <alice> hi\n=== bob [~b@host]  has joined #other\n"
        #expect(try read(join, name: "#file_2026-11-21.log", room: "#given").first?.room == "#given")
        #expect(try read(join, name: "#file_2026-11-21.log", room: nil).first?.room == "#file")
        #expect(try read(join, name: "2026-11-21.#file.log", room: nil).first?.room == "#file")
        #expect(try read(join, name: "2026-11-21.log", room: nil).first?.room == "#other")
        #expect(throws: LogSourceError.noRoom) { try read("[03:41] <alice> hi", name: "2026-11-21.log", room: nil) }
    }

    @Test func `a line without a time has the time of the line before it, or of the first`() throws {
        let times = try read(
            "=== alice waves\n[03:41] <alice> hi\n=== alice waves\n[03:43] <alice> hi\n=== alice waves",
            name: "2026-11-21"
        ).map(\.time.description)
        #expect(times.map { $0.dropFirst(11).prefix(5) } == ["03:41", "03:41", "03:41", "03:43", "03:43"])
    }

    private func format(name: String = "2026-11-21.log", room: String? = "#example") throws -> EnergymechFormat {
        try EnergymechFormat(LogSource(path: name, beginning: [], room: room, zone: .gmt))
    }

    private func read(_ text: String, name: String = "2026-11-21.log", room: String? = "#example") throws
        -> [ImportedMessage]
    {
        var format = try EnergymechFormat(
            LogSource(path: name, beginning: Array(text.utf8), room: room, zone: .gmt))
        return text.split(separator: "\n").enumerated().compactMap { index, line in
            let parsed = format.parseLine(LogLine(number: index + 1, bytes: Array(line.utf8)[...]))
            guard case .message(let message) = parsed else { return nil }
            return message
        }
    }
}

extension ParsedLine {
    var flags: MessageFlags? {
        guard case .message(let message) = self else { return nil }
        return message.flags
    }
}
