/// The plots of the documentation. `bench/plots.py` draws them.
enum Plot: String, CaseIterable {
    case search, pages, size
    case importing = "import"

    /// The numbers of messages or lines that are measured.
    static let counts = Array([100_000, 300_000, 1_000_000, 3_000_000, 10_000_000].prefix(Scale.isLong ? 5 : 2))
}
