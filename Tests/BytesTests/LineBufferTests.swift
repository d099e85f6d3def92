import Bytes
import Testing

struct LineBufferTests {
    /// Reads in parts of one size, and then what is left.
    private func cut(_ text: String, by size: Int, limit: Int = 16) -> [LineBuffer.Line] {
        let bytes = Array(text.utf8)
        var buffer = LineBuffer(limit: limit)
        var lines: [LineBuffer.Line] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            var part = bytes[start..<min(start + size, bytes.count)]
            while let line = buffer.next(in: &part) { lines.append(line) }
            #expect(part.isEmpty && buffer.pending.bytes.count <= limit)
        }
        if let last = buffer.finish() { lines.append(last) }
        #expect(buffer.finish() == nil)
        return lines
    }

    @Test func `lines are complete, in whatever parts the bytes come`() {
        let text = "one\r\ntwo\n\nthr\ree"
        for size in 1...text.utf8.count {
            let lines = cut(text, by: size)
            #expect(lines.map { String(decoding: $0.bytes, as: UTF8.self) } == ["one\r", "two", "", "thr\ree"])
            #expect(lines.allSatisfy { !$0.isCut })
        }
    }

    @Test func `a line that is too long is cut, and the next is complete`() {
        let text = "0123456789abcdef\n0123456789abcdefg\nx\n0123456789abcdefgh"
        for size in 1...text.utf8.count {
            let lines = cut(text, by: size)
            #expect(lines.map(\.isCut) == [false, true, false, true])
            #expect(lines.map(\.bytes.count) == [16, 16, 1, 16])
        }
    }

    @Test(arguments: [("", 0), ("\n", 1), ("a\n", 1), ("a\n\n", 2), ("a\nb", 2)])
    func `a final line end adds no line`(text: String, count: Int) {
        #expect(cut(text, by: 1).count == count)
    }

    @Test func `a line that is too long is known before its end`() {
        var buffer = LineBuffer(limit: 16)
        var part = [UInt8](repeating: 0x20, count: 17)[...]
        #expect(buffer.next(in: &part) == nil)
        #expect(buffer.pending.isCut)
    }
}
