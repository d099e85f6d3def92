import Foundation

/// Prints figures: a line for each as it is measured, or columns under headings.
enum Table {
    static func title(_ text: String) {
        print("\n\(text)")
        fflush(nil)
    }

    static func row(_ name: String, _ value: String, _ note: String = "") {
        let padded = name.padding(toLength: 58, withPad: " ", startingAt: 0)
        print("  \(padded) \(value)\(note.isEmpty ? "" : "  \(note)")")
        fflush(nil)
    }

    static func ratio(_ name: String, _ a: Double, _ b: Double, bound: String) {
        row(name, hundredths(a / b), "(\(bound))")
    }

    /// Prints rows, each with its name first and a cell for each heading.
    static func columns(_ headings: [String], _ rows: [(name: String, cells: [String])]) {
        let lines = [("", headings)] + rows.map { ($0.name, $0.cells) }
        let first = lines.map(\.0.count).max() ?? 0
        let widths = headings.indices.map { column in lines.map { $0.1[column].count }.max() ?? 0 }
        for (name, cells) in lines {
            let columns = zip(cells, widths).map { cell, width in
                "  " + String(repeating: " ", count: width - cell.count) + cell
            }
            print("  " + name + String(repeating: " ", count: first - name.count) + columns.joined())
        }
        fflush(nil)
    }
}

func hundredths(_ value: Double) -> String { String(format: "%.2f", value) }

/// The times of repeated runs, in seconds.
struct Sample {
    private var times: [Double] = []
    /// The processor time of the whole process in all runs, which depends little on other load.
    private(set) var processor = 0.0

    mutating func measure<T>(_ body: () throws -> T) rethrows -> T {
        let (used, start) = (ProcessorTime.now, DispatchTime.now().uptimeNanoseconds)
        let result = try body()
        times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
        processor += ProcessorTime.now - used
        return result
    }

    mutating func measure<T>(_ body: () async throws -> T) async rethrows -> T {
        let (used, start) = (ProcessorTime.now, DispatchTime.now().uptimeNanoseconds)
        let result = try await body()
        times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
        processor += ProcessorTime.now - used
        return result
    }

    /// Adds a time that was measured elsewhere.
    mutating func add(_ time: Double) { times.append(time) }

    var count: Int { times.count }
    /// The time within which so many of a hundred are.
    func part(_ percent: Int) -> Double { times.isEmpty ? 0 : times.sorted()[times.count * percent / 100] }
    var maximum: Double { times.max() ?? 0 }
    var median: Double { times.sorted()[times.count / 2] }
    var total: Double { times.reduce(0, +) }

    /// The processor time of one run on average, which depends little on other load.
    var processorNote: String {
        String(format: "%.0f µs of processor time", processor / Double(times.count) * 1e6)
    }

    var microseconds: String {
        let sorted = times.sorted()
        return String(
            format: "median %.1f µs, min %.1f, p95 %.1f", sorted[sorted.count / 2] * 1e6, sorted[0] * 1e6,
            sorted[sorted.count * 95 / 100] * 1e6)
    }
}
