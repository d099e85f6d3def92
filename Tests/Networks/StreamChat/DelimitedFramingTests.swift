import TestSupport
import Testing

@testable import StreamChatWire

struct DelimitedFramingTests {
    private func units(_ text: String, _ framing: Framing, known: [String] = []) -> [[String]] {
        let (bytes, known) = (Array(text), KnownNames(known))
        return ([[bytes]] + bytes.splits + [bytes.pieces(of: 1)]).map { pieces in
            var framer = UnitFramer(framing)
            let units = pieces.flatMap { framer.cutUnits($0, at: 0, known: known) } + framer.finish()
            return units.map { String(decoding: $0.bytes, as: UTF8.self) }
        }
    }

    @Test func `a line ends with LF or CRLF`() {
        #expect(units("a::b\nc::d\r\n\n\r\ne::f", .lf).allSatisfy { $0 == ["a::b", "c::d", "e::f"] })
    }

    @Test func `a NUL ends a unit that can contain line ends`() {
        #expect(units("a::b\nc\0\0d::e\0", .nul).allSatisfy { $0 == ["a::b\nc", "d::e"] })
    }

    @Test(arguments: ["alice:::::END", "alice::foo::::END", "alice::::END", "alice::END::END", "zoe::ENDING::END"])
    func `an end mark is the first one after the name`(frame: String) {
        let expected = frame == "zoe::ENDING::END" ? ["zoe", "ING"] : [String(frame.dropLast(5))]
        #expect(units(frame, .end, known: ["alice"]).allSatisfy { $0 == expected })
    }

    @Test func `line ends and NUL between units that end in END are ignored`() {
        #expect(
            units("bob has joined::END\n\0alice::hi::END\r\n", .end).allSatisfy {
                $0 == ["bob has joined", "alice::hi"]
            })
    }

    @Test(arguments: [Framing.lf, .nul, .end])
    func `units have their offsets, and end after the delimiter`(framing: Framing) {
        let delimiter = framing == .lf ? "\n" : framing == .nul ? "\0" : "::END"
        var framer = UnitFramer(framing, offset: 7)
        let units = framer.cutUnits(Array("a::b\(delimiter)c::d\(delimiter)e"), at: 5, known: KnownNames())
        let length = 4 + delimiter.utf8.count
        #expect(
            units == [
                StreamUnit(bytes: Array("a::b"), offset: 7, end: 7 + length, time: 5),
                StreamUnit(bytes: Array("c::d"), offset: 7 + length, end: 7 + 2 * length, time: 5),
            ])
        #expect(framer.parsed == 7 + 2 * length)
        #expect(framer.deadline == nil)
        _ = framer.cutUnits(Array("f"), at: 6, known: KnownNames())
        #expect(
            framer.finish() == [StreamUnit(bytes: Array("ef"), offset: 7 + 2 * length, end: 9 + 2 * length, time: 5)])
    }

    @Test(arguments: [Framing.lf, .nul, .end], [1, 7, 100_000])
    func `a unit over the limit is cut and flagged, and the next is complete`(framing: Framing, size: Int) {
        var limits = UnitFramer.Limits()
        limits.unitBytes = 1000
        let delimiter: [UInt8] = framing == .lf ? [10] : framing == .nul ? [0] : Array("::END")
        let long = Array("alice::" + String(repeating: "가", count: 1000))
        let parsed = parse((long + delimiter + Array("bob::hi") + delimiter).pieces(of: size), framing, limits: limits)
        #expect(parsed.dropLast().flatMap(\.unit.bytes) == long)
        #expect(parsed.map(\.flags) == [.oversize, .oversize, .oversize, [], []])
        #expect(parsed.last?.content == .message(name: "bob", text: "hi"))
        #expect(parsed.last?.unit.isRemainder == false)
    }

    @Test(.disabled(if: QuickCheck.isRunning), arguments: [Framing.lf, .nul, .end])
    func `2 MiB without a delimiter keep no more than one read and one unit`(framing: Framing) {
        var framer = UnitFramer(framing)
        let read = [UInt8](repeating: UInt8(ascii: ":"), count: 64 * 1024)
        var bytes = 0
        for time in 0..<32 {
            for unit in framer.cutUnits(read, at: Int64(time), known: KnownNames()) { bytes += unit.bytes.count }
            #expect(framer.pending.capacity <= 512 * 1024)
        }
        bytes += framer.finish().reduce(0) { $0 + $1.bytes.count }
        #expect(bytes == 32 * read.count)
    }
}
