import ChatModel
import Foundation
import LogFormats
import TestSupport
import Testing
import TextEncodings

@testable import Importing

/// Pipes whose bytes come with pauses: the beginning that is enough, and the reading of a part.
struct SlowPipeTests {
    /// Chunks that come one after the other, with a pause after some of them.
    private final class Scripted: ByteChunks {
        private var chunks: [[UInt8]?]

        /// - Parameter chunks: The bytes; nil is a pause.
        init(_ chunks: [String?]) {
            self.chunks = chunks.map { $0.map { Array($0.utf8) } }
        }

        func next() -> ArraySlice<UInt8> {
            while case nil? = chunks.first { chunks.removeFirst() }
            return chunks.isEmpty ? [] : (chunks.removeFirst() ?? [])[...]
        }

        func isQuiet() -> Bool {
            guard case nil? = chunks.first else { return false }
            chunks.removeFirst()
            return true
        }
    }

    private func beginnings(_ chunks: [String?], isFormatKnown: Bool = false) throws -> [String] {
        let pipe = Scripted(chunks)
        var (beginning, texts) = (PipeBeginning(), [String]())
        while beginning.isOpen {
            try beginning.fill(from: pipe, isFormatKnown: isFormatKnown)
            texts.append(String(decoding: beginning.bytes, as: UTF8.self))
        }
        return texts
    }

    @Test func `a beginning ends with a pause after a line, and reading continues there`() throws {
        #expect(try beginnings(["a", nil, "b\nc", "d", nil, "e", nil, nil, "f"]) == ["ab\ncd", "ab\ncde", "ab\ncdef"])
        #expect(try beginnings([]) == [""])
        #expect(try beginnings([nil, nil, "a"]) == ["a"])
        let long = String(repeating: "x\n", count: LogSource.beginningSize / 2)
        #expect(try beginnings([long, nil, "y"]) == [long])
    }

    @Test func `a line or the text before a pause suffices for a known format`() throws {
        let known = try beginnings(["a", "b\n", "c", nil, "d\n"], isFormatKnown: true)
        #expect(known == ["ab\n", "ab\nc", "ab\ncd\n", "ab\ncd\n"])
        #expect(try beginnings(["a", nil, "b"], isFormatKnown: true) == ["a", "ab"])
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `a compressed pipe with too little data has no beginning yet`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let writer = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        defer { close(ends[0]) }
        let packed = Packed.gzip("[03:41] <alice> hi\n")
        var file = ImportFile(pipe: ends[0], name: "-")
        try writer.write(contentsOf: packed.prefix(10))
        #expect(try file.beginning(isFormatKnown: true).isEmpty)
        #expect(file.pipe?.isOpen == true)
        try writer.write(contentsOf: packed.dropFirst(10))
        try writer.close()
        while file.pipe?.isOpen == true { _ = try file.beginning() }
        #expect(try file.beginning() == Array("[03:41] <alice> hi\n".utf8))
    }

    private func reader(_ format: any LogFormats.LogFormat.Type, _ name: String) throws -> SourceReader {
        var options = ImportOptions(format: format, room: "#example", zone: .gmt)
        if format == CSVFormat.self { options.choices.columns = try ColumnMapping("time=1,sender=2,text=3") }
        let file = ImportFile(pipe: -1, name: name)
        return SourceReader(ImportSource(file, as: format), options: options, now: RandomSource.now)
    }

    private func begin(_ reader: inout SourceReader, _ format: any LogFormats.LogFormat.Type, _ name: String) throws {
        let file = ImportFile(pipe: -1, name: name)
        reader.begin(file, in: try FileEncoding(of: file, as: format, given: nil) { false })
    }

    @Test(
        .disabled(if: QuickCheck.isRunning),
        arguments: RandomSource.kinds.filter { !["discord", "telegram", "slack"].contains($0) })
    func `pauses in a pipe change nothing`(kind: String) throws {
        for seed in 1..<6 as Range<UInt64> {
            let source = RandomSource(kind, count: 20, seed: seed)
            let lines = source.bytes.split(separator: UInt8(ascii: "\n")).map { $0 + [UInt8(ascii: "\n")] }
            func read(pauses: Bool) throws -> [ImportedLine] {
                var reader = try reader(source.format, source.name)
                try begin(&reader, source.format, source.name)
                var all: [SourceReader.Line] = []
                for line in lines {
                    all += try reader.readChunk(line)
                    if pauses { all += reader.startEarly() }
                }
                return try (all + reader.endFile() + reader.finish()).map(\.content)
            }
            #expect(try read(pauses: true) == read(pauses: false))
        }
    }

    @Test(arguments: [
        // Day or month first?
        ("whatsapp", "chat.txt", "03/04/2026, 06:23 - Alice: hi\n", "25/04/2026, 06:23 - Alice: ho\n"),
        ("csv", "chat.csv", "time,sender,text\n03/04/2026 06:23,Alice,hi\n", "25/04/2026 06:23,Alice,ho\n"),
        // The form of the lines.
        (
            "kakaotalk", "chat.txt", "가족 님과 카카오톡 대화\n저장한 날짜 : 2026-11-22 22:58:30\n\n",
            "--------------- 2026년 11월 21일 토요일 ---------------\n[민수] [오전 6:23] 안녕\n"
        ),
        // The day.
        ("irssi", "-", "06:23 < alice> hi\n", "--- Day changed Sat Nov 21 2026\n06:24 < alice> ho\n"),
    ])
    func `an incomplete beginning is not read before more arrives`(
        format: String, name: String, first: String, second: String
    ) throws {
        let format = try #require(KnownLogFormats.all.first { $0.name == format })
        var reader = try reader(format, name)
        try begin(&reader, format, name)
        #expect(try reader.readChunk(Array(first.utf8)[...]).isEmpty)
        #expect(reader.startEarly().isEmpty)
        let early = try reader.readChunk(Array(second.utf8)[...]) + reader.startEarly()
        var whole = try self.reader(format, name)
        try begin(&whole, format, name)
        let all = try whole.readChunk(Array((first + second).utf8)[...]) + whole.endFile() + whole.finish()
        #expect(try (early + reader.endFile() + reader.finish()).map(\.content) == all.map(\.content))
        #expect(!all.isEmpty)
    }

    @Test func `the encoding of a slow pipe is recognised at the first lines that are not UTF-8`() throws {
        let texts = ["hi", "오늘 저녁에 뭐 먹을까?", "아까 보낸 파일 봤어? 나중에 봐도 돼", "네 알겠습니다. 우산을 가져갈게요"]
        for format in [IrssiFormat.self, CSVFormat.self] as [any LogFormats.LogFormat.Type] {
            var reader = try reader(format, "-")
            try begin(&reader, format, "-")
            var lines: [SourceReader.Line] = []
            for text in texts {
                let line = "2026-11-21 06:23:11" + (format == CSVFormat.self ? ",alice," : " < alice> ") + text + "\n"
                lines += try reader.readChunk(line.encoded(as: "CP949")[...]) + reader.startEarly()
            }
            try #expect(lines.count == texts.count + reader.endFile().count)
            let messages = lines.compactMap { if case .message(let message) = $0.content { message } else { nil } }
            #expect(messages.map(\.body) == texts)
            #expect(reader.encoding.encoding == .cp949)
        }
    }
}
