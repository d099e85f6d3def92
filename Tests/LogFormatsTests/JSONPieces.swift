import Foundation

@testable import LogFormats

/// SplitMix64, so that a failing case can be had again.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

enum JSONPieces {
    /// - Parameter size: Of the parts that the bytes come in; nil for one.
    static func cut(_ bytes: [UInt8], by size: Int?, _ cutter: any SourceCutter) -> [LogLine] {
        var cutter = cutter
        let size = size ?? max(1, bytes.count)
        return cut(
            stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }, &cutter)
    }

    static func cut(_ parts: [ArraySlice<UInt8>], _ cutter: inout some SourceCutter) -> [LogLine] {
        var lines: [LogLine] = []
        let keep = { (line: LogLine) in
            var copy = line
            copy.bytes = Array(line.bytes)[...]
            lines.append(copy)
        }
        // As a file is read: each part has memory of its own.
        for part in parts { cutter.cutLines(Array(part)[...], keep) }
        cutter.finish(keep)
        return lines
    }

    static func document(depth: Int, using random: inout SeededRandom) -> NSObject {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
        case 0: return NSNull()
        case 1: return NSNumber(value: Int.random(in: -1000...1000, using: &random))
        case 2: return NSNumber(value: Bool.random(using: &random))
        case 3, 4:
            let letters = ["\"", "\\", "{", "}", "[", "]", ",", ":", "\n", "민", "a", "\u{0}"]
            return NSString(
                string: (0..<Int.random(in: 0..<6, using: &random))
                    .map { _ in letters.randomElement(using: &random) ?? "" }.joined())
        case 5, 6:
            return NSArray(
                array: (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    document(depth: depth - 1, using: &random)
                })
        default:
            let object = NSMutableDictionary()
            for key in ["a", "b", "c", "d\"}", "민수"] where Bool.random(using: &random) {
                object[key] = document(depth: depth - 1, using: &random)
            }
            return object
        }
    }

    /// The same for the same value.
    static func text(_ value: NSObject?) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: value ?? NSNull(), options: [.fragmentsAllowed, .sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }

    static func values(at place: String, in document: NSObject) -> [NSObject] {
        var values = [document]
        for part in place.split(separator: ".") {
            let key = part.prefix { $0 != "[" }
            if !key.isEmpty { values = values.compactMap { ($0 as? NSDictionary)?[String(key)] as? NSObject } }
            for _ in 0..<(part.count - key.count) / 2 {
                values = values.flatMap { ($0 as? NSArray)?.compactMap { $0 as? NSObject } ?? [] }
            }
        }
        return values
    }
}
