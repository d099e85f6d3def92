/// A histogram of the time from handing a batch to the store until it is on disk.
package struct CommitTimes: Sendable, Hashable {
    /// The upper bounds of the buckets, in microseconds, included. Prometheus's client libraries begin with 5 ms to 10
    /// s; 1 and 2.5 ms are added because a good SSD syncs in less than 5 ms.
    package static let bounds: [Int64] = [
        1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
        10_000_000,
    ]

    /// The number of batches.
    package private(set) var count: Int64 = 0
    /// The total time, in microseconds.
    package private(set) var microseconds: Int64 = 0
    /// The number of batches within each of ``bounds``; each bucket includes the smaller ones.
    package private(set) var within = [Int64](repeating: 0, count: bounds.count)

    package init() {}

    /// Adds up the times of several accounts.
    package init(sumOf all: [CommitTimes]) {
        for times in all {
            count += times.count
            microseconds =
                Timestamp(microseconds: microseconds).advanced(byMicroseconds: times.microseconds).microseconds
            for (index, batches) in times.within.enumerated() { within[index] += batches }
        }
    }

    /// Counts a batch.
    package mutating func add(_ duration: Duration) {
        let taken = Timestamp(microseconds: 0).advanced(by: duration).microseconds
        count += 1
        microseconds = Timestamp(microseconds: microseconds).advanced(byMicroseconds: taken).microseconds
        for (index, bound) in Self.bounds.enumerated() where taken <= bound { within[index] += 1 }
    }
}

extension CommitTimes: Codable {
    /// The keys of the JSON: `count`, `microseconds`, and `le_1000` for batches of at most a millisecond, and so on.
    package static let keys = ["count", "microseconds"] + bounds.map { "le_\($0)" }

    /// The values in the order of ``keys``.
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
