/// Measures many accounts in one data folder: the time to ask all of them and to open a random one, losses when accounts
/// move between hot and cold, and the ratio and speed of compression.
///
/// - Throws: ``BenchmarkError`` when a figure is not met.
func runAccounts() async throws {
    try await ColdSpeed.measure()
    let failures = try await AccountMoves.measure() + AccountOpening.measure()
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}
