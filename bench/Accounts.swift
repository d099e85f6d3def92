/// Many accounts in one data folder: how long a random one takes to open, whether moving them back and forth loses
/// anything, and how far and how fast they are compressed.
///
/// - Throws: ``BenchmarkError`` when a figure is not met.
func runAccounts() async throws {
    try await ColdSpeed.measure()
    let failures = try await AccountMoves.measure() + AccountOpening.measure()
    guard failures.isEmpty else { throw BenchmarkError(failures.joined(separator: "\n")) }
}
