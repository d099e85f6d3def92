/// The colours of a plot.
///
/// Blue and orange differ for every kind of colour blindness; the lines also differ in their dashes and marks.
struct PlotTheme {
    let name: String
    let ground: String
    let rim: String
    let grid: String
    let text: String
    let dim: String
    /// The colours of series. Each has a contrast of at least 4.5 to 1 to the ground (WCAG 2.1, 1.4.3).
    let series: [String]

    static let light = PlotTheme(
        name: "light", ground: "#ffffff", rim: "#d0d7de", grid: "#e4e8ec", text: "#1f2328", dim: "#59636e",
        series: ["#0b62a8", "#a84300", "#59636e"])
    static let dark = PlotTheme(
        name: "dark", ground: "#0d1117", rim: "#30363d", grid: "#21262d", text: "#e6edf3", dim: "#9198a1",
        series: ["#6cb6ff", "#f0a04b", "#9198a1"])
    static let all = [light, dark]
}
