import Rendering

/// The assumptions of an import, in words: those of its first sources.
struct ImportAssumptions: Sendable {
    /// The limit of examples of a source, and of clocks.
    private static let exampleCount = 5
    private static let sourceCount = 20

    /// The number of sources with assumptions.
    private var sources = 0
    private var examples: [String] = []

    mutating func add(_ assumptions: [String], of source: ImportSource) {
        guard !assumptions.isEmpty else { return }
        sources += 1
        guard sources <= Self.sourceCount else { return }
        let more = assumptions.count - Self.exampleCount
        for assumption in assumptions.prefix(Self.exampleCount) {
            examples.append("\(source.shown): \(assumption)")
        }
        if more > 0 { examples.append("\(source.shown): and \(more.grouped) more") }
    }

    /// Adds by how many seconds the clocks of rooms' logs differ from the archive's.
    mutating func add(clocks: [String: ClosedRange<Double>]) {
        let some = clocks.sorted { $0.key < $1.key }.prefix(Self.exampleCount)
        for (room, seconds) in some {
            let (least, most) = (Int(seconds.lowerBound.rounded()), Int(seconds.upperBound.rounded()))
            let (near, far) = (min(abs(least), abs(most)), max(abs(least), abs(most)))
            let words =
                least < 0 && most > 0
                ? "between \(-least) s behind and \(most) s ahead of"
                : "\(near == far ? "\(far)" : "\(near) to \(far)") s \(most <= 0 ? "behind" : "ahead of")"
            examples.append("\(room): the clock of its log is \(words) the archive's")
        }
        if clocks.count > some.count {
            examples.append("and those of \((clocks.count - some.count).of("more room"))")
        }
    }

    /// The assumptions as lines for people; empty if there are none.
    var text: String {
        guard !examples.isEmpty else { return "" }
        let more = sources - Self.sourceCount
        return "assumed:\n" + examples.map { "  \(Sanitizer.line($0))\n" }.joined()
            + (more > 0 ? "  and in \(more.of("more file"))\n" : "")
    }
}
