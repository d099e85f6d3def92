/// Identifies messages that are alike: two hashes of 64 bits, so that even among millions none is taken for another.
package struct OccurrenceKey: Hashable, Sendable {
    /// A hash of the content alone: the keys of one content are neighbours in an index.
    package let first: Int
    package private(set) var second: Int

    /// - Parameter combine: Feeds the content to a hasher.
    package init(_ combine: (inout Hasher) -> Void) {
        func hash(_ seed: Int) -> Int {
            var hasher = Hasher()
            hasher.combine(seed)
            combine(&hasher)
            return hasher.finalize()
        }
        (first, second) = (hash(1), hash(2))
    }

    /// Returns the key of the content at a time.
    ///
    /// - Parameter part: Distinguishes several counts of one time.
    package func at(_ time: Timestamp, _ resolution: TimeResolution, part: Int = 0) -> OccurrenceKey {
        var hasher = Hasher()
        hasher.combine(second)
        hasher.combine(resolution.floor(time).microseconds)
        hasher.combine(resolution)
        hasher.combine(part)
        var key = self
        key.second = hasher.finalize()
        return key
    }
}

/// Keeps counts for which there is no room in memory.
package protocol OccurrenceOverflow: Sendable {
    /// Returns 0 for a key that was never incremented.
    func number(_ key: OccurrenceKey) throws -> Int
    /// - Parameter number: Below 0 where there are fewer now.
    func increment(_ key: OccurrenceKey, by number: Int) throws
}

/// Counts by key: a limited number of them in memory, the others in an ``OccurrenceOverflow``.
///
/// Copies share the overflow. When a copy that has counted is discarded, the original's counts are wrong, too.
package struct OccurrenceCounts: Sendable {
    package typealias MakeOverflow = @Sendable () throws -> any OccurrenceOverflow

    /// Three quarters of 2¹⁷, where Swift's dictionary grows: 3 MiB of 24 bytes each.
    package static let capacity = 98_304

    private let capacity: Int
    private let makeOverflow: MakeOverflow?
    private var counts: [OccurrenceKey: Int] = [:]
    private var overflow: (any OccurrenceOverflow)?

    /// - Parameter makeOverflow: Nil for counts that are all kept in memory.
    package init(capacity: Int = Self.capacity, makeOverflow: MakeOverflow?) {
        (self.capacity, self.makeOverflow) = (capacity, makeOverflow)
    }

    /// Memory has no room for another key.
    package var isFull: Bool { counts.count >= capacity }

    package func number(_ key: OccurrenceKey) throws -> Int {
        try counts[key] ?? overflow?.number(key) ?? 0
    }

    /// - Parameter number: Below 0 where there are fewer now.
    package mutating func increment(_ key: OccurrenceKey, by number: Int = 1) throws {
        guard let makeOverflow, isFull, counts[key] == nil else { return counts[key, default: 0] += number }
        let overflow = try self.overflow ?? makeOverflow()
        self.overflow = overflow
        try overflow.increment(key, by: number)
    }

    package mutating func removeAll() {
        counts.removeAll()
        overflow = nil
    }
}
