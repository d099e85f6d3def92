/// Runs `operation`, and cancels it after `limit`. If it returns a value all the same, this returns the value, so that
/// nothing it made is lost.
///
/// - Throws: The operation's error, or `late` where the limit ended it.
func within<Outcome: Sendable>(
    _ limit: Duration, of clock: any Clock<Duration>, else late: ConnectionError,
    _ operation: @escaping @Sendable () async throws -> Outcome
) async throws -> Outcome {
    try await withThrowingTaskGroup(of: Outcome?.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            try? await clock.sleep(for: limit)
            return nil
        }
        var isLate = false
        do {
            while let outcome = try await group.next() {
                group.cancelAll()
                if let outcome { return outcome }
                isLate = !Task.isCancelled
            }
        } catch {
            throw isLate ? late : error
        }
        throw late
    }
}
