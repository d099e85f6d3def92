/// A bar for each year.
enum Sparkline {
    private static let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// Returns a text such as ` ▏2016▁▂ ▃2019`, with a space for a year without hits; empty without years.
    static func text(_ years: [(year: Int, count: Int64)]) -> String {
        guard let first = years.first, let last = years.last, let most = years.map(\.count).max(), most > 0 else {
            return ""
        }
        let line = years.map { _, count in
            count == 0 ? " " : bars[Int(Double(count) / Double(most) * Double(bars.count - 1))]
        }.joined()
        return " ▏\(first.year)\(line)" + (years.count > 1 ? "\(last.year)" : "")
    }
}
