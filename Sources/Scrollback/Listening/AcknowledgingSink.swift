import ChatModel

/// Says of each new message that it is stored, once it is.
struct AcknowledgingSink: EventSink {
    let base: any EventSink
    let acknowledgements: AcknowledgementWriter

    func append(_ batch: [ChatEvent]) async throws -> [EventOutcome] {
        let outcomes = try await base.append(batch)
        acknowledgements.write(zip(batch, outcomes).compactMap(Self.newMessage))
        return outcomes
    }

    private static func newMessage(_ event: ChatEvent, _ outcome: EventOutcome) -> MessageID? {
        switch (event, outcome) {
        case (.message, .new(let id)), (.edited, .new(let id)): MessageID(microseconds: id)
        default: nil
        }
    }
}
