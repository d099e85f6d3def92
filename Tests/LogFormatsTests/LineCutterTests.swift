import Testing

@testable import LogFormats

struct LineCutterTests {
    private func cut(_ bytes: [UInt8], by size: Int, maximum: Int = 16) -> [LogLine] {
        var cutter = LineCutter(maximumLine: maximum)
        var lines: [LogLine] = []
        let keep = { (line: LogLine) in
            lines.append(LogLine(number: line.number, bytes: Array(line.bytes)[...], isCut: line.isCut))
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            cutter.cutLines(bytes[start..<min(start + size, bytes.count)], keep)
        }
        cutter.finish(keep)
        return lines
    }

    @Test func `lines are complete, in whatever parts the bytes come`() {
        let bytes = [0xEF, 0xBB, 0xBF] + Array("one\r\ntwo\n\nthr\ree".utf8)
        for size in 1...bytes.count {
            let lines = cut(bytes, by: size)
            #expect(lines.map { String(decoding: $0.bytes, as: UTF8.self) } == ["one", "two", "", "thr\ree"])
            #expect(lines.map(\.number) == [1, 2, 3, 4])
        }
    }
}
