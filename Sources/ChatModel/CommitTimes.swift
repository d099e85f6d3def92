/// How long batches took from being handed to the store until they were on disk: a histogram.
package struct CommitTimes: Sendable, Hashable {
    /// In microseconds. The buckets that Prometheus's client libraries begin with (5 ms to 10 s), and 1 and 2.5 ms before
    /// them: a good SSD syncs in less than 5 ms.
    package static let bounds: [Int64] = [
        1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
        10_000_000,
    ]

    package private(set) var count: Int64 = 0
    /// Of all together.
    package private(set) var microseconds: Int64 = 0
    /// For each of ``bounds``, how many took no longer.
    package private(set) var within = [Int64](repeating: 0, count: bounds.count)

    package init() {}

    package mutating func add(_ duration: Duration) {
        let taken = Timestamp(microseconds: 0).advanced(by: duration).microseconds
        count += 1
        microseconds = Timestamp(microseconds: microseconds).advanced(byMicroseconds: taken).microseconds
        for (index, bound) in Self.bounds.enumerated() where taken <= bound { within[index] += 1 }
    }
}

extension CommitTimes: Codable {
    /// `count`, `microseconds`, and `le_1000` for those that took a millisecond at most.
    package static let keys = ["count", "microseconds"] + bounds.map { "le_\($0)" }

    /// In the order of ``keys``.
    package var values: [Int64] { [count, microseconds] + within }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.singleValueContainer().decode([String: Int64].self)
        let values = Self.keys.map { members[$0] ?? 0 }
        (count, microseconds, within) = (values[0], values[1], Array(values.dropFirst(2)))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(zip(Self.keys, values), uniquingKeysWith: { first, _ in first }))
    }
}
