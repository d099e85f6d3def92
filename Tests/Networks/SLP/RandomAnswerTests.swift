import Foundation
import TestSupport
import Testing

@testable import SLPWire

/// Answers that a program made up: no trap, nothing depends on how they are split, and Foundation reads the same.
@Suite(.disabled(if: QuickCheck.isRunning))
struct RandomAnswerTests {
    private static let pieces = [
        "[", "]", "{", "}", ",", ":", "\"", "\\", "\\\"", "\\\\", " ", "\n", "1", "-2", "null", "true", "\"a\"",
        "\"chats\"",
        "\"가\"", "{\"a\":1}", "[1,[2]]", "{\"b\":\"}]\"}", "e", "\\u0041",
    ]

    private func value(_ random: inout SeededGenerator, depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &random) {
        case 0: "\(Int.random(in: -5...500, using: &random))"
        case 1: ["null", "true", "1.5e3"].randomElement(using: &random) ?? ""
        case 2, 3: #""\#(["", "a]", "\\\"", "{가", "\\\\", "👨‍👩‍👧", "\\u00e9,"].randomElement(using: &random) ?? "")""#
        case 4: list(&random, depth: depth - 1)
        default: object(&random, depth: depth - 1)
        }
    }

    private func list(_ random: inout SeededGenerator, depth: Int) -> String {
        let values = (0..<Int.random(in: 0...4, using: &random)).map { _ in value(&random, depth: depth) }
        return "[" + values.joined(separator: [",", " , ", "\n,"].randomElement(using: &random) ?? ",") + "]"
    }

    private func object(_ random: inout SeededGenerator, depth: Int) -> String {
        let fields = (0..<Int.random(in: 0...3, using: &random)).map { "\"k\($0)\" : \(value(&random, depth: depth))" }
        return "{" + fields.joined(separator: ", ") + "}"
    }

    private func answer(_ random: inout SeededGenerator) -> String {
        let list = list(&random, depth: 3)
        guard Bool.random(using: &random) else { return list }
        let others = (0..<Int.random(in: 0...2, using: &random)).map { "\"f\($0)\":\(value(&random, depth: 2))" }
        return "{" + (others + ["\"chats\": \(list)"]).shuffled(using: &random).joined(separator: ",") + "}"
    }

    private func mutated(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text)
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.remove(at: at)
            case 1: bytes[at] = UInt8.random(in: 1 ... .max, using: &random)
            case 2: bytes.insert(contentsOf: Array(Self.pieces.randomElement(using: &random) ?? ""), at: at)
            default: bytes.removeLast(at)
            }
        }
        return bytes
    }

    private func random(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
        var (rest, reads) = (bytes[...], [[UInt8]]())
        while !rest.isEmpty {
            let read = rest.prefix(Int.random(in: 1...20, using: &random))
            reads.append(Array(read))
            rest = rest.dropFirst(read.count)
        }
        return reads
    }

    /// What Foundation makes of the whole; nil where it is no answer.
    private func oracle(_ bytes: [UInt8]) -> [NSObject]? {
        let whole = try? JSONSerialization.jsonObject(with: Data(bytes))
        let list = (whole as? [String: Any])?["chats"] ?? whole
        if list is NSNull { return [] }
        return (list as? [Any])?.map { $0 as? NSObject ?? NSNull() }
    }

    private func check(_ bytes: [UInt8], _ generator: inout SeededGenerator) {
        let cut = Cut([bytes])
        #expect(Cut(random(bytes, &generator)) == cut)
        let elements = cut.texts.map {
            try? JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed) as? NSObject
        }
        // Foundation (Swift 6.3) takes a comma before the end of an object, which JSON has not.
        let hasLooseComma = bytes.text.contains(/,\s*}/)
        if let expected = oracle(bytes), !hasLooseComma {
            #expect(cut.end == .complete && elements == expected, "\(bytes.text)")
        } else if cut.end == .complete, !hasLooseComma, !bytes.text.hasPrefix("{") {
            // The bad one is an element, or there is none: around them all is well.
            #expect(elements.contains(nil) || cut.texts.contains { $0.contains("\u{FFFD}") }, "\(bytes.text)")
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `good answers give the elements that Foundation finds`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let bytes = Array(answer(&random))
            #expect(oracle(bytes) != nil)
            check(bytes, &random)
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `damaged answers give the elements that Foundation finds, or an error`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<150 { check(mutated(answer(&random), &random), &random) }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `any input is cut the same at every split, and never misread`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var limits = ElementSplitter.Limits()
        (limits.elementBytes, limits.envelopeBytes, limits.keptBytes) = (12, 40, 5)
        for _ in 0..<100 {
            let text = (0..<30).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            let bytes = Array("[" + text)
            let cut = Cut([bytes], limits: limits)
            #expect(Cut(self.random(bytes, &random), limits: limits) == cut)
            for case .whole(let element) in cut.elements {
                #expect(element.count <= 12)
                _ = DecodedElement<SLPChat>(element)
            }
        }
    }
}
