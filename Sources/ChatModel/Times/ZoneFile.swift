import Bytes

/// The rules of one zone, from a file of the tz database (TZif, RFC 9636). Leap seconds are ignored.
final class ZoneFile: Sendable {
    /// The instants at which the offset changes, in order: seconds since 1970-01-01 UTC.
    private let changes: [Int64]
    /// The offset before the first change, and after each: seconds east.
    private let offsets: [Int]
    /// The rule after the last change; nil if the last offset stays.
    private let rule: ZoneRule?

    /// - Returns: Nil for another format, and for damage.
    init?(_ bytes: [UInt8]) {
        guard let first = Self.Header(bytes[...]) else { return nil }
        guard first.version >= UInt8(ascii: "2") else {
            guard let block = first.block(bytes[...], width: 4) else { return nil }
            (changes, offsets, rule) = (block.changes, block.offsets, nil)
            return
        }
        guard let start = first.end(width: 4), start <= bytes.count else { return nil }
        let rest = bytes[start...]
        guard let header = Self.Header(rest), let block = header.block(rest, width: 8),
            let length = header.end(width: 8), length < rest.count
        else { return nil }
        let footer = rest.dropFirst(length)
        guard footer.first == Byte.lineFeed, let end = footer.dropFirst().firstIndex(of: Byte.lineFeed) else {
            return nil
        }
        let text = footer[(footer.startIndex + 1)..<end]
        let rule = ZoneRule(text)
        guard text.isEmpty || rule != nil else { return nil }
        (changes, offsets, self.rule) = (block.changes, block.offsets, rule)
    }

    func offset(at second: Int64) -> Int {
        if let rule, changes.last.map({ second >= $0 }) ?? true { return rule.offset(at: second) }
        // The number of changes up to the instant.
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return offsets[low]
    }

    private struct Block {
        var changes: [Int64]
        var offsets: [Int]
    }

    private struct Header {
        /// The length of the header in bytes.
        private static let length = 44
        let version: UInt8
        /// The counts of UT indicators, standard indicators, leap seconds, changes, types and bytes of designations.
        private let counts: [Int]

        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count >= Self.length, bytes.starts(with: "TZif".utf8) else { return nil }
            version = bytes[bytes.startIndex + 4]
            counts = (0..<6).map { Int(ZoneFile.integer(bytes.dropFirst(20 + 4 * $0).prefix(4))) }
            // Counts are unsigned. A file of these has no more than 64 KiB.
            guard counts.allSatisfy({ (0...1 << 16).contains($0) }), counts[4] > 0 else { return nil }
        }

        /// Returns the length of the header and its block.
        ///
        /// - Parameter width: The bytes of an instant.
        func end(width: Int) -> Int? {
            Self.length + counts[3] * (width + 1) + counts[4] * 6 + counts[5] + counts[2] * (width + 4) + counts[1]
                + counts[0]
        }

        func block(_ bytes: ArraySlice<UInt8>, width: Int) -> Block? {
            guard let end = end(width: width), bytes.count >= end else { return nil }
            let (times, types) = (counts[3], counts[4])
            let data = bytes.dropFirst(Self.length)
            let changes = (0..<times).map { ZoneFile.integer(data.dropFirst(width * $0).prefix(width)) }
            let indices = data.dropFirst(width * times).prefix(times).map(Int.init)
            let known = (0..<types).map {
                Int(ZoneFile.integer(data.dropFirst((width + 1) * times + 6 * $0).prefix(4)))
            }
            guard indices.allSatisfy({ $0 < types }), known.allSatisfy({ abs($0) < 26 * 3600 }),
                zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 })
            else { return nil }
            return Block(changes: changes, offsets: [known[0]] + indices.map { known[$0] })
        }
    }

    /// Returns a signed number of 4 or 8 bytes, the highest first.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return bytes.count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }
}
