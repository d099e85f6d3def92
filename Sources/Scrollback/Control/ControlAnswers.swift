import Archive
import ChatModel
import Listeners

/// What a running listener answers: how its accounts are doing, and changes to the files that it writes.
struct ControlAnswers: Sendable {
    let registry: StatusRegistry
    let accounts: OpenAccounts

    func answer(_ request: ControlRequest) async -> ControlReply {
        switch request {
        case .status: ControlReply(accounts: await registry.statuses())
        case .change(let change): await perform(change)
        case .unread(let account, let questions): await count(account, questions)
        }
    }

    private func count(_ account: String, _ questions: [UnreadQuestion]) async -> ControlReply {
        guard let counter = accounts[account]?.listener.counter else { return ControlReply(done: false) }
        return ControlReply(answers: await counter.answers(to: questions))
    }

    private func perform(_ change: StoreChange) async -> ControlReply {
        guard let writer = accounts[change.account]?.writer else { return ControlReply(done: false) }
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
