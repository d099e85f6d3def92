import ChatModel
import Foundation
import LogFormats
import Rendering
import TestSupport
import Testing

@testable import Importing
@testable import Settings

struct ImportReadingTests {
    private func options(_ format: any LogFormats.LogFormat.Type) -> ImportOptions {
        ImportOptions(format: format, room: "#example", zone: .gmt, folding: .rfc1459)
    }

    private func reader(_ name: String) -> SourceReader {
        let file = ImportFile(container: "", name: name, size: 0)
        let source = ImportSource(file, as: EnergymechFormat.self)
        var reader = SourceReader(source, options: options(EnergymechFormat.self), now: sampleTime)
        reader.begin(file)
        return reader
    }

    private func message(_ body: String, at second: Int64, by sender: String = "alice") -> ImportedMessage {
        ImportedMessage(
            room: "#example", kind: .message, sender: sender, body: body,
            time: sampleTime.advanced(byMicroseconds: second * 1_000_000), resolution: .second)
    }

    @Test func `equal messages are numbered in their second and minute`() {
        var counter = OccurrenceCounter(folding: .rfc1459)
        func numbers(_ message: ImportedMessage) -> [Int] {
            var message = message
            counter.count(&message)
            return [message.occurrence.inSecond, message.occurrence.inMinute]
        }
        #expect(numbers(message("hi", at: 0)) == [1, 1])
        #expect(numbers(message("hi", at: 0, by: "Alice")) == [2, 2])
        #expect(numbers(message("hi", at: 1)) == [1, 3])
        #expect(numbers(message("ha", at: 1)) == [1, 1])
        #expect(numbers(message("hi", at: 0, by: "bob")) == [1, 1])
        #expect(numbers(message("e\u{301}", at: 0)) == [1, 1])
        #expect(numbers(message("\u{E9}", at: 0)) == [1, 1])
        #expect(numbers(message("hi", at: 60)) == [1, 1])
        #expect(numbers(message("hi", at: 0)) == [3, 4])
    }

    @Test func `a room that the user gave is named as unused if the export has rooms of its own`() throws {
        let file = ImportFile(container: "", name: "chat_history.json", size: 0)
        let text = #"{"bob": [{"From": "alice", "Media Type": "TEXT", "Created": "2026-11-21 06:23:11 UTC"}]}"#
        for (room, sentences) in [("#example" as String?, 1), (nil, 0)] {
            let options = ImportOptions(format: SnapchatFormat.self, room: room, zone: .gmt, folding: .rfc1459)
            var reader = SourceReader(ImportSource(file, as: SnapchatFormat.self), options: options, now: sampleTime)
            reader.begin(file)
            _ = try reader.readChunk(Array(text.utf8)[...]) + reader.endFile() + reader.finish()
            #expect(reader.assumptions.count { $0.contains("several rooms, which keep") } == sentences)
        }
    }

    @Test func `an import is the same in any chunks, and a hostile one is limited`() throws {
        let long = String(repeating: "x", count: 100_000)
        let text = """
            [03:41] <alice> hi
            [03:41] <alice> hi
            \(long)
            [03:41] <alice> \(long)
            [03:42] <alice> \u{1B}[1m\u{202E}

            [03:43] <alice> end
            """
        func lines(by size: Int) throws -> [SourceReader.Line] {
            var reader = reader("2026-11-21.log")
            let bytes = Array(text.utf8)
            var lines: [SourceReader.Line] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                lines += try reader.readChunk(bytes[start..<min(start + size, bytes.count)])
            }
            lines += try reader.endFile() + reader.finish()
            #expect(reader.count == 7)
            return lines
        }
        let whole = try lines(by: .max / 2)
        #expect(whole.map(\.place.line) == [1, 2, 3, 4, 5, 7, 7])
        guard case .imported(let span)? = whole.last?.content else { throw CancellationError() }
        #expect(span.to.since(span.from) == .microseconds(179_999_999), "to the end of the last minute")
        for size in [1000, 65_536, 70_000] { #expect(try lines(by: size).map(\.content) == whole.map(\.content)) }
        let unreadable = whole.compactMap { line -> UnreadableLine? in
            if case .unreadable(let line) = line.content { line } else { nil }
        }
        #expect(unreadable.map(\.payload.count) == [65_536, 65_536])
        #expect(unreadable.map(\.reason).allSatisfy { $0.hasPrefix("2026-11-21.log:") && $0.contains("longer") })
    }

