import ChatModel

/// Counts the stored events and measures the time of storing.
struct MeteredSink: EventSink {
    let base: any EventSink
    let meter: AccountMeter

    func append(_ batch: [ChatEvent]) async throws -> [EventOutcome] {
        let start = ContinuousClock.now
        let outcomes = try await base.append(batch)
        meter.committed(batch, outcomes, after: ContinuousClock.now - start)
        return outcomes
    }
}
