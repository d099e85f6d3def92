import Testing

@testable import IRCWire

struct LineSplitterTests {
    private func read(_ pieces: [[UInt8]]) -> [LineSplitter.Received] {
        var splitter = LineSplitter()
        return pieces.flatMap { splitter.splitLines($0) }
    }

    @Test func `LF ends a line, a preceding CR and empty lines are dropped, at every split`() {
        let bytes = Array("PING :a\r\n\r\n\n\r\r\nB\nC\r\r\n") + [0xE9, 0x0D, 0x41, 0x0A] + Array("rest")
        let expected: [LineSplitter.Received] = [
            .line(Array("PING :a")), .line(Array("B")), .line(Array("C")), .line([0xE9, 0x0D, 0x41]),
        ]
        #expect(read([bytes]) == expected)
        #expect(read(bytes.single) == expected)
        for split in bytes.splits { #expect(read(split) == expected) }
    }

    @Test func `an unfinished line is counted, not returned`() {
        var splitter = LineSplitter()
        #expect(splitter.splitLines(Array("PING :a\r\nPI")) == [.line(Array("PING :a"))])
        #expect(splitter.unfinished == 2)
    }

    @Test(arguments: ["\n", "\r\n", "", "\r\r\n"])
    func `a line of the greatest length is valid, and one more byte ends the stream, at every split`(end: String) {
        let full = Array(repeating: UInt8(ascii: "x"), count: LineSplitter.maximumLineBytes)
        let line = end == "\n" || end == "\r\n"
        #expect(read([full + Array(end)]) == (line ? [.line(full)] : end.isEmpty ? [] : [.tooLong(kept(full))]))
        let over = full + Array("x" + end + "PING\n")
        #expect(read([over]) == [.tooLong(kept(full))])
        for place in (full.count - 2)...(full.count + 3) {
            #expect(read([Array(over[..<place]), Array(over[place...])]) == [.tooLong(kept(full))])
        }
    }

    private func kept(_ bytes: [UInt8]) -> [UInt8] {
        Array(bytes.prefix(LineSplitter.keptBytes))
    }

    @Test func `lines before one that is too long are returned`() {
        let bytes = Array("A\n") + Array(repeating: UInt8(ascii: "x"), count: LineSplitter.maximumLineBytes + 2)
        #expect(read([bytes]).first == .line(Array("A")))
        #expect(read([bytes]).count == 2)
    }
}