    @Test func `an impossible time is rejected`() throws {
        for name in ["1985-01-01.log", "2031-01-01.log"] {
            var reader = reader(name)
            let lines = try reader.readChunk(Array("[03:41] <alice> hi\n".utf8)[...]) + reader.endFile()
            guard case .unreadable(let line)? = lines.first?.content else {
                Issue.record("\(name) was believed")
                continue
            }
            #expect(line.reason.contains("can't be true"))
        }
    }

    @Test(
        arguments: [
            (WeeChatFormat.self, "1985-11-21 06:23:11\talice\thi", "2020-11-21 06:23:12\talice\tha"),
            (WhatsAppFormat.self, "21/11/1985, 06:23 - alice: hi", "21/11/2020, 06:24 - alice: ha"),
        ] as [(any LogFormats.LogFormat.Type, String, String)])
    func `rejected lines are kept as failures of their own`(
        format: any LogFormats.LogFormat.Type, wrong: String, right: String
    ) throws {
        for text in ["\(wrong)\nand more\n\(right)\n", "\(wrong)\nand more\n"] {
            let file = ImportFile(container: "", name: "x.txt", size: 0)
            var reader = SourceReader(ImportSource(file, as: format), options: options(format), now: sampleTime)
            reader.begin(file)
            let lines = try reader.readChunk(Array(text.utf8)[...]) + reader.endFile() + reader.finish()
            guard case .unreadable(let line)? = lines.first?.content else {
                Issue.record("it was believed")
                continue
            }
            #expect(String(decoding: line.payload, as: UTF8.self) == wrong + "\nand more")
            #expect(line.reason.hasPrefix("x.txt:1: its time can't be true"))
            #expect(lines.dropFirst().first?.place.line == (text.contains(right) ? 3 : nil))
        }
    }

