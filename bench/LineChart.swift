import Foundation

/// A chart of lines, each with its name and last value at its end.
///
/// A series is called `PROGRAM, WORK` or only `PROGRAM`. Each program has a colour and a mark, each work has a dash.
struct LineChart {
    let subtitle: String
    let across: PlotAxis
    let upTitle: String
    let isLogarithmic: Bool

    private static let (left, right, top, bottom) = (72.0, 490.0, 92.0, 330.0)
    private static let labelHeight = 17.0

    private struct Line {
        let name: String
        let points: [(x: Double, y: Double)]
        let value: Double
        let unit: String
        /// The numbers of the colour and of the dash.
        let (colour, dash): (Int, Int)

        var label: String { "\(name): \(plotFigure(value))\(unit == "ms" ? " ms" : "")" }
    }

    func draw(_ part: PlotFigures.Part) throws -> PlotCanvas {
        var canvas = PlotCanvas(height: Int(Self.bottom) + 62)
        canvas.text(subtitle, PlotCanvas.margin, 51, "d")
        let values = part.figures.map(\.y)
        let up =
            isLogarithmic
            ? PlotAxis.logarithmic(title: upTitle, around: values)
            : PlotAxis.linear(title: upTitle, to: values.max() ?? 1)
        drawAxes(up, &canvas)
        let lines = try lines(part, up)
        for line in lines { draw(line, &canvas) }
        drawLabels(lines, &canvas)
        return canvas
    }

    private func x(_ value: Double) -> Double { Self.left + across.place(value) * (Self.right - Self.left) }

    private func y(_ value: Double, _ up: PlotAxis) -> Double {
        Self.bottom - up.place(value) * (Self.bottom - Self.top)
    }

    private func drawAxes(_ up: PlotAxis, _ canvas: inout PlotCanvas) {
        canvas.text(up.title, PlotCanvas.margin, Self.top - 14, "d")
        for tick in up.ticks {
            let y = y(tick.value, up)
            canvas.path([(Self.left, y), (Self.right, y)], "g")
            canvas.text(tick.label, Self.left - 8, y + 4.5, "d", .end)
        }
        canvas.path([(Self.left, Self.bottom), (Self.right, Self.bottom)], "x")
        for tick in across.ticks {
            let x = x(tick.value)
            canvas.path([(x, Self.bottom), (x, Self.bottom + 5)], "x")
            canvas.text(tick.label, x, Self.bottom + 20, "d", .middle)
        }
        canvas.text(across.title, (Self.left + Self.right) / 2, Self.bottom + 40, "d", .middle)
    }

    private func lines(_ part: PlotFigures.Part, _ up: PlotAxis) throws -> [Line] {
        var (programs, kinds): ([String], [String]) = ([], [])
        func number(_ name: String, _ names: inout [String]) -> Int {
            if !names.contains(name) { names.append(name) }
            return names.firstIndex(of: name) ?? 0
        }
        return try part.series.compactMap { name in
            let words = name.split(separator: ", ", maxSplits: 1).map(String.init)
            let points = try part.points(name)
            guard let last = points.last else { return nil }
            return Line(
                name: name, points: points.map { (x($0.x), y($0.y, up)) }, value: last.y,
                unit: part.figures.first { $0.series == name }?.unit ?? "",
                colour: number(words[0], &programs), dash: number(words.count > 1 ? words[1] : "", &kinds))
        }
    }

    private func draw(_ line: Line, _ canvas: inout PlotCanvas) {
        canvas.path(line.points, "l s\(line.colour) p\(line.dash)")
        for (x, y) in line.points {
            if line.colour == 0 {
                canvas.circle(x, y, 3.5, "f\(line.colour)")
            } else {
                canvas.rectangle(x - 3, y - 3, 6, 6, "f\(line.colour)")
            }
        }
    }

    /// Draws the names at the ends of the lines, apart where the lines are close.
    private func drawLabels(_ lines: [Line], _ canvas: inout PlotCanvas) {
        let lines = lines.sorted { ($0.points.last?.y ?? 0) < ($1.points.last?.y ?? 0) }
        var places = lines.map { $0.points.last?.y ?? 0 }
        for index in places.indices.dropFirst() {
            places[index] = max(places[index], places[index - 1] + Self.labelHeight)
        }
        var below = Self.bottom + Self.labelHeight - 6
        for index in places.indices.reversed() {
            places[index] = min(places[index], below - Self.labelHeight)
            below = places[index]
        }
        for (line, place) in zip(lines, places) {
            canvas.text(line.label, (line.points.last?.x ?? Self.right) + 11, place + 4.5, "b f\(line.colour)")
        }
    }
}
