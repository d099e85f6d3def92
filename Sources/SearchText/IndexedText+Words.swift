extension IndexedText {
    /// Calls `body` with the folded UTF-8 of each word, in order: without emoji, without pairs of characters and of clusters,
    /// and without words that are longer than ``WordPart/longestWord``. The pieces of a word with joints are words, too.
    package func forEachWord(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        forEachToken(seed: 0) { token, _ in
            if Self.isWord(token) { Self.withFolded(token, body) }
        }
    }

    /// Calls `body` with the UTF-8 of each token that is no pair of Hangul, Han and Kana, and with the hash of what it is in
    /// lower case. Text that needed no analysis has capitals, and any ASCII between its tokens.
    @inline(__always)
    func forEachToken(seed: UInt64, _ body: (_ token: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> Void) {
        var text = text
        text.withUTF8 { bytes in
            var place = 0
            while place < bytes.count {
                let start = place
                if bytes[start] >= 0x80, Self.isRun(bytes, at: start) {
                    while place < bytes.count, bytes[place] >= 0x80 { place += 1 }
                    continue
                }
                var hash = TokenHash(seed: seed)
                while place < bytes.count, let byte = Self.folded(bytes[place]) {
                    hash.add(byte)
                    place += 1
                }
                if place > start { body(UnsafeBufferPointer(rebasing: bytes[start..<place]), hash.value) }
                place += 1
            }
        }
    }

    /// Returns the byte in lower case; nil for one that ends a token.
    @inline(__always)
    private static func folded(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: nil
        }
    }

    /// Calls `body` with a token in lower case.
    static func withFolded(_ token: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: token.count) { copy in
            _ = copy.initialize(from: token.lazy.map { folded($0) ?? $0 })
            body(UnsafeBufferPointer(copy))
        }
    }

    /// Returns false for an emoji, a pair of clusters and a token that is too long.
    static func isWord(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        let isShort = isShort(token)
        guard isShort, let first = token.first, first >= 0x80 else { return isShort }
        return scalar(token, at: 0) != EmojiCluster.mark && !hasClusterEnd(token)
    }

    /// Returns true for a token of at most ``WordPart/longestWord`` code points.
    static func isShort(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        token.count <= WordPart.longestWord || token.count(where: { $0 & 0xC0 != 0x80 }) <= WordPart.longestWord
    }

    /// True for the token of a cluster, or of two: no word has ``Part/clusterEnd``.
    private static func hasClusterEnd(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = Array(String(Part.clusterEnd).utf8)
        return token.indices.contains { token[$0...].starts(with: end) }
    }

    private static func isRun(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        scalar(bytes, at: place).map { ScalarKind($0) == .run } ?? false
    }

    /// Returns the code point whose UTF-8 begins at a place.
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Unicode.Scalar? {
        let count = max(1, (~bytes[place]).leadingZeroBitCount)
        guard place + count <= bytes.count else { return nil }
        let first = UInt32(bytes[place]) & (0x7F >> (count == 1 ? 0 : UInt32(count)))
        return Unicode.Scalar(bytes[(place + 1)..<(place + count)].reduce(first) { $0 << 6 | UInt32($1 & 0x3F) })
    }
}

/// A hash of a token's bytes, none of which is 0. It takes 8 bytes a step (as wyhash does).
private struct TokenHash {
    private var state: UInt64
    private var waiting: UInt64 = 0
    private var count: UInt64 = 0

    init(seed: UInt64) { state = seed }

    @inline(__always)
    mutating func add(_ byte: UInt8) {
        waiting = waiting << 8 | UInt64(byte)
        count += 1
        if count & 7 == 0 { mix() }
    }

    /// Fewer than 8 bytes wait, so their number has room beside them.
    @inline(__always)
    var value: UInt64 {
        var last = self
        last.waiting |= (count & 7) << 56
        last.mix()
        return last.state
    }

    @inline(__always)
    private mutating func mix() {
        let product = (state ^ waiting).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        (state, waiting) = (product.high ^ product.low, 0)
    }
}
