import Foundation
import TestSupport
import Testing

/// `scrollback import` of logs in other encodings than UTF-8.
@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ImportEncodingEndToEndTests {
    private static let texts = ["오늘 저녁에 뭐 먹을까?", "아까 보낸 파일 봤어? 나중에 봐도 돼", "네 알겠습니다. 우산을 가져갈게요"]
    private static let name = "#example_2026-11-20.log"
    private static let bad = Array("[03:42] <bob> ".utf8) + [0xFF, 0xFF, 0x81, 0xFF]

    private func write(_ bytes: [UInt8], _ scrollback: Program, to name: String = Self.name) throws {
        try Data(bytes).write(to: URL(filePath: scrollback.home + "/" + name))
    }

    private func log(in encoding: String) throws -> [UInt8] {
        try Self.texts.map { "[03:41] <alice> \($0)\n" }.joined().encoded(as: encoding)
    }

    @Test func `a CP949 log is readable, keeps undecodable bytes, and adds nothing again`()
        async throws
    {
        let scrollback = try Program()
        try write(try log(in: "CP949") + Self.bad + [0x0A], scrollback)
        let arguments = ["import", Self.name, "-a", "old"]
        let first = try await scrollback.start(arguments: arguments).result()
        #expect(first.status == 0)
        #expect(first.errors.contains("read 4 lines: 4 new messages, 0 already stored, 0 invalid, 1 undecodable\n"))
        #expect(first.errors.contains("  1 file decoded from CP949: \(Self.name)\n"))
        #expect(first.errors.contains("warning: can't decode 1 message in 1 file: \(Self.name) (1)\n"))
        let messages = try await scrollback.messages(in: "old/#example")
        #expect(messages.dropLast().map(\.body) == Self.texts)
        let id = try #require(messages.last?.id)
        let shown = try await scrollback("show", id, "--format", "json").output
        #expect(shown.contains("\"base64\": \"\(Data(Self.bad).base64EncodedString())\""), "\(shown)")
        let again = try await scrollback.start(arguments: arguments + ["--format", "jsonl"]).result()
        #expect(again.errors.contains("read 4 lines: 0 new messages, 4 already stored, 0 invalid, 1 undecodable\n"))
        #expect(again.output.contains("\"encoding\": \"cp949\", \"encoding_doubt\": null}"))
        #expect(try await scrollback("archive", "check").status == 0)
    }

    @Test func `the encoding can be named, and a wrong name is an error that lists all`() async throws {
        let scrollback = try Program()
        try write(try "[03:41] <alice> żółć\n".encoded(as: "CP1250"), scrollback)
        let line = "2026-11-20 03:42:00\talice\tŁódź\n"
        try write(try line.encoded(as: "CP1250"), scrollback, to: "weechat")
        let piped = try await scrollback.start(
            arguments: ["import", "weechat", "-", "-a", "old", "--room", "#example", "--encoding", "CP1250"],
            shell: #"cat weechat | "$@""#
        ).result()
        #expect(piped.status == 0 && piped.errors.contains("decoded from Windows-1250: stdin\n"), "\(piped.errors)")
        let file = try await scrollback("import", Self.name, "-a", "old", "--encoding", "CP1250")
        #expect(file.status == 0 && file.errors.contains("decoded from Windows-1250"), "\(file.errors)")
        #expect(try await scrollback.messages(in: "old/#example").map(\.body) == ["żółć", "Łódź"])
        let wrong = try await scrollback("import", Self.name, "-a", "old", "--encoding", "klingon")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("unknown encoding \"klingon\"; use one of: utf-8, utf-16, "))
        let json = try await scrollback("import", "jsonl", Self.name, "-a", "old", "--encoding", "cp949")
        #expect(json.status == 64 && json.errors.contains("--encoding can't be used with jsonl"))
    }

    @Test func `UTF-16 logs of both byte orders are the same`() async throws {
        let scrollback = try Program()
        let text = "\u{FEFF}" + Self.texts.map { "[03:41] <alice> \($0) 👋🏽\r\n" }.joined()
        for name in ["UTF-16LE", "UTF-16BE"] {
            try write(try text.encoded(as: name), scrollback)
            let result = try await scrollback("import", Self.name, "-a", "old")
            #expect(result.status == 0 && result.errors.contains("decoded from UTF-16"), "\(result.errors)")
        }
        #expect(try await scrollback.messages(in: "old/#example").map(\.body) == Self.texts.map { $0 + " 👋🏽" })
    }
}