    private static let pieces = [
        "[민수] [오전 9:00] ", "2026. 11. 21. 오후 1:01, 민수 : ", "2026년 11월 21일 오전 12:05, ", "Nov 21, 2026 at 19:12: ",
        "오후 8:36, ", "--------------- 2026년 11월 21일 토요일 ---------------", "2026-11-21 06:23:11,\"민수\",\"", "\"",
        "님이 나갔습니다.",
        "님을 초대했습니다.", "님이 ", "파일: ", "12:08\t花子\t\"", "12:08\t\t", "2026/11/21(土)", "が", "を招待しました", " : ", "hi", "",
        "21/11/2026, 06:23 - a: ", "2026년 2월 31일 6:23, 민수 : ",
    ]

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: [
            "2026년 11월 20일 6:23, a : b\n", "--------------- 2026년 11월 20일 금요일 ---------------\n", "Date,User,Message\n",
            "2026년 11월 20일 금요일\n6:23, a : b\n", "2026/11/20(金)\n6:23\ta\tb\n", "2026/11/20(金)\n6:23 a b\n",
            "20/11/2026, 06:23 - a: b\n",
        ])
    func `every word of a hostile text is in a message or a failure`(beginning: String) throws {
        let format: any LogFormats.LogFormat.Type =
            beginning.contains("(金)")
            ? LINEFormat.self : beginning.hasPrefix("20/") ? WhatsAppFormat.self : KakaoTalkFormat.self
        for _ in 0..<200 {
            let words = (0..<20).map { "word\($0)" }
            let lines = words.map { word in
                (0..<Int.random(in: 0...3)).map { _ in Self.pieces.randomElement() ?? "" }.joined() + word
                    + (Bool.random() ? "\"" : "")
            }
            let file = ImportFile(container: "", name: "x.txt", size: 0)
            var reader = SourceReader(ImportSource(file, as: format), options: options(format), now: .now())
            reader.begin(file)
            let bytes = Array((beginning + lines.joined(separator: "\n")).utf8)
            let found = try (reader.readChunk(bytes[...]) + reader.endFile() + reader.finish()).map { line in
                switch line.content {
                case .message(let message):
                    ([message.sender, message.body] + message.files.map(\.path)).compactMap(\.self).joined(
                        separator: " ")
                case .unreadable(let line): String(decoding: line.payload, as: UTF8.self)
                default: ""
                }
            }
            .joined(separator: "\n")
            for word in words { #expect(found.contains(word), "\(lines)") }
        }
    }

    @Test func `lines sent to a listener arrive unchanged`() throws {
        var message = message("안녕", at: 0)
        message.place = sampleTime
        message.remoteID = "1:2"
        message.receivedAt = sampleTime
        message.flags = [.invalidUTF8]
        message.own = .word
        message.occurrence.inMinute = 3
        let request = ControlRequest.change(
            .importLines(
                account: "demo",
                [
                    .message(message),
                    .unreadable(UnreadableLine(room: nil, payload: [0, 0xFF], reason: "why")),
                    .imported(ImportedSpan(room: "lobby", roomKey: nil, from: sampleTime, to: sampleTime)),
                    .record(.workspace(WorkspaceRecord(key: "w", names: []))),
                    .owner(ImportedOwner(names: ["지아"], word: "나", at: sampleTime)),
                ], isUnread: true))
        let data = try JSONEncoder().encode(request)
        #expect(try JSONDecoder().decode(ControlRequest.self, from: data) == request)
    }

    @Test func `a listener accepts the largest request of an import`() throws {
        let worst = String(repeating: "\u{1}", count: ImportRun.requestTexts / ImportRun.requestLines)
        let lines = (0..<ImportRun.requestLines).map { index in
            ImportedLine.message(message(worst, at: Int64(index), by: "alice"))
        }
        let longest = ImportedLine.message(
            message(String(repeating: "\u{1}", count: JSONLinesFormat.maximumLine / 6), at: 0))
        let size = try JSONEncoder().encode(
            ControlRequest.change(.importLines(account: "demo", lines + [longest], isUnread: true))
        )
        .count
        #expect(size < ControlRequest.maximumSize)
    }

    @Test func `progress and numbers are readable`() {
        var done = ImportRun.Done()
        (done.lines, done.bytes) = (12_000, 1_000)
        #expect(
            ImportReport.progress(done, total: 4_000, after: .seconds(4))
                == "12,000 lines, 3,000 a second, 25 %, 12 s left")
        func narrow(_ width: Int) -> String {
            ImportReport.progress(done, total: 4_000, after: .seconds(4), width: width)
        }
        #expect(narrow(40) == "12,000 lines, 25 %, 12 s left")
        #expect(narrow(20) == "25 %, 12 s left")
        #expect(narrow(8) == "25 %")
        #expect([1.of("line"), 0.of("file"), 2000.of("line")] == ["1 line", "0 files", "2,000 lines"])
        #expect(
            [0, 7, 999, 1000, 1_234_567, -1000].map(\.grouped) == ["0", "7", "999", "1,000", "1,234,567", "-1,000"])
    }

    @Test func `no listener's network has the name for imported accounts`() {
        #expect(!KnownNetworks.names.contains(Configuration.logNetwork))
    }

    @Test func `bytes after a gzip file are ignored at every split`() throws {
        let bytes = Packed.gzip("one ") + Packed.gzip("two") + [0, 0x1F, 0x8B, 8, 0]
        for place in bytes.indices {
            let (inflater, parts) = (try Inflater(.gzip), [bytes[..<place], bytes[place...]])
            var text: [UInt8] = []
            for part in parts {
                var rest = part
                while case let more = try inflater.next(from: &rest), !more.isEmpty { text += more }
            }
            #expect(String(decoding: text, as: UTF8.self) == "one two" && inflater.isAtEnd, "split at \(place)")
        }
    }
}
