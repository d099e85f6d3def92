import TestSupport
import Testing

@testable import StreamChatWire

/// Bytes that a program made up: no trap, no byte lost, no bound exceeded, and nothing depends on how reads are split.
@Suite(.disabled(if: QuickCheck.isRunning))
struct RandomStreamTests {
    private static let pieces = [
        "::", ":", "END", "::END", "MSG::", "USR_NAME::", "LEAVE::", "MSG", "alice", "bob", " has joined", " has left",
        " has ", "\n", "\r\n", "\0", "가", "e\u{301}", "👨\u{200D}👩", "hello",
    ]

    private func stream(_ random: inout SeededGenerator, pieces count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in
            Int.random(in: 0..<10, using: &random) == 0
                ? [UInt8.random(in: .min ... .max, using: &random)]
                : Array(Self.pieces.randomElement(using: &random) ?? "")
        }
    }

    private func reads(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
        var (rest, reads) = (bytes[...], [[UInt8]]())
        while !rest.isEmpty {
            let read = rest.prefix(Int.random(in: 1...20, using: &random))
            reads.append(Array(read))
            rest = rest.dropFirst(read.count)
        }
        return reads
    }

    @Test(arguments: 0..<40 as Range<UInt64>, Framing.allCases)
    func `units cover the stream in order within the limit`(seed: UInt64, framing: Framing) {
        var random = SeededGenerator(seed: seed)
        let bytes = stream(&random, pieces: 300)
        var limits = UnitFramer.Limits()
        limits.unitBytes = Int.random(in: 4...60, using: &random)
        var parser = UnitFramer(framing, limits: limits)
        let known = KnownNames(["bob"])
        var (time, units) = (Int64(0), [StreamUnit]())
        for read in reads(bytes, &random) {
            time += [1, 10_000, 40_000, 2_000_000].randomElement(using: &random) ?? 0
            let fills = Bool.random(using: &random)
            units += parser.cutUnits(read, at: time, filledBuffer: fills, known: known)
        }
        units += parser.finish()
        // What may have become `::END` when the connection ended is over the cap.
        let cap = limits.unitBytes + (framing == .end ? 4 : 0)
        var place = 0
        for unit in units {
            #expect(unit.offset >= place && !unit.bytes.isEmpty && unit.bytes.count <= cap)
            #expect(bytes[unit.offset..<unit.end].starts(with: unit.bytes))
            // Between units there are delimiters and padding only.
            let between = Set(bytes[place..<unit.offset]).union(bytes[(unit.offset + unit.bytes.count)..<unit.end])
            #expect(between.isSubset(of: framing == .chunk ? [] : Set(Array("::END\r\n\0"))))
            place = unit.end
            _ = Classifier.classify(unit, known: known)
        }
        if framing == .chunk { #expect(place == bytes.count) }
    }

    @Test(arguments: 0..<100 as Range<UInt64>, [Framing.lf, .nul, .end])
    func `with a delimiter, the split of reads changes nothing`(seed: UInt64, framing: Framing) {
        var random = SeededGenerator(seed: seed)
        let bytes = stream(&random, pieces: 200)
        var limits = UnitFramer.Limits()
        limits.unitBytes = 100
        var (whole, split) = (UnitFramer(framing, limits: limits), UnitFramer(framing, limits: limits))
        let known = KnownNames(["alice"])
        let expected = whole.cutUnits(bytes, at: 0, known: known) + whole.finish()
        let units = reads(bytes, &random).flatMap { split.cutUnits($0, at: 0, known: known) } + split.finish()
        #expect(units == expected)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `the split of reads changes no client frame`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = stream(&random, pieces: 200)
        var whole = ClientFrameDecoder(.august2021, maximumPayload: Int.random(in: 10...100, using: &random))
        var split = whole
        let expected = whole.read(bytes)
        #expect(reads(bytes, &random).flatMap { split.read($0) } == expected)
        #expect(split.finish() == whole.finish())
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a client's valid messages arrive as sent`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var sent: [ClientFrame] = []
        for _ in 0..<50 {
            let length = Int.random(in: 0...8, using: &random)
            let text = (0..<length).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            guard (try? Outgoing.validate(text: text)) != nil else { continue }
            sent.append(.message(text: text))
        }
        var decoder = ClientFrameDecoder(.august2021)
        let bytes = sent.flatMap { $0.encoded(.august2021) }
        #expect(reads(bytes, &random).flatMap { decoder.read($0) } == sent.map(DecodedFrame.frame))
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `glued units are found like in a linear search`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let names = ["bob", "b", ":x", "김"]
        let known = KnownNames(names)
        let words = names + ["::", ":", " has joined", " has left", "a", " "]
        for _ in 0..<200 {
            let text = (0..<6).map { _ in words.randomElement(using: &random) ?? "" }.joined()
            let tokens = names.flatMap { name in ["::", " has joined", " has left"].map { Array(name + $0) } }
            let bytes = Array(text)
            let isGlued = tokens.contains { token in
                bytes.indices.contains { bytes[$0...].starts(with: token) }
            }
            let unit = StreamUnit(bytes: Array("alice::") + bytes, offset: 0, end: 0, time: 0)
            #expect(Classifier.classify(unit, known: known)?.flags == (isGlued ? .maybeCoalesced : []), "\(text)")
        }
    }
}
