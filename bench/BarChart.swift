/// A chart of bars, each of one or more parts. Below a bar stand the names and values of its parts in their colours.
struct BarChart {
    let subtitle: String
    let across: String

    private static let (left, right, top) = (210.0, 650.0, 76.0)
    private static let (height, distance) = (20.0, 47.0)

    func draw(_ part: PlotFigures.Part) -> PlotCanvas {
        let bars = part.xs.map { name in (name: name, parts: part.figures.filter { $0.x == name }) }
        let totals = bars.map { $0.parts.reduce(0) { $0 + $1.y } }
        let axis = PlotAxis.linear(title: across, to: totals.max() ?? 1)
        let bottom = Self.top + Double(bars.count) * Self.distance
        var canvas = PlotCanvas(height: Int(bottom) + 56)
        canvas.text(subtitle, PlotCanvas.margin, 51, "d")
        func x(_ value: Double) -> Double { Self.left + axis.place(value) * (Self.right - Self.left) }
        for tick in axis.ticks {
            canvas.path([(x(tick.value), Self.top - 6), (x(tick.value), bottom)], "g")
            canvas.text(tick.label, x(tick.value), bottom + 17, "d", .middle)
        }
        canvas.text(axis.title, (Self.left + Self.right) / 2, bottom + 36, "d", .middle)
        for (row, bar) in bars.enumerated() {
            let y = Self.top + Double(row) * Self.distance
            canvas.text(bar.name, Self.left - 10, y + 14.5, row == 0 ? "b" : "", .end)
            var begin = 0.0
            for figure in bar.parts {
                let width = x(begin + figure.y) - x(begin) - 1
                canvas.rectangle(x(begin), y, max(1, width), Self.height, "f\(Self.colour(figure.series))")
                begin += figure.y
            }
            canvas.text(plotFigure(totals[row]), x(begin) + 6, y + 14.5, "b")
            guard bar.parts.count > 1 else { continue }
            let terms = bar.parts.map { figure in
                (text: "\(figure.series) \(plotFigure(figure.y))", classes: "f\(Self.colour(figure.series))")
            }
            canvas.sum(terms, Self.left, y + Self.height + 14, "n")
        }
        return canvas
    }

    private static func colour(_ series: String) -> Int {
        switch series {
        case PlotSize.index, PlotSize.trigrams: 1
        case PlotSize.others, PlotSize.head: 2
        default: 0
        }
    }
}
