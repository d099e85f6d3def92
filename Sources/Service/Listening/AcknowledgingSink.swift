import ChatModel

/// Acknowledges each new message when it is stored.
struct AcknowledgingSink: EventSink {
    let base: any EventSink
    let acknowledgements: AcknowledgementWriter

    func append(_ batch: [ChatEvent]) async throws -> [EventOutcome] {
        let outcomes = try await base.append(batch)
        acknowledgements.write(zip(batch, outcomes).compactMap(Self.newMessage))
        return outcomes
    }

    private static func newMessage(_ event: ChatEvent, _ outcome: EventOutcome) -> MessageID? {
        guard case .message = event, case .new(let id) = outcome else { return nil }
        return MessageID(microseconds: id)
    }
}
