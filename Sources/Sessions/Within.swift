/// Runs `operation`, and cancels it after `limit`. If it still returns a value, returns that value, so that its result
/// is not lost.
///
/// - Throws: The operation's error, or `late` if the limit ended it.
package func within<Outcome: Sendable>(
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

/// Runs `operation`, and cancels it after `limit`.
package func within(
    _ limit: Duration, of clock: any Clock<Duration>, _ operation: @escaping @Sendable () async -> Void
) async {
    await withTaskGroup(of: Void.self) { group in
        group.addTask { await operation() }
        group.addTask { try? await clock.sleep(for: limit) }
        await group.next()
        group.cancelAll()
    }
}
