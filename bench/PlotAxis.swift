import Foundation

/// An axis from its first tick to its end.
struct PlotAxis {
    let title: String
    let ticks: [(value: Double, label: String)]
    let isLogarithmic: Bool
    private let begin: Double
    private let end: Double

    /// A logarithmic axis.
    ///
    /// - Parameter end: The last tick if nil.
    init(title: String, ticks: [(Double, String)], end: Double? = nil) {
        self.init(title: title, ticks: ticks, end: end ?? ticks.last?.0 ?? 1, isLogarithmic: true)
    }

    private init(title: String, ticks: [(Double, String)], end: Double, isLogarithmic: Bool) {
        (self.title, self.ticks, self.isLogarithmic) = (title, ticks.map { (value: $0.0, label: $0.1) }, isLogarithmic)
        (begin, self.end) = (ticks.first?.0 ?? 1, end)
    }

    /// A linear axis from 0, with ticks at round numbers.
    static func linear(title: String, to most: Double) -> PlotAxis {
        let step = steps(from: most / 8, to: most).first { $0 >= most / 6 } ?? most
        let count = Int((most / step).rounded(.up))
        let ticks = (0...count).map { (Double($0) * step, plotNumber(Double($0) * step)) }
        return PlotAxis(title: title, ticks: ticks, end: Double(count) * step, isLogarithmic: false)
    }

    /// A logarithmic axis around the values, with ticks at powers of ten; over less than three of them, also at their
    /// multiples by 2 and 5.
    static func logarithmic(title: String, around values: [Double]) -> PlotAxis {
        let (least, most) = (values.min() ?? 1, values.max() ?? 10)
        var ticks = steps(from: least, to: most)
        if most / least >= 1000 {
            let powers = ticks.filter { abs(log10($0) - log10($0).rounded()) < 1e-9 }
            ticks = powers.first.map { $0 > least ? [$0 / 10] + powers : powers } ?? ticks
            if let last = ticks.last, last < most { ticks.append(last * 10) }
        }
        return PlotAxis(title: title, ticks: ticks.map { ($0, plotNumber($0)) })
    }

    /// Returns the numbers 1, 2 and 5 times a power of ten, from the last that is not above `low` to the first that is
    /// not below `high`.
    private static func steps(from low: Double, to high: Double) -> [Double] {
        let powers = Int(log10(low).rounded(.down))...Int(log10(high).rounded(.up))
        let all = powers.flatMap { power in [1, 2, 5].map { Double("\($0)e\(power)") ?? 1 } }
        let first = all.lastIndex { $0 <= low } ?? 0
        let last = all.firstIndex { $0 >= high } ?? all.count - 1
        return Array(all[first...max(first, last)])
    }

    /// Returns how far along the axis a value is, 0 to 1.
    func place(_ value: Double) -> Double {
        isLogarithmic ? log(value / begin) / log(end / begin) : (value - begin) / (end - begin)
    }
}
