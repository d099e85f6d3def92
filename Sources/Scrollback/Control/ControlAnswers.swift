import Archive
import ChatModel

/// What a running listener answers: how its accounts are doing, and changes to the files that it writes.
struct ControlAnswers: Sendable {
    let registry: StatusRegistry
    /// By account name.
    let writers: [String: AccountWriter]

    func answer(_ request: ControlRequest) async -> ControlReply {
        switch request {
        case .status: ControlReply(accounts: await registry.statuses())
        case .change(let change): await perform(change)
        case .importLines(let account, let lines): await store(lines, in: account)
        }
    }

    private func store(_ lines: [ImportedLine], in account: String) async -> ControlReply {
        guard let writer = writers[account] else { return ControlReply(done: false) }
        do {
            return ControlReply(imported: try await writer.importLines(lines, at: .now()))
        } catch {
            return ControlReply(error: FailureText.sentence(for: error) ?? "\(error)")
        }
    }

    private func perform(_ change: StoreChange) async -> ControlReply {
        guard let writer = writers[change.account] else { return ControlReply(done: false) }
        do {
            try await change.apply(to: writer)
            return ControlReply(done: true)
        } catch {
            return ControlReply(error: FailureText.sentence(for: error) ?? "\(error)")
        }
    }
}
