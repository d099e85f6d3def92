import Foundation

/// Where a text stands: its first letter, its middle or its last letter is at x.
enum PlotAnchor: String {
    case start, middle, end
}

/// The elements of an SVG picture below its title. Colours are classes, so every theme has the same elements.
struct PlotCanvas {
    static let width = 720
    /// The space on both sides of the titles.
    static let margin = 16.0

    let height: Int
    private var elements: [String] = []

    private static let fonts = "system-ui,-apple-system,'Segoe UI','Noto Sans','DejaVu Sans',sans-serif"
    private static let noteLine = 16

    /// - Parameter height: The height without the notes, in pixels.
    init(height: Int) { self.height = height }

    mutating func text(
        _ text: String, _ x: Double, _ y: Double, _ classes: String = "", _ anchor: PlotAnchor = .start
    ) {
        let place = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
        elements.append(
            "<text x=\"\(number(x))\" y=\"\(number(y))\"\(place)\(attribute(classes))>\(escape(text))</text>")
    }

    /// Draws the terms of a sum, each in its colour.
    mutating func sum(_ terms: [(text: String, classes: String)], _ x: Double, _ y: Double, _ classes: String) {
        let spans = terms.map { "<tspan\(attribute($0.classes))>\(escape($0.text))</tspan>" }
        elements.append(
            "<text x=\"\(number(x))\" y=\"\(number(y))\"\(attribute(classes))>\(spans.joined(separator: " + "))</text>")
    }

    mutating func path(_ points: [(x: Double, y: Double)], _ classes: String) {
        let path = points.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: "L")
        elements.append("<path d=\"M\(path)\"\(attribute(classes))/>")
    }

    mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ classes: String) {
        elements.append(
            "<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"\(number(radius))\"\(attribute(classes))/>")
    }

    mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ classes: String) {
        elements.append(
            "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\""
                + "\(attribute(classes))/>")
    }

    /// Returns the file.
    func svg(title: String, description: String, notes: [String], _ theme: PlotTheme) -> String {
        let (width, height) = (Self.width, height + notes.count * Self.noteLine + 8)
        var (head, foot) = (PlotCanvas(height: 0), PlotCanvas(height: 0))
        head.text(title, Self.margin, 29, "h")
        for (line, note) in notes.enumerated() {
            foot.text(note, Self.margin, Double(self.height + 8 + line * Self.noteLine), "n")
        }
        let lines =
            [
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" "
                    + "height=\"\(height)\" role=\"img\" aria-labelledby=\"t d\">",
                "<title id=\"t\">\(escape(title))</title>", "<desc id=\"d\">\(escape(description))</desc>",
                "<style>\(style(theme))</style>",
                "<rect class=\"w\" x=\".5\" y=\".5\" width=\"\(width - 1)\" height=\"\(height - 1)\" rx=\"9\"/>",
            ] + head.elements + elements + foot.elements + ["</svg>"]
        return lines.joined(separator: "\n") + "\n"
    }

    private func style(_ theme: PlotTheme) -> String {
        let general = [
            "text{font:13px \(Self.fonts);fill:\(theme.text)}", ".h{font-size:15px;font-weight:600}",
            ".b{font-weight:600}", ".d{fill:\(theme.dim)}", ".n{font-size:11.5px;fill:\(theme.dim)}",
            ".w{fill:\(theme.ground);stroke:\(theme.rim)}",
            ".g{stroke:\(theme.grid)}", ".x{stroke:\(theme.dim)}",
            ".l{fill:none;stroke-width:2.2;stroke-linejoin:round}", ".p1{stroke-dasharray:8 4}",
            ".p2{stroke-dasharray:2 4}",
        ]
        let series = theme.series.enumerated().map { number, colour in
            ".s\(number){stroke:\(colour)}.f\(number){fill:\(colour)}"
        }
        return (general + series).joined()
    }
}

private func attribute(_ classes: String) -> String { classes.isEmpty ? "" : " class=\"\(classes)\"" }

private func escape(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
}

/// Returns a coordinate, to a tenth of a pixel.
private func number(_ value: Double) -> String {
    let text = String(format: "%.1f", value)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// Returns a number as people write it: 0.5, 1,000, 3 million.
func plotNumber(_ value: Double) -> String {
    if value >= 1e6 { return String(format: "%g million", value / 1e6) }
    var (digits, groups) = (String(format: "%g", value), [String]())
    guard value >= 1000 else { return digits }
    digits = "\(Int(value))"
    while digits.count > 3 {
        groups.insert(String(digits.suffix(3)), at: 0)
        digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
}

/// Returns a measured value with two digits, or three from 100 on.
func plotFigure(_ value: Double) -> String {
    plotNumber(Double(String(format: value < 100 ? "%.2g" : "%.3g", value)) ?? value)
}
