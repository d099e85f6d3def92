import Archive

/// What a running listener answers: how its accounts are doing, and changes to the files that it writes.
struct ControlAnswers: Sendable {
    let registry: StatusRegistry
    /// By account name.
    let writers: [String: AccountWriter]

    func answer(_ request: ControlRequest) async -> ControlReply {
        switch request {
        case .status: ControlReply(accounts: await registry.statuses())
        case .change(let change): await perform(change)
        }
    }

    private func perform(_ change: StoreChange) async -> ControlReply {
        guard let writer = writers[change.account] else { return ControlReply(done: false) }
        do {
            return ControlReply(outcome: try await change.apply(to: writer))
        } catch is AccountWriterClosed {
            // The account has left; the control socket stays until all have.
            return ControlReply(done: false)
        } catch {
            return ControlReply(error: FailureText.sentence(for: error) ?? "\(error)")
        }
    }
}
