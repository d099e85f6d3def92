import Foundation

/// A line a figure, printed as it is measured.
enum Table {
    static func title(_ text: String) {
        print("\n\(text)")
    }

    static func row(_ name: String, _ value: String, _ note: String = "") {
        let padded = name.padding(toLength: 58, withPad: " ", startingAt: 0)
        print("  \(padded) \(value)\(note.isEmpty ? "" : "  \(note)")")
        fflush(nil)
    }

    static func ratio(_ name: String, _ a: Double, _ b: Double, bound: String) {
        row(name, String(format: "%.2f", a / b), "(\(bound))")
    }
}

/// Times of repeated runs, in seconds.
struct Sample {
    private var times: [Double] = []

    mutating func measure<T>(_ body: () throws -> T) rethrows -> T {
        let start = DispatchTime.now().uptimeNanoseconds
        let result = try body()
        times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
        return result
    }

    mutating func measure<T>(_ body: () async throws -> T) async rethrows -> T {
        let start = DispatchTime.now().uptimeNanoseconds
        let result = try await body()
        times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
        return result
    }

    var median: Double { times.sorted()[times.count / 2] }
    var total: Double { times.reduce(0, +) }

    var microseconds: String {
        let sorted = times.sorted()
        return String(
            format: "median %.1f µs, min %.1f, p95 %.1f", sorted[sorted.count / 2] * 1e6, sorted[0] * 1e6,
            sorted[sorted.count * 95 / 100] * 1e6)
    }
}
