import Testing

@testable import StreamChatWire

struct ChunkFramingTests {
    private let cut = Array("alice::가".utf8).dropLast()
    private let rest = [UInt8](Array("가".utf8).suffix(1))

    private func units(_ reads: [Read], known: [String] = [], limits: UnitFramer.Limits = .init()) -> [String] {
        var framer = UnitFramer(.chunk, limits: limits)
        let known = KnownNames(known)
        let units = reads.flatMap { framer.cutUnits($0.bytes, at: $0.time, known: known) } + framer.finish()
        return units.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func `a read within 30 ms continues the unit, and a later one begins another`() {
        let (one, two) = (Array("alice::a".utf8), Array("b".utf8))
        #expect(units([(one, 0), (two, 29_999)]) == ["alice::ab"])
        #expect(units([(one, 0), (two, 30_000)]) == ["alice::a", "b"])
    }

    @Test func `the pause is configurable`() {
        var limits = UnitFramer.Limits()
        limits.continuation = 5_000
        #expect(units([(Array("a::b"), 0), (Array("c"), 5_000)], limits: limits) == ["a::b", "c"])
    }

    @Test func `a read that begins with a known name begins a unit`() {
        let reads: [Read] = [(Array("alice::hi"), 0), (Array("bob::yo"), 1)]
        #expect(units(reads, known: ["bob"]) == ["alice::hi", "bob::yo"])
        #expect(units(reads) == ["alice::hibob::yo"])
    }

    @Test func `a read that fills its buffer is continued, even before a known name`() {
        var framer = UnitFramer(.chunk)
        let known = KnownNames(["bob"])
        #expect(framer.cutUnits(Array("alice::hi"), at: 0, filledBuffer: true, known: known) == [])
        #expect(framer.cutUnits(Array("bob::yo"), at: 1, known: known) == [])
        #expect(framer.finish().map(\.bytes) == [Array("alice::hibob::yo")])
    }

    @Test func `a complete notice begins a unit, and a split one does not`() {
        #expect(units([(Array("alice::hi"), 0), (Array("bob has left"), 1)]) == ["alice::hi", "bob has left"])
        #expect(units([(Array("b"), 0), (Array("ob has left"), 1)]) == ["bob has left"])
        let welcome = "Welcome to the room"
        #expect(units([(Array(welcome), 0), (Array("bob has joined"), 1)]) == [welcome, "bob has joined"])
        #expect(units([(Array("Hi\n"), 0), (Array("bob has joined"), 1)]) == ["Hi\n", "bob has joined"])
    }

    @Test func `an incomplete code point is waited for one second longer`() {
        #expect(units([(Array(cut), 0), (rest, 1_029_999)]) == ["alice::가"])
        #expect(units([(Array(cut), 0), (rest, 1_030_000)]) == ["alice::\u{FFFD}", "\u{FFFD}"])
    }

    @Test func `a code point that the next read does not continue is incomplete`() {
        #expect(
            units([(Array(cut), 0), (Array("bob::yo"), 1)], known: ["bob"]) == ["alice::\u{FFFD}", "bob::yo"])
        #expect(units([(Array(cut), 0), (Array("x"), 30_000)]) == ["alice::\u{FFFD}", "x"])
    }

    @Test func `the deadline ends a unit`() {
        var framer = UnitFramer(.chunk)
        #expect(framer.deadline == nil)
        #expect(framer.cutUnits(Array("alice::hi"), at: 1_000, known: KnownNames()) == [])
        #expect(framer.deadline == 31_000)
        #expect(framer.deadlinePassed(at: 30_999) == [])
        #expect(framer.deadlinePassed(at: 31_000).map(\.bytes) == [Array("alice::hi")])
        #expect(framer.deadline == nil)
        #expect(framer.cutUnits(Array(cut), at: 50_000, known: KnownNames()) == [])
        #expect(framer.deadline == 1_080_000)
    }

    @Test func `a unit has its offset and the time of its first byte`() {
        var framer = UnitFramer(.chunk, offset: 100)
        let known = KnownNames(["bob"])
        _ = framer.cutUnits(Array("alice::h"), at: 1_000, known: known)
        _ = framer.cutUnits(Array("i"), at: 2_000, known: known)
        #expect(framer.parsed == 100)
        let first = framer.cutUnits(Array("bob::yo"), at: 3_000, known: known)
        #expect(first == [StreamUnit(bytes: Array("alice::hi"), offset: 100, end: 109, time: 1_000)])
        #expect(framer.parsed == 109)
        #expect(framer.finish() == [StreamUnit(bytes: Array("bob::yo"), offset: 109, end: 116, time: 3_000)])
    }

    @Test(arguments: [1, 3, 64, 1000])
    func `a unit over the limit is cut between code points and flagged`(size: Int) {
        var limits = UnitFramer.Limits()
        limits.unitBytes = 100
        let text = "alice::" + String(repeating: "가", count: 100)
        let parsed = parse(Array(text).pieces(of: size), limits: limits)
        #expect(parsed.count == 4)
        #expect(parsed.flatMap(\.unit.bytes) == Array(text))
        #expect(parsed.map(\.unit.isOversize) == [true, true, true, false])
        #expect(parsed.map(\.unit.isRemainder) == [false, true, true, true])
        #expect(parsed.allSatisfy { $0.unit.bytes.count <= 100 && !$0.flags.contains(.invalidUTF8) })
    }

    @Test func `the rest of an oversize unit has no sender`() {
        var limits = UnitFramer.Limits()
        limits.unitBytes = 10
        let parsed = parse([Array("alice::hello bob::yo")], known: ["bob"], limits: limits)
        #expect(
            parsed.map(\.said) == [
                Said(content: .message(name: "alice", text: "hel"), flags: .oversize),
                Said(content: .system("lo bob::yo"), flags: .maybeCoalesced),
            ])
    }

    @Test func `2 MiB without a pause keep no more than one unit`() {
        var framer = UnitFramer(.chunk)
        let known = KnownNames(["bob"])
        let read = [UInt8](repeating: UInt8(ascii: ":"), count: 64 * 1024)
        var bytes = 0
        for time in 0..<32 {
            for unit in framer.cutUnits(read, at: Int64(time), filledBuffer: true, known: known) {
                bytes += unit.bytes.count
            }
            #expect(framer.pending.capacity <= 256 * 1024)
        }
        bytes += framer.finish().reduce(0) { $0 + $1.bytes.count }
        #expect(bytes == 32 * read.count)
    }
}
