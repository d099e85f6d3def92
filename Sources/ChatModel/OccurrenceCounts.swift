/// A key of equal messages: two hashes of 64 bits, so that no two keys among millions collide.
package struct OccurrenceKey: Hashable, Sendable {
    /// A hash of the content alone, so that the keys of one content are neighbours in an index.
    package let first: Int
    /// A hash of the content, and of the time once ``at(_:_:part:)`` has added it.
    package private(set) var second: Int

    /// - Parameter combine: Feeds the content to a hasher.
    package init(_ combine: (inout Hasher) -> Void) {
        var hasher = Hasher()
        combine(&hasher)
        // As SipHash makes its 128 bits: two results of one state, which has 256.
        var other = hasher
        other.combine(1)
        (first, second) = (hasher.finalize(), other.finalize())
    }

    /// Returns the key of the content at a time.
    ///
    /// - Parameter part: Distinguishes several counts at the same time.
    package func at(_ time: Timestamp, _ resolution: TimeResolution, part: Int = 0) -> OccurrenceKey {
        var key = self
        let time = Self.mix(UInt64(bitPattern: resolution.floor(time).microseconds))
        let count = UInt64(part) << 32 | UInt64(resolution.microseconds)
        key.second = Int(truncatingIfNeeded: Self.mix(UInt64(bitPattern: Int64(second)) ^ Self.mix(time &+ count)))
        return key
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(second) }

    /// Spreads the bits of a number over all bits, as SplitMix64 does. `second` is from a hasher with a random seed, so
    /// no peer can choose two contents and times with the same result.
    private static func mix(_ number: UInt64) -> UInt64 {
        var bits = number &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// A store for the counts that don't fit in memory.
package protocol OccurrenceOverflow: Sendable {
    /// Returns a key's count; 0 for a key that was never incremented.
    func number(_ key: OccurrenceKey) throws -> Int
    /// Adds to a key's count.
    ///
    /// - Parameter number: Below 0 to reduce the count.
    func increment(_ key: OccurrenceKey, by number: Int) throws
}

/// Counts by key: a limited number of keys in memory, the others in an ``OccurrenceOverflow``.
///
/// Copies share the overflow. Once a copy has counted and is discarded, the original's counts are wrong.
package struct OccurrenceCounts: Sendable {
    /// Makes the overflow when it is first needed.
    package typealias MakeOverflow = @Sendable () throws -> any OccurrenceOverflow

    /// Three quarters of 2¹⁷, where Swift's dictionary grows: 3 MiB at 24 bytes each.
    package static let capacity = 98_304

    private let capacity: Int
    private let makeOverflow: MakeOverflow?
    private var counts: [OccurrenceKey: Int] = [:]
    private var overflow: (any OccurrenceOverflow)?

    /// - Parameter makeOverflow: Nil to keep all counts in memory.
    package init(capacity: Int = Self.capacity, makeOverflow: MakeOverflow?) {
        (self.capacity, self.makeOverflow) = (capacity, makeOverflow)
    }

    /// True if some counts did not fit in memory.
    package var hasOverflow: Bool { overflow != nil }

    /// True if memory has no room for another key.
    package var isFull: Bool { counts.count >= capacity }

    /// Returns a key's count; 0 for a key that was never incremented.
    package func number(_ key: OccurrenceKey) throws -> Int {
        try counts[key] ?? overflow?.number(key) ?? 0
    }

    /// Adds to a key's count, and returns the new count.
    ///
    /// - Parameter number: Below 0 to reduce the count.
    @discardableResult
    package mutating func increment(_ key: OccurrenceKey, by number: Int = 1) throws -> Int {
        guard let makeOverflow, isFull, counts[key] == nil else {
            return Self.add(number, to: &counts[key, default: 0])
        }
        let overflow = try self.overflow ?? makeOverflow()
        self.overflow = overflow
        try overflow.increment(key, by: number)
        return try overflow.number(key)
    }

    private static func add(_ number: Int, to count: inout Int) -> Int {
        count += number
        return count
    }

    /// Forgets all counts, those of the overflow included.
    package mutating func removeAll() {
        counts.removeAll()
        overflow = nil
    }
}
