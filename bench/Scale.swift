/// The sizes of measurements: those that fit into minutes, or with `--long` those that the documents quote.
enum Scale {
    static let isLong = CommandLine.arguments.contains("--long")

    /// Returns the size for this run, and prints it if it is not the long one.
    ///
    /// - Parameter what: The name of the counted things, in the plural.
    static func choose(_ what: String, _ usual: Int, long: Int) -> Int {
        if !isLong { Table.row("scaled down: \(what)", "\(usual)", "(make bench-long: \(long))") }
        return isLong ? long : usual
    }
}
